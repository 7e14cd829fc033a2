import { expect, test } from 'vitest';
import { Fault } from '../../core/fault.ts';
import { createDivergence } from '../../core/verdict/divergence.ts';
import { DivergenceError } from '../../core/verdict/divergence-error.ts';
import { settle, stateOf } from '../../tape/fixtures/fake-clock.ts';
import { at, checkpoint, effect, intent, never, openDesk, type LaneDesk } from './fixtures/lane-desk.ts';

const events = [intent(1, []), effect(2, []), intent(3, at(5)), effect(4, at(5))];
const checkpoints = [
  checkpoint(0, { kind: 'replay.bootstrap' }),
  checkpoint(1, { kind: 'session.ready', activitySequence: 2, lanes: at(5) }),
  checkpoint(2, { activitySequence: 4, lanes: at(8) }),
];
const whole = { events, checkpoints };
const outbound = createDivergence({ layer: 'protocol', code: 'outbound_missing', message: 'The product did not send "turn/start"' });

/** What a wait has come to: nothing yet, its end, the divergence it threw, or the fault. */
async function endOf(playing: Promise<unknown>): Promise<string> {
  let end = 'waiting';
  playing.then(
    () => (end = 'done'),
    (error: unknown) => (end = error instanceof DivergenceError ? `${error.divergence.layer}/${error.divergence.code}` : error instanceof Fault ? `fault ${error.code}` : String(error)),
  );
  await settle();
  await settle();
  return end;
}

test('playTo() lands in order: cursor, events up to it, effects verified, lanes, checkpoint, picture, and then the next', async () => {
  const { player, log } = await openDesk(whole);
  await player.playTo(2);
  expect(log).toEqual([
    'cursor start', 'verify checkpoint 0', 'look', 'picture 0',
    'cursor c1:5.1', 'dispatch 1', 'verify 2', 'verify checkpoint 1', 'look', 'picture 1',
    'cursor c1:8.1', 'dispatch 3', 'verify 4', 'verify checkpoint 2', 'look', 'picture 2',
  ]);
  expect([player.reached, player.playedCount]).toEqual([2, 4]);
});

test('playTo() stays at its target, and goes on from there', async () => {
  const { player, log } = await openDesk(whole);
  await player.playTo(0);
  expect([player.reached, log.at(-1), player.playedCount]).toEqual([0, 'picture 0', 0]);
  await player.playTo(1);
  expect([player.reached, log.at(-1), player.playedCount]).toEqual([1, 'picture 1', 2]);
  const before = log.length;
  await player.playTo(1);
  expect(log).toHaveLength(before);
});

test('playOut() lets go behind the last checkpoint, plays what is left, and waits for drained lanes and settled turns', async () => {
  const { player, daemon, log } = await openDesk({ events, checkpoints: checkpoints.slice(0, 2) });
  daemon.tell({ hasActiveTurn: true });
  const playing = player.playOut();
  expect(await endOf(playing)).toBe('waiting');
  expect(log.slice(-3)).toEqual(['clear-provider-cursor', 'dispatch 3', 'verify 4']);
  daemon.tell({ isDrained: true });
  expect(await endOf(playing)).toBe('waiting');
  daemon.tell({ hasActiveTurn: false });
  expect(await endOf(playing)).toBe('done');
});

test('results gate nothing: an intent behind an effect does not wait for it, the checkpoint does', async () => {
  const { player, surface, daemon, log } = await openDesk({ events, checkpoints: [checkpoint(0, { activitySequence: 4 })] });
  let give = () => {};
  surface.onVerify = (sequence) => {
    daemon.begin(sequence);
    return sequence === 2 ? new Promise((resolve) => (give = () => resolve({ state: 'verified' }))) : Promise.resolve({ state: 'verified' });
  };
  const playing = player.playTo(0);
  expect(await endOf(playing)).toBe('waiting');
  expect(log).toEqual(['cursor start', 'dispatch 1', 'verify 2', 'dispatch 3', 'verify 4']);
  give();
  expect(await endOf(playing)).toBe('done');
  expect(log.slice(-2)).toEqual(['look', 'picture 0']);
});

test('an effect of a later intent than the cursor is not waited for', async () => {
  const { player, surface, log } = await openDesk({ events: [intent(1, []), intent(2, []), effect(3, [])], checkpoints: [checkpoint(0, { activitySequence: 2 })] });
  surface.onVerify = () => never();
  await player.playTo(0);
  expect(log).toContain('dispatch 2');
  expect(log).not.toContain('verify 3');
});

test('playTo() waits until the lanes are at the cursor, and no shorter', async () => {
  const { player, daemon, log } = await openDesk({ checkpoints: [checkpoint(0, { lanes: at(8) })] });
  daemon.onCursor = () => {};
  const playing = player.playTo(0);
  daemon.tell({ lanes: at(7, 9) });
  expect(await endOf(playing)).toBe('waiting');
  expect(log).toEqual(['cursor c1:8.1']);
  daemon.tell({ lanes: at(8) });
  expect(await endOf(playing)).toBe('done');
});

test('playTo() asks for a checkpoint again with every change until it is reached', async () => {
  const { player, daemon, log } = await openDesk({ checkpoints: [checkpoint(0)] });
  let isReached = false;
  daemon.reply = async () => (isReached ? { state: 'reached', revision: 0, shows: [] } : { state: 'not_yet' });
  const playing = player.playTo(0);
  expect(await endOf(playing)).toBe('waiting');
  const before = log.length;
  daemon.tell({});
  await settle();
  expect(log).toHaveLength(before + 1);
  isReached = true;
  daemon.tell({});
  expect(await endOf(playing)).toBe('done');
});

test('a checkpoint is shot when the window has applied its revision and shows what it is about', async () => {
  const { player, daemon, surface, clock, log } = await openDesk({ checkpoints: [checkpoint(0)] });
  daemon.reply = async () => ({ state: 'reached', revision: 7, shows: [] });
  surface.hidden = { entity: { kind: 'turn', sessionId: 's-1', id: 't-1', status: 'completed' }, shown: 'running' };
  const playing = player.playTo(0);
  await clock.advance(100);
  expect(log).not.toContain('look');
  surface.view = { ...surface.view, revision: 7 };
  await clock.advance(100);
  expect([log.includes('look'), log.includes('picture 0')]).toEqual([true, false]);
  surface.hidden = null;
  await clock.advance(100);
  expect(await endOf(playing)).toBe('done');
  expect(log.at(-1)).toBe('picture 0');
});

test('everything is held while a picture is taken, and a slow picture is no standstill', async () => {
  let give = () => {};
  const desk = await openDesk({ ...whole, onReached: ({ index }) => (index === 0 ? new Promise<void>((resolve) => (give = resolve)) : Promise.resolve()) });
  const playing = desk.player.playTo(1);
  await desk.clock.advance(60_000);
  expect(desk.log.filter((line) => line.startsWith('cursor'))).toEqual(['cursor start']);
  give();
  expect(await endOf(playing)).toBe('done');
});

// Standstills

const stalls: [string, (desk: LaneDesk) => void, string][] = [
  ['a command that is due and was not made', ({ surface }) => void (surface.onVerify = () => never()), 'effect/command_missing'],
  ['a command without a result', ({ surface, daemon }) => void (surface.onVerify = (sequence) => (daemon.begin(sequence), never())), 'effect/command_result'],
  ['an intent that does not become ready', ({ surface }) => {
    surface.onDispatch = () => never();
    surface.view = { ...surface.view, awaited: { sequence: 1, what: 'a session' } };
  }, 'state/intent_not_ready'],
  ['a message that the product owes', ({ daemon }) => void (daemon.onCursor = (lanes) => lanes.length > 0 && daemon.tell({ lanes: at(2), missing: outbound })), 'protocol/outbound_missing'],
  ['a checkpoint that is not ready', ({ daemon }) => void (daemon.reply = async (index) => (index === 0 ? { state: 'reached', revision: 0, shows: [] } : { state: 'not_ready', awaited: { predicate: 'session.exists', needed: 'true', actual: null } })), 'state/checkpoint_not_ready'],
  ['a checkpoint that is not triggered', ({ daemon }) => void (daemon.reply = async () => ({ state: 'not_yet' })), 'state/checkpoint_not_reached'],
  ['a window that does not show it', ({ surface }) => void (surface.hidden = { entity: { kind: 'session', sessionId: 's', id: 's', status: 'ready' }, shown: null }), 'state/not_shown'],
  ['a window that has not applied it', ({ daemon }) => void (daemon.reply = async () => ({ state: 'reached', revision: 9, shows: [] })), 'state/not_shown'],
];

test.each(stalls)('a standstill is named by its cause: %s', async (_title, change, expected) => {
  const desk = await openDesk(whole);
  change(desk);
  const playing = desk.player.playTo(1);
  const end = endOf(playing);
  await desk.clock.advance(4_900);
  expect(await end).toBe('waiting');
  await desk.clock.advance(200);
  expect(await endOf(playing)).toBe(expected);
  expect(desk.log).toContain(`report ${expected}`);
  expect(desk.clock.timerCount).toBe(0);
});

const silence = ({ surface }: LaneDesk) => void Object.defineProperty(surface, 'snapshot', { value: () => never() });

test.each<[string, (desk: LaneDesk) => void, string]>([
  ['at a checkpoint', silence, 'state/not_shown'],
  ['at an intent', (desk) => void (desk.surface.onDispatch = () => (silence(desk), never())), 'state/intent_not_ready'],
])('a window that gives no answer %s is named', async (_title, change, expected) => {
  const desk = await openDesk(whole);
  change(desk);
  const playing = desk.player.playTo(1);
  void playing.catch(() => {});
  await desk.clock.advance(5_100);
  // It is asked once more, for a second.
  await desk.clock.advance(1_000);
  expect(await endOf(playing)).toBe(expected);
  await expect(playing).rejects.toThrow('the window gives no answer');
  expect(desk.clock.timerCount).toBe(0);
});

test('awaited says what a run that is cut short waits for', async () => {
  const desk = await openDesk(whole);
  desk.surface.hidden = { entity: { kind: 'session', sessionId: 's', id: 's', status: 'ready' }, shown: 'starting' };
  const playing = desk.player.playTo(1);
  await desk.clock.advance(100);
  expect(desk.player.awaited).toMatch(/^Cannot reach checkpoint "[^"]+": the window shows session as "starting", "ready" was needed$/);
  desk.surface.lose('the window was closed');
  expect(await endOf(playing)).toBe('fault window_lost');
  expect(desk.player.awaited).toContain('shows session as "starting"');
});

test('the divergence that stands in the register is thrown, not the one that was reported', async () => {
  const { player, daemon, surface, clock } = await openDesk(whole);
  surface.onDispatch = () => never();
  const first = createDivergence({ layer: 'protocol', code: 'outbound_mismatch', message: 'The product sent something else' });
  daemon.report = async () => first;
  const playing = player.playTo(1);
  void playing.catch(() => {});
  await clock.advance(5_100);
  await expect(playing).rejects.toMatchObject({ name: 'DivergenceError', divergence: first });
});

test('a standstill in which nothing recorded is awaited is a fault', async () => {
  const { player, clock, daemon } = await openDesk({ checkpoints: [] });
  const playing = player.playOut();
  void playing.catch(() => {});
  await clock.advance(5_100);
  await expect(playing).rejects.toMatchObject({ code: 'stalled', exitCode: 3, message: 'Cannot finish: nothing moved for 5000 ms, progress was needed' });
  expect((await daemon.status()).divergence).toBeNull();
});

test('progress of any lane, event or command puts a standstill off', async () => {
  const { player, daemon, surface, clock } = await openDesk(whole);
  surface.onDispatch = () => never();
  const playing = player.playTo(1);
  for (let i = 0; i < 5; i++) {
    await clock.advance(4_000);
    daemon.tell({});
    expect(await endOf(playing)).toBe('waiting');
  }
  await clock.advance(5_100);
  expect(await endOf(playing)).toBe('state/intent_not_ready');
});

test('a change that was on its way when time ran out is no standstill', async () => {
  const { player, daemon, surface, clock } = await openDesk(whole);
  surface.onDispatch = () => never();
  const playing = player.playTo(1);
  await clock.advance(4_000);
  daemon.whisper({});
  await clock.advance(1_500);
  expect(await endOf(playing)).toBe('waiting');
  await clock.advance(5_100);
  expect(await endOf(playing)).toBe('state/intent_not_ready');
});

// Whatever the moment between two steps of the player, the change must wake it: its clock stands still here.
test.each(Array.from({ length: 40 }, (_, i) => i))('a change that comes %i steps into a landing is not slept through', async (steps) => {
  const { player, daemon, surface, clock } = await openDesk({ events: events.slice(0, 2), checkpoints: [checkpoint(0, { activitySequence: 2, lanes: at(8) })] });
  let give = () => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  daemon.onCursor = () => {};
  surface.onVerify = () => given.then(() => ({ state: 'verified' }));
  const playing = player.playTo(0);
  for (let i = 0; i < steps; i++) await Promise.resolve();
  daemon.tell({ lanes: at(8) });
  for (let i = 0; i < steps % 7; i++) await Promise.resolve();
  give();
  expect(await endOf(playing)).toBe('done');
  expect(clock.now()).toBe(0);
});

test('what a spec does between two calls is no standstill', async () => {
  const { player, clock, daemon } = await openDesk(whole);
  await player.playTo(0);
  await clock.advance(60_000);
  daemon.onCursor = () => {};
  const playing = player.playTo(1);
  expect(await endOf(playing)).toBe('waiting');
  daemon.tell({ lanes: at(5) });
  expect(await endOf(playing)).toBe('done');
});

test('a pause is patient, holds the next intent, and has not made the replay stand still', async () => {
  const { player, clock, daemon, log } = await openDesk(whole);
  await player.playTo(0);
  player.pause();
  const playing = player.playTo(1);
  await clock.advance(600_000);
  expect(await endOf(playing)).toBe('waiting');
  expect(log).not.toContain('dispatch 1');
  daemon.onCursor = () => {};
  player.resume();
  expect(await endOf(playing)).toBe('done');
});

test('a pause in the middle of a wait is patient, and the wait begins anew behind it', async () => {
  const { player, clock, surface } = await openDesk(whole);
  surface.onDispatch = () => never();
  const playing = player.playTo(1);
  await clock.advance(4_000);
  player.pause();
  await clock.advance(600_000);
  player.resume();
  await clock.advance(4_000);
  expect(await endOf(playing)).toBe('waiting');
  await clock.advance(1_100);
  expect(await endOf(playing)).toBe('state/intent_not_ready');
});

test('an unlimited player waits for ever, and a divergence ends it', async () => {
  const { player, clock, daemon, surface } = await openDesk({ ...whole, isUnlimited: true });
  surface.onDispatch = () => never();
  const playing = player.playTo(1);
  await clock.advance(600_000);
  expect(await endOf(playing)).toBe('waiting');
  daemon.tell({ divergence: outbound });
  expect(await endOf(playing)).toBe('protocol/outbound_missing');
});

// Ends

const waits: [string, (desk: LaneDesk) => void][] = [
  ['a dispatch', ({ surface }) => void (surface.onDispatch = () => never())],
  ['a result', ({ surface }) => void (surface.onVerify = () => never())],
  ['lanes', ({ daemon }) => void (daemon.onCursor = () => {})],
  ['a checkpoint', ({ daemon }) => void (daemon.reply = async () => ({ state: 'not_yet' }))],
  ['an answer of the daemon', ({ daemon }) => void (daemon.reply = () => never())],
  ['what the window shows', ({ surface }) => void (surface.hidden = { entity: { kind: 'session', sessionId: 's', id: 's', status: 'ready' }, shown: null })],
  ['a pause', ({ player }) => player.pause()],
];
const endings: [string, (desk: LaneDesk) => void, string | RegExp][] = [
  ['a divergence', ({ daemon }) => daemon.tell({ divergence: outbound }), 'protocol/outbound_missing'],
  ['a lost daemon', ({ daemon }) => daemon.die(), /^(effect|state|transport)\/product_ended$/],
  ['a process that ended', ({ watch }) => watch.lose('its process ended with code 1'), /^(effect|state|transport)\/product_ended$/],
  ['a lost window', ({ surface }) => surface.lose('the window crashed'), 'fault window_lost'],
  ['an error of the run', ({ player }) => player.fail(new Fault({ code: 'usage', message: 'Cannot go on' })), 'fault usage'],
];

test.each(waits.flatMap((wait) => endings.map((ending) => [ending[0], wait[0], wait[1], ending[1], ending[2]] as const)))('%s ends a wait for %s at once', async (_ending, _wait, hold, end, expected) => {
  const desk = await openDesk(whole);
  hold(desk);
  const playing = desk.player.playTo(2);
  expect(await endOf(playing)).toBe('waiting');
  end(desk);
  await desk.clock.advance(20);
  const came = await endOf(playing);
  if (typeof expected === 'string') expect(came).toBe(expected);
  else expect(came).toMatch(expected);
  expect(desk.clock.timerCount).toBe(0);
});

test('nothing is dispatched any more behind a divergence', async () => {
  const { player, daemon, log, watch } = await openDesk(whole);
  await player.playTo(1);
  daemon.tell({ divergence: outbound });
  await watch.refresh();
  await expect(player.playTo(2)).rejects.toBeInstanceOf(DivergenceError);
  expect(log).not.toContain('dispatch 3');
});

test.each<[string, (desk: LaneDesk) => void, string, RegExp]>([
  ['a message that it owed', ({ daemon }) => void (daemon.onCursor = () => daemon.tell({ lanes: at(2), missing: outbound })), 'protocol', /did not send "turn\/start"/],
  ['a command that the window owed', ({ surface }) => void (surface.onVerify = () => never()), 'effect', /made no command/],
  ['a checkpoint', ({ daemon }) => void (daemon.reply = async () => ({ state: 'not_yet' })), 'state', /what triggers it was not seen/],
  ['a cursor', ({ daemon }) => void (daemon.onCursor = () => {}), 'state', /in mid-replay \(its process ended with code 1\), .*stands at its begin/],
])('a product that ends while %s is awaited has failed on that layer', async (_title, hold, layer, message) => {
  const desk = await openDesk({ events: events.slice(0, 2), checkpoints: [checkpoint(0, { activitySequence: 2, lanes: at(5) })] });
  hold(desk);
  const playing = desk.player.playTo(0);
  void playing.catch(() => {});
  await settle();
  desk.watch.lose('its process ended with code 1');
  await expect(playing).rejects.toMatchObject({ divergence: { layer, code: 'product_ended', message: expect.stringMatching(message) } });
});

test('a product that ends while nothing that was recorded is awaited has failed on the transport', async () => {
  const { player, watch } = await openDesk({});
  const playing = player.playOut();
  await settle();
  watch.lose('its process ended with code 1');
  expect(await endOf(playing)).toBe('transport/product_ended');
});

test('a daemon that ended is found by the first call, whichever it is', async () => {
  const { player, daemon, watch } = await openDesk(whole);
  await player.playTo(0);
  Object.defineProperty(daemon, 'playback', { value: async () => Promise.reject(new Fault({ code: 'daemon_lost', message: 'Cannot ask the daemon for /playback: ECONNRESET, an answer was needed' })) });
  const playing = player.playTo(1);
  expect(await endOf(playing)).toBe('state/product_ended');
  expect(watch.lost).toContain('ECONNRESET');
});

test('a daemon that does not answer a judge has ended', async () => {
  const { player, daemon, clock } = await openDesk(whole);
  daemon.reply = () => never();
  const playing = player.playTo(1);
  void playing.catch(() => {});
  await settle();
  daemon.isFrozen = true;
  await clock.advance(6_100);
  await expect(playing).rejects.toMatchObject({ divergence: { code: 'product_ended', message: expect.stringContaining('it gives no answer') } });
  expect(clock.timerCount).toBe(0);
});

test('a product that ends before there is a window has failed too', async () => {
  const { player, daemon, watch } = await openDesk({ ...whole, hasWindow: false });
  daemon.reply = async () => ({ state: 'not_yet' });
  const playing = player.playTo(0);
  await settle();
  watch.lose('its process ended with code 1');
  expect(await endOf(playing)).toBe('state/product_ended');
});

test('a refusal of the daemon is the fault of the run', async () => {
  const { player, daemon } = await openDesk(whole);
  daemon.reply = async () => Promise.reject(new Fault({ code: 'target_unknown', message: 'Cannot verify checkpoint 0' }));
  expect(await endOf(player.playTo(0))).toBe('fault target_unknown');
});

test.each<[string, (desk: LaneDesk) => void]>([
  ['dispatch', ({ surface }) => void (surface.onDispatch = () => Promise.reject(new Error('Target closed')))],
  ['snapshot', ({ surface }) => Object.defineProperty(surface, 'snapshot', { value: () => Promise.reject(new Error('Target closed')) })],
])('a window whose %s breaks is lost', async (_title, hold) => {
  const desk = await openDesk(whole);
  hold(desk);
  const playing = desk.player.playTo(1);
  void playing.catch(() => {});
  await expect(playing).rejects.toMatchObject({ code: 'window_lost', message: 'Cannot play on: Target closed, an answer was needed' });
});

test('an error of a verification ends the wait that stands', async () => {
  const { player, surface } = await openDesk(whole);
  surface.onVerify = () => Promise.reject(new Fault({ code: 'window_lost', message: 'Cannot ask the window to verify' }));
  expect(await endOf(player.playTo(1))).toBe('fault window_lost');
});

test('a player without a window says so', async () => {
  const { player } = await openDesk({ ...whole, hasWindow: false });
  expect(await endOf(player.playTo(1))).toBe('fault window_not_ready');
});

// Time

test.each<[string, 'recorded' | number, number[]]>([
  ['as it was recorded', 'recorded', [0, 2_000, 12_000]],
  ['at twice the speed', 2, [0, 1_000, 6_000]],
])('intents wait %s', async (_title, timing, expected) => {
  const times: number[] = [];
  const at = (sequence: number, occurredAtUnixMs: number) => intent(sequence, null, { occurredAtUnixMs });
  const desk = await openDesk({ events: [at(1, 5_000), at(2, 7_000), at(3, 17_000)], checkpoints: [checkpoint(0, { activitySequence: 3 })], timing });
  const speed = timing === 'recorded' ? 1 : timing;
  const { status } = desk.daemon;
  Object.defineProperty(desk.daemon, 'status', { value: async () => ({ ...(await status()), playbackElapsedMs: desk.clock.now() * speed }) });
  desk.surface.onDispatch = async () => {
    times.push(desk.clock.now());
    return { state: 'dispatched' };
  };
  const playing = desk.player.playTo(0);
  await desk.clock.advance(20_000);
  expect(await endOf(playing)).toBe('done');
  expect(times).toEqual(expected);
});

test('a recorded wait is no standstill, and is not begun anew by what moves meanwhile', async () => {
  const at = (sequence: number, occurredAtUnixMs: number) => intent(sequence, null, { occurredAtUnixMs });
  const { player, clock, daemon, log } = await openDesk({ events: [at(1, 0), at(2, 30_000)], checkpoints: [checkpoint(0, { activitySequence: 2 })], timing: 'recorded' });
  const playing = player.playTo(0);
  await clock.advance(15_000);
  daemon.tell({});
  await clock.advance(14_900);
  expect(log).not.toContain('dispatch 2');
  await clock.advance(200);
  expect(await endOf(playing)).toBe('done');
});

test.each<[string, (desk: LaneDesk) => void, string]>([
  ['a divergence', ({ daemon }) => daemon.tell({ divergence: outbound }), 'protocol/outbound_missing'],
  ['a lost daemon', ({ daemon }) => daemon.die(), 'transport/product_ended'],
  ['a lost window', ({ surface }) => surface.lose('the window was closed'), 'fault window_lost'],
])('%s ends a recorded wait at once', async (_title, end, expected) => {
  const at = (sequence: number, occurredAtUnixMs: number) => intent(sequence, null, { occurredAtUnixMs });
  const desk = await openDesk({ events: [at(1, 0), at(2, 30_000)], checkpoints: [checkpoint(0, { activitySequence: 2 })], timing: 'recorded' });
  const playing = desk.player.playTo(0);
  await desk.clock.advance(1_000);
  end(desk);
  expect(await endOf(playing)).toBe(expected);
  expect(desk.log).not.toContain('dispatch 2');
});

test('a pause within a recorded wait holds the intent', async () => {
  const at = (sequence: number, occurredAtUnixMs: number) => intent(sequence, null, { occurredAtUnixMs });
  const { player, clock, log } = await openDesk({ events: [at(1, 0), at(2, 3_000)], checkpoints: [checkpoint(0, { activitySequence: 2 })], timing: 'recorded' });
  const playing = player.playTo(0);
  await clock.advance(1_000);
  player.pause();
  await clock.advance(60_000);
  expect(log).not.toContain('dispatch 2');
  player.resume();
  expect(await endOf(playing)).toBe('done');
  expect(log).toContain('dispatch 2');
});

test('instant timing waits for nothing', async () => {
  const { player, clock } = await openDesk(whole);
  await player.playTo(2);
  expect(clock.now()).toBe(0);
  expect(await stateOf(player.playTo(2))).toMatchObject({ is: 'done' });
});

test('a provider that waits for its recorded time does not stand still, and one that waits for nothing does', async () => {
  const { player, clock, daemon } = await openDesk({ ...whole, timing: 'recorded' });
  daemon.onCursor = () => {};
  daemon.tell({ waitsForTime: true });
  const playing = player.playTo(1);
  await clock.advance(60_000);
  expect(await endOf(playing)).toBe('waiting');
  daemon.whisper({ waitsForTime: false });
  await clock.advance(10_000);
  expect(await endOf(playing)).toMatch(/^state\//);
});

test.each<[string, (desk: LaneDesk) => void]>([
  ['that dies', ({ daemon }) => daemon.die()],
  ['that gives no answer', ({ daemon }) => void (daemon.isFrozen = true)],
])('a daemon %s while it compares the state has failed on that layer', async (_title, end) => {
  const desk = await openDesk(whole);
  await desk.player.playTo(2);
  end(desk);
  const finishing = desk.player.finish();
  void finishing.catch(() => {});
  await desk.clock.advance(7_000);
  expect(await endOf(finishing)).toBe('state/product_ended');
});
