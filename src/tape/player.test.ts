import { afterEach, expect, test } from 'vitest';
import { createRoots } from '../core/projection/roots.ts';
import { homeToken } from '../core/portable-path.ts';
import { DivergenceRegister } from '../core/verdict/divergence.ts';
import type { Timing } from '../core/verdict/verdict.ts';
import { line } from './fixtures/desk.ts';
import { FakeClock, settle, stateOf } from './fixtures/fake-clock.ts';
import { removeFolders, tapeOf, type Step } from './fixtures/tapes.ts';
import { PlaybackClock } from './playback-clock.ts';
import { ConnectionPlayer, type PlayedFrame, type SendOutcome } from './player.ts';

afterEach(removeFolders);

function play(steps: readonly Step[], options: { timing?: Timing; answered?: string[] } = {}) {
  const tape = tapeOf({ steps });
  const clock = new FakeClock();
  const playback = new PlaybackClock(clock, options.timing ?? 'instant');
  const register = new DivergenceRegister(clock.now);
  let progressCount = 0;
  const player = new ConnectionPlayer({
    lane: tape.lanes[0]!,
    folder: tape.folder,
    clock,
    playback,
    register,
    rootsFor: (lane) => createRoots({ cwds: ['/live/app'], cwdToken: lane.connection.cwdToken, homes: ['/live/home'], homeToken }),
    onProgress: () => void progressCount++,
    ...(options.answered ? { answered: options.answered } : {}),
  });
  const send = (message: object): Promise<SendOutcome> => player.send(line(message));
  const read = async (): Promise<string | null> => {
    const frame = await player.recv();
    return frame && textOf(frame);
  };
  return { player, register, clock, playback, send, read, progressCount: () => progressCount };
}

function textOf(frame: PlayedFrame): string {
  return frame.kind === 'exit' ? `exit ${frame.exitCode} ${frame.message}` : frame.bytes.toString();
}

const ask = (id: unknown, text = 'go') => ({ id, method: 'ask', params: { text } });
const peek = (id: number) => ({ id, method: 'peek' });
const done: Step = [1, 'stdout', { method: 'ended' }, 50];
const killed: Step = [1, 'exit', 0, 60, 'signal:SIGKILL'];

test('a send that matches lets the recorded answer go on under the live id', async () => {
  const { send, read, player } = play([[1, 'outbound', ask(18)], [1, 'stdout', { id: 18, result: 'x' }], done]);
  expect(await send(ask('py-9'))).toBe('matched');
  expect([await read(), await read(), player.isDrained, player.counts]).toEqual(['{"id":"py-9","result":"x"}\n', '{"method":"ended"}\n', true, { matched: 1, absorbed: 0, delivered: 2 }]);
});

test('inbound waits for the recorded outbound before it', async () => {
  const { send, player } = play([[1, 'outbound', ask(1)], [1, 'stdout', { id: 1, result: 'x' }]]);
  const reading = player.recv();
  expect((await stateOf(reading)).is).toBe('waiting');
  await send(ask(1));
  expect((await stateOf(reading)).is).toBe('done');
});

test('a send waits until the recorded inbound before it was read, and sends keep their order', async () => {
  const { player, send, read } = play([[1, 'stdout', { method: 'began' }], [1, 'outbound', ask(1, 'a')], [1, 'outbound', ask(2, 'b')], [1, 'stdout', '{"id":1,"result":1}\n{"id":2,"result":2}\n{"method":"ended"}\n']]);
  const [first, second] = [send(ask(1, 'a')), send(ask(2, 'b'))];
  expect([(await stateOf(first)).is, player.isDrained]).toEqual(['waiting', false]);
  await read();
  expect(await Promise.all([first, second])).toEqual(['matched', 'matched']);
});

test('a cancelled read leaves the connection usable', async () => {
  const { player, send, read } = play([[1, 'outbound', ask(1)], [1, 'stdout', { id: 1, result: 'x' }]]);
  const stop = new AbortController();
  const reading = player.recv(stop.signal);
  stop.abort();
  expect(await stateOf(reading)).toEqual({ is: 'done', value: null });
  await send(ask(1));
  expect(await read()).toContain('"result"');
});

test('a mismatch is reported at its place, and every later call gets the same refusal', async () => {
  const { player, register, send } = play([[1, 'outbound', ask(1)], [1, 'stdout', { id: 1, result: 'x' }]]);
  const message = 'Cannot continue replay: desk was sent "ask" with another $.params.text, the recording has "ask" here (connection-1, chunk 1)';
  await expect(send(ask(1, 'go '))).rejects.toMatchObject({ code: 'playback_refused', message });
  await expect(send(ask(1))).rejects.toThrow(message);
  expect(register.first).toMatchObject({ layer: 'protocol', code: 'outbound_mismatch', path: '$.params.text', recorded: 'go', live: 'go ', causes: [{ code: 'prompt_changed' }] });
  expect((await stateOf(player.recv())).is).toBe('waiting');
});

test.each<[string, object | string, string | null]>([
  ['another method', { id: 1, method: 'look', params: { text: 'go' } }, '$.method'],
  ['a further member', { ...ask(1), extra: true }, '$.extra'],
  ['an answer', { id: 1, result: {} }, '$.method'],
  ['no JSON', 'go\n', '$'],
  ['two values at once', `${JSON.stringify(ask(1))}${JSON.stringify(ask(2))}`, '$'],
])('%s where a request was recorded is a mismatch', async (_title, message, path) => {
  const { player, register } = play([[1, 'outbound', ask(1)], [1, 'stdout', { id: 1, result: 'x' }]]);
  await expect(player.send(typeof message === 'string' ? Buffer.from(message) : line(message))).rejects.toThrow('Cannot continue replay');
  expect([register.first?.code, register.first?.path]).toEqual(['outbound_mismatch', path]);
});

test('a send after the end of the tape is one too many', async () => {
  const { register, send } = play([]);
  await expect(send(ask(1))).rejects.toThrow('the recording has no further message');
  expect(register.first).toMatchObject({ code: 'outbound_extra', path: '$' });
});

test('a message sent twice names the message that it repeats', async () => {
  const { register, send, read } = play([[1, 'outbound', ask(1)], [1, 'stdout', { id: 1, result: 'x' }]]);
  await send(ask(1));
  await read();
  await expect(send(ask(2))).rejects.toThrow('no further message');
  expect(register.first).toMatchObject({ code: 'outbound_extra', nearest: { position: { connectionId: 'connection-1', chunkSeq: 1 }, changed: [] } });
});

test('home and project folder come back as live folders, in lines cut anywhere, and stderr as text', async () => {
  const { read } = play([
    [1, 'stdout', '{"method":"m","params":{"cwd":"${SESSION_CWD:w'],
    [1, 'stdout', 'rap:1}/a"}}\n{"method":"n","params":{"path":"${REPLAY_HOME}/b"'],
    [1, 'stdout', '}}\n{"method":"plain"}\n'],
    [1, 'stderr', 'in ${REPLAY_HOME}/c\n'],
  ]);
  expect([await read(), await read(), await read()]).toEqual(['{"method":"m","params":{"cwd":"/live/app/a"}}\n', '{"method":"n","params":{"path":"/live/home/b"}}\n{"method":"plain"}\n', 'in /live/home/c\n']);
});

test('bytes that nothing changes are passed as they were read', async () => {
  const chunks = ['{"method":"a", "n": 1.0}\n{"me', 'thod":"b"}', '\n'];
  const { read } = play(chunks.map((text): Step => [1, 'stdout', text]));
  expect([await read(), await read(), await read()]).toEqual(chunks);
});

test('a chunk that projection has emptied is passed over', async () => {
  const { read, player } = play([[1, 'stdout', ''], [1, 'stdout', { method: 'x' }]]);
  expect([await read(), player.isDrained]).toEqual(['{"method":"x"}\n', true]);
});

test('a recorded exit of its own comes in order, then the end', async () => {
  const { read, player } = play([[1, 'stdout', { method: 'x' }], [1, 'exit', 3, 0, 'self']]);
  expect([await read(), await read(), await read(), player.isDrained]).toEqual(['{"method":"x"}\n', 'exit 3 self', null, true]);
});

test('a tape without an exit holds the connection open', async () => {
  const { read, player } = play([[1, 'stdout', { method: 'x' }]]);
  await read();
  const reading = player.recv();
  expect([(await stateOf(reading)).is, player.isDrained]).toEqual(['waiting', true]);
  player.close();
  expect(await stateOf(reading)).toEqual({ is: 'done', value: null });
});

test.each(['stdin-eof', 'signal:SIGTERM'])('an exit that the product brought about by %s waits until it leaves, whichever way', async (cause) => {
  const { read, player } = play([[1, 'stdout', { method: 'x' }], [1, 'exit', 0, 0, cause]]);
  await read();
  const reading = player.recv();
  expect([(await stateOf(reading)).is, player.isDrained]).toEqual(['waiting', true]);
  player.endInput('signal:SIGINT');
  expect(textOf((await reading)!)).toBe(`exit 0 ${cause}`);
  expect(await player.recv()).toBe(null);
});

test('a product that leaves early ends its provider at the next message it had to send', async () => {
  const { read, player, send } = play([[1, 'outbound', ask(1)], [1, 'stdout', { id: 1, result: 1 }], [1, 'outbound', ask(2)], [1, 'stdout', { id: 2, result: 2 }], [1, 'exit', 5, 0, 'self']]);
  await send(ask(1));
  player.endInput('stdin-eof');
  expect([await read(), await read(), player.isDrained, player.isAtOutbound]).toEqual(['{"id":1,"result":1}\n', 'exit 5 stdin-eof', false, true]);
});

test('a product that leaves after a divergence gets its exit', async () => {
  const { player, send } = play([[1, 'outbound', ask(1)], [1, 'stdout', { id: 1, result: 1 }]]);
  await expect(send(ask(2, 'no'))).rejects.toThrow();
  player.endInput('signal:SIGTERM');
  expect(textOf((await player.recv())!)).toBe('exit 0 signal:SIGTERM');
});

test('a send to a closed connection is refused, and one that waits is let go', async () => {
  const { player, send } = play([[1, 'stdout', { method: 'x' }], [1, 'outbound', ask(1)], killed]);
  const waiting = send(ask(1));
  await settle();
  player.close();
  await expect(waiting).rejects.toThrow('it is closed');
  await expect(send(ask(1))).rejects.toThrow('it is closed');
});

test('a recorded probe that stays away is skipped after its grace, and its answer with it', async () => {
  const { clock, player, send } = play([[1, 'outbound', peek(1)], [1, 'outbound', ask(2)], [1, 'stdout', '{"id":1,"result":"seen"}\n{"id":2,"result":"x"}\n']]);
  const reading = player.recv();
  await clock.advance(49);
  expect(player.cursor).toBe(0);
  await clock.advance(1);
  expect(player.cursor).toBe(1);
  await send(ask(7));
  expect(textOf((await reading)!)).toBe('{"id":7,"result":"x"}\n');
});

test('a run of probes costs one grace', async () => {
  const { clock, player } = play([...[1, 2, 3, 4].map((id): Step => [1, 'outbound', peek(id)]), [1, 'stdout', [1, 2, 3, 4].map((id) => `{"id":${id},"result":1}\n`).join('')], done]);
  const reading = player.recv();
  await clock.advance(50);
  expect(textOf((await reading)!)).toBe('{"method":"ended"}\n');
});

test('a probe that is sent in its grace is matched and answered', async () => {
  const { clock, player, send } = play([[1, 'outbound', peek(1)], [1, 'stdout', { id: 1, result: 'seen' }]]);
  const reading = player.recv();
  await clock.advance(20);
  expect(await send(peek(5))).toBe('matched');
  expect(textOf((await reading)!)).toBe('{"id":5,"result":"seen"}\n');
});

test('a message overtakes a recorded probe at once', async () => {
  const { send, read } = play([[1, 'outbound', peek(1)], [1, 'outbound', ask(2)], [1, 'stdout', '{"id":1,"result":"seen"}\n{"id":2,"result":"x"}\n']]);
  expect(await send(ask(2))).toBe('matched');
  expect(await read()).toBe('{"id":2,"result":"x"}\n');
});

test('an additional probe is absorbed before inbound, instead of another message, and after the end', async () => {
  const { send, read, player } = play([[1, 'stdout', { method: 'began' }], [1, 'outbound', ask(1)], [1, 'stdout', '{"id":1,"result":1}\n{"method":"ended"}\n']]);
  expect(await send(peek(8))).toBe('absorbed');
  await read();
  expect([await send(peek(9)), await send(ask(1))]).toEqual(['absorbed', 'matched']);
  await read();
  expect([await send(peek(10)), player.isDrained, player.counts.absorbed]).toEqual(['absorbed', true, 3]);
});

test('a product that leaves in the grace of a recorded probe has not missed it', async () => {
  const { clock, player } = play([[1, 'stdout', { method: 'x' }], [1, 'outbound', peek(1)], [1, 'stdout', { id: 1, result: 1 }]]);
  await player.recv();
  player.endInput('stdin-eof');
  const reading = player.recv();
  expect(player.isAtOutbound).toBe(false);
  await clock.advance(50);
  expect([textOf((await reading)!), player.isDrained]).toEqual(['exit 0 stdin-eof', true]);
});

test('the answer to a request that somebody else has answered is left out', async () => {
  const { send, read } = play([[1, 'outbound', ask(1)], [1, 'stdout', '{"id":1,"result":"again"}\n{"method":"began"}\n{"method":"ended"}\n']], { answered: ['"a"'] });
  await send(ask('a'));
  expect(await read()).toBe('{"method":"began"}\n{"method":"ended"}\n');
});

test('a tape that ends with a send says so to whoever waits for the drain', async () => {
  const { player, send, progressCount } = play([[1, 'outbound', ask(1)], killed]);
  let drainedAt = -1;
  const sent = send(ask(1)).then(() => (drainedAt = progressCount()));
  await sent;
  expect(player.isDrained).toBe(true);
  expect(progressCount()).toBe(drainedAt);
  expect(drainedAt).toBeGreaterThan(1);
});

test.each<[string, number, number]>([
  ['counts from an outbound that was sent sooner than recorded', 100, 30],
  ['owes nothing where the product was slower than recorded', 700, 0],
])('recorded timing %s', async (_title, beforeMs, waitMs) => {
  const { clock, player, send } = play([[1, 'outbound', ask(1), 1_000], [1, 'stdout', { id: 1, result: 1 }, 1_120]], { timing: 4 });
  await clock.advance(beforeMs);
  await send(ask(1));
  const reading = player.recv();
  if (waitMs > 0) {
    await clock.advance(waitMs - 1);
    expect((await stateOf(reading)).is).toBe('waiting');
    await clock.advance(1);
  }
  expect((await stateOf(reading)).is).toBe('done');
});

test('a pause holds inbound and judges outbound', async () => {
  const { clock, playback, player, send } = play([[1, 'outbound', ask(1)], [1, 'stdout', { id: 1, result: 1 }]], { timing: 'recorded' });
  playback.pause();
  expect(await send(ask(1))).toBe('matched');
  const reading = player.recv();
  await clock.advance(1_000);
  expect((await stateOf(reading)).is).toBe('waiting');
  playback.resume();
  expect((await stateOf(reading)).is).toBe('done');
});

test('a read that is paused can be cancelled and closed', async () => {
  const { playback, player } = play([[1, 'stdout', { method: 'x' }, 10]], { timing: 'recorded' });
  playback.pause();
  const stop = new AbortController();
  const reading = player.recv(stop.signal);
  stop.abort();
  expect(await stateOf(reading)).toEqual({ is: 'done', value: null });
  player.close();
  expect(await player.recv()).toBe(null);
});

test('fast-forward passes waits and still requires what must be sent', async () => {
  const { playback, player, read } = play([[1, 'stdout', { method: 'x' }, 9_000], [1, 'outbound', ask(1), 9_500], killed], { timing: 'recorded' });
  playback.setFastForward(true);
  await read();
  expect((await stateOf(player.recv())).is).toBe('waiting');
  expect(player.isDrained).toBe(false);
});
