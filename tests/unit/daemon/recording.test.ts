import { expect, test } from 'vitest';
import { stateOf } from '../../../src/tape/fixtures/fake-clock.ts';
import { interactionRow, projectDir, RecordingBench, root, sessionRow } from './recording-bench.ts';

const began = (turn = 'turn-1') => ({ method: 'began', params: { turn } });
const ended = (turn = 'turn-1', status = 'completed') => ({ method: 'ended', params: { turn, status } });
const word = (text: string, turn = 'turn-1') => ({ method: 'word', params: { turn, item: `answer-${turn}`, text } });

/** A session whose only turn runs. */
async function openTurn(): Promise<RecordingBench> {
  const bench = new RecordingBench();
  await bench.activate();
  await bench.send({ id: 2, method: 'ask', params: { session: 's', text: 'hello' } });
  await bench.say({ id: 2, result: {} });
  await bench.say(began());
  return bench;
}

test('createRecordingMode() records a session from its activation to its end', async () => {
  const bench = await openTurn();
  await bench.say(word('Hi'), ended());
  expect(await bench.complete()).toMatchObject({ status: 'complete', rootAgentSessionId: root, acceptedCount: 2, hasActiveTurn: false, lanes: [{ connectionId: 'connection-1', chunkSeq: 6, unitIndex: 2 }], agentTargetId: 'local:desk', composerDefaults: { model: 'scripted' } });
  expect(bench.plan()).toEqual(['replay.bootstrap @0 0.0', 'session.ready @2 2.1 true', 'turn.working @2 5.1 running', 'turn.terminal @2 6.2 completed']);
  expect(bench.issues(2)).toEqual([]);
});

test('createRecordingMode() writes activity with sequence, lanes and portable paths', async () => {
  const bench = await openTurn();
  await bench.say(ended());
  await bench.complete();
  const [intent, effect] = bench.lines('activity-events.jsonl');
  expect(intent).toMatchObject({ schemaVersion: 7, sequence: 1, kind: 'intent', correlationId: 'submit-1', lanes: { seen: [], accepted: [] }, payload: { cwd: '${REPLAY_CWD}' } });
  expect(effect).toMatchObject({ sequence: 2, causedByEventId: intent?.eventId, lanes: { started: [] }, payload: { outcome: 'succeeded', result: { session: { cwd: '${REPLAY_CWD}', railSectionKey: 'project:${REPLAY_CWD}' } } } });
  expect(bench.read('activity-events.jsonl') + bench.read('expected-state.json')).not.toContain(projectDir);
});

test('createRecordingMode() records an approval with its call', async () => {
  const bench = await openTurn();
  const tool = (status: string) => ({ method: 'tool', params: { turn: 'turn-1', item: 'c', status } });
  await bench.say(tool('in_progress'), { id: 9, method: 'confirm', params: { turn: 'turn-1', item: 'request-9' } });
  const cause = await bench.tell({ kind: 'intent', type: 'interaction/responseRequested', payload: { commandId: 'respond-1', turnId: 'turn-1', requestId: 'request-9', action: 'approve' }, seen: [{ connectionId: 'connection-1', chunkSeq: 6, unitIndex: 2 }] });
  const work = async () => {
    bench.commit({ interactions: [interactionRow('request-9', 'turn-1', 'answered')] });
    await bench.send({ id: 9, result: { decision: 'accept' } });
  };
  await bench.command('interaction/respond', { cause, payload: { turnId: 'turn-1', requestId: 'request-9', action: 'approve' }, work });
  await bench.say({ method: 'confirmed', params: {} }, tool('completed'), ended());
  await bench.complete();
  expect(bench.plan().slice(3)).toEqual(['tool.started @2 6.1 running', 'interaction.pending @2 6.2 pending', 'interaction.resolved @4 6.2 answered', 'tool.completed @4 8.2 completed', 'turn.terminal @4 8.3 completed']);
  expect(bench.lines('activity-events.jsonl')[3]?.lanes).toEqual({ started: [{ connectionId: 'connection-1', chunkSeq: 6, unitIndex: 2 }] });
  expect(bench.issues(4)).toEqual([]);
});

test('createRecordingMode() cuts no boundary between a queued prompt and its sending', async () => {
  const bench = await openTurn();
  const prompt = { clientSubmitId: 'submit-2', content: [{ type: 'text', text: 'more' }], submitDiagnostics: { queued: true } };
  const cause = await bench.tell({ kind: 'intent', type: 'submit/requested', payload: prompt });
  await bench.say(ended());
  const work = () => bench.commit({ session: sessionRow('turn-2'), turns: [bench.turn('turn-2')] });
  await bench.command('queue/sendPrompt', { cause, payload: { clientSubmitId: 'submit-2', content: prompt.content }, work });
  await bench.say(began('turn-2'), ended('turn-2'));
  await bench.complete();
  expect(bench.plan()).toEqual([
    'replay.bootstrap @0 0.0',
    'session.ready @2 2.1 true',
    'turn.working @2 5.1 running',
    'turn.terminal @3 6.1 completed',
    'submission.accepted @4 6.1 working',
    'turn.working @4 7.1 running',
    'turn.terminal @4 7.2 completed',
  ]);
  expect(bench.issues(4)).toEqual([]);
});

test('createRecordingMode() records a cancel that ends the turn', async () => {
  const bench = await openTurn();
  const cause = await bench.tell({ kind: 'intent', type: 'session/cancelRequested', payload: { commandId: 'cancel-1', turnId: 'turn-1' } });
  await bench.command('turn/cancel', { cause, payload: { turnId: 'turn-1' }, work: () => bench.say(ended('turn-1', 'canceled')) });
  await bench.complete();
  expect(bench.plan().slice(3)).toEqual(['turn.canceled @3 6.1 canceled', 'turn.canceled @4 6.1 canceled']);
  expect(bench.issues(4)).toEqual([]);
});

test('createRecordingMode() lets what is recorded behind the only end join it', async () => {
  const bench = new RecordingBench();
  const cause = await bench.tell({ kind: 'intent', type: 'activation/requested', payload: { mode: 'new', clientSubmitId: 'submit-1', cwd: projectDir } });
  const work = async () => {
    bench.create('turn-1');
    await bench.open();
    await bench.say(began(), ended());
  };
  await bench.command('session/activate', { cause, payload: { mode: 'new', clientSubmitId: 'submit-1', cwd: projectDir }, work });
  await bench.complete();
  expect(bench.plan()).toEqual(['replay.bootstrap @0 0.0', 'turn.working @1 3.1 running', 'turn.terminal @2 3.2 completed true']);
  expect(bench.issues(2)).toEqual([]);
});

test('createRecordingMode() drops a boundary that is not true any more', async () => {
  const bench = await openTurn();
  await bench.say(ended());
  const cause = await bench.tell({ kind: 'intent', type: 'submit/requested', payload: { clientSubmitId: 'submit-2', content: [] } });
  const work = async () => {
    bench.commit({ session: sessionRow('turn-2'), turns: [bench.turn('turn-2')] });
    await bench.say(began('turn-2'), ended('turn-2'));
  };
  await bench.command('queue/sendPrompt', { cause, payload: { clientSubmitId: 'submit-2', content: [] }, work });
  await bench.complete();
  expect(bench.plan().at(-1)).toBe('turn.terminal @3 7.2 completed');
});

test('an intent is accepted at what has arrived, and its command begins when that is handled', async () => {
  const bench = await openTurn();
  bench.isHolding = true;
  await bench.say(word('a'));
  const cause = await bench.tell({ kind: 'intent', type: 'session/cancelRequested', payload: { commandId: 'cancel-1', turnId: 'turn-1' } });
  const beginning = bench.mode.begin({ id: 'c-1', cause });
  expect([await stateOf(beginning), bench.mode.lanes()]).toEqual([{ is: 'waiting' }, [{ connectionId: 'connection-1', chunkSeq: 5, unitIndex: 1 }]]);
  await bench.release();
  await beginning;
  await bench.say(ended('turn-1', 'canceled'));
  await bench.tell({ kind: 'effect', type: 'turn/cancel', cause, commandId: 'c-1', payload: { outcome: 'succeeded', turnId: 'turn-1' } });
  const at = (chunkSeq: number) => [{ connectionId: 'connection-1', chunkSeq, unitIndex: 1 }];
  expect(bench.lines('activity-events.jsonl').slice(2).map(({ lanes }) => lanes)).toEqual([{ seen: [], accepted: at(6) }, { started: at(6) }]);
  expect((await bench.complete()).status).toBe('complete');
});

test('a command that begins although something stays unhandled keeps the recording from being sealed', async () => {
  const bench = await openTurn();
  bench.isHolding = true;
  await bench.say(word('a'));
  const cause = await bench.tell({ kind: 'intent', type: 'session/cancelRequested', payload: { commandId: 'cancel-1', turnId: 'turn-1' } });
  const beginning = bench.mode.begin({ id: 'c-1', cause });
  await bench.clock.advance(5_000);
  await beginning;
  await bench.tell({ kind: 'effect', type: 'turn/cancel', cause, commandId: 'c-1', payload: { outcome: 'succeeded', turnId: 'turn-1' } });
  await expect(bench.complete()).rejects.toThrow('409 recording_order_broken: Cannot seal the recording: the command of effect "rec-1:activity:4" (turn/cancel) began before');
});

const checkRefused = async (act: (bench: RecordingBench) => Promise<unknown>, refusal: string) => {
  const bench = await openTurn();
  await expect(act(bench)).rejects.toThrow(refusal);
  expect((await bench.get()).status).toBe('recording');
};
const intent = { kind: 'intent', type: 'session/cancelRequested', payload: { commandId: 'cancel-1', turnId: 'turn-1' }, eventId: 'e-1' } as const;

test.each<[string, (bench: RecordingBench) => Promise<unknown>, string]>([
  ['a command without an intent', (bench) => bench.mode.begin({ id: 'c', cause: null }), 'Cannot begin command "c": its intent is not named, an accepted one was needed'],
  ['a command of an intent that was not accepted', (bench) => bench.mode.begin({ id: 'c', cause: 'nobody' }), 'Cannot begin command "c": its intent "nobody" was not accepted'],
  ['a command of an effect', (bench) => bench.mode.begin({ id: 'c', cause: 'rec-1:activity:2' }), 'was not accepted'],
  ['a command without an id', (bench) => bench.mode.begin({ id: null, cause: 'rec-1:activity:1' }), 'Cannot begin command without an id'],
  ['an effect whose command never began', async (bench) => bench.tell({ kind: 'effect', type: 'turn/cancel', cause: await bench.tell(intent), commandId: 'c', payload: { outcome: 'succeeded' } }), '409 command_not_begun'],
  ['an effect without a cause', async (bench) => (await bench.mode.begin({ id: 'c', cause: await bench.tell(intent) }), bench.tell({ kind: 'effect', type: 'turn/cancel', commandId: 'c', payload: { outcome: 'succeeded' } })), '400 cause_missing'],
  ['an effect that its intent does not cause', async (bench) => (await bench.mode.begin({ id: 'c', cause: await bench.tell(intent) }), bench.tell({ kind: 'effect', type: 'session/activate', cause: 'e-1', commandId: 'c', payload: { outcome: 'succeeded' } })), '400 effect_not_allowed'],
  ['another event under a known id', async (bench) => (await bench.tell(intent), bench.tell({ ...intent, type: 'session/stopRequested' })), '409 activity_event_conflict'],
  ['an event of another session', (bench) => bench.tell({ ...intent, agentSessionId: 'session-b' }), '409 session_not_recorded'],
  ['an unknown intent', (bench) => bench.tell({ ...intent, type: 'window/opened' }), '400 intent_unknown'],
  ['a window that has seen what has not arrived', (bench) => bench.tell({ ...intent, seen: [{ connectionId: 'connection-1', chunkSeq: 99, unitIndex: 1 }] }), '400 lanes_invalid'],
  ['a request without events', (bench) => bench.post('/v1/recording/activity-events', { events: [] }), '400 invalid_argument: Cannot take activity events at $.events: it has 0 entries'],
  ['an event without kind', (bench) => bench.post('/v1/recording/activity-events', { events: [{ eventId: 'e' }] }), '$.events[0].kind: it is absent'],
])('a recording refuses %s', (_title, act, refusal) => checkRefused(act, refusal));

test('an equal event is accepted once', async () => {
  const bench = await openTurn();
  await bench.tell(intent);
  await bench.tell(intent);
  expect((await bench.get()).acceptedCount).toBe(3);
});

test('a create that failed cancels the recording', async () => {
  const bench = new RecordingBench();
  const cause = await bench.tell({ kind: 'intent', type: 'activation/requested', payload: { mode: 'new', clientSubmitId: 'submit-1' } });
  await bench.mode.begin({ id: 'c', cause });
  expect((await bench.get()).status).toBe('recording');
  await bench.tell({ kind: 'effect', type: 'session/activate', cause, commandId: 'c', payload: { outcome: 'failed', clientSubmitId: 'submit-1', errorCode: 'provider_rejected' } });
  expect((await bench.get()).status).toBe('canceled');
  await expect(bench.complete()).rejects.toThrow('409 recording_not_ready: Cannot seal the recording: it is canceled');
});

test('a sealed recording takes nothing more', async () => {
  const bench = await openTurn();
  await bench.say(ended());
  await bench.complete();
  await expect(bench.tell(intent)).rejects.toThrow('409 recording_sealed');
  await expect(bench.mode.begin({ id: 'c', cause: 'rec-1:activity:1' })).rejects.toThrow('the recording is complete');
  expect((await bench.complete()).status).toBe('complete');
});

const checkUnsealed = async (prepare: (bench: RecordingBench) => Promise<object[] | void>, code: string) => {
  const bench = await openTurn();
  const defects = (await prepare(bench)) ?? [];
  const completing = bench.complete(defects).catch((error: Error) => error.message);
  // The request has to get there before the clock may run out.
  for (let i = 0; i < 3 && (await stateOf(completing)).is === 'waiting'; i++) await bench.clock.advance(5_000);
  expect(await completing).toContain(code);
  const { status, error } = await bench.get();
  expect([status, code]).toEqual(['failed', expect.stringContaining(error?.code ?? '?')]);
  await expect(bench.complete()).rejects.toThrow(code);
};

test.each<[string, (bench: RecordingBench) => Promise<object[] | void>, string]>([
  ['a command that the window cannot explain', async () => [{ kind: 'uncorrelated-command', commandId: 'c', type: 'turn/cancel' }], 'recording_command_unexplained: Cannot seal the recording: command "c" (turn/cancel) is an uncorrelated-command'],
  ['a command that the window holds open', async () => [{ kind: 'unsettled-command', commandId: 'c', type: 'turn/cancel' }], 'recording_command_open'],
  ['a prompt that waits in the queue', async () => [{ kind: 'queued-prompt', commandId: 'send:q', type: 'queue/sendPrompt' }], 'recording_command_open: Cannot seal the recording: prompt "send:q" waits in the queue still, a window with nothing open'],
  ['a window that broke', async () => [{ kind: 'broken-window', commandId: '', type: 'rows is undefined' }], 'recording_command_unexplained: Cannot seal the recording: the window could not take in what the daemon told it (rows is undefined)'],
  ['a command that gave no result', async (bench) => bench.mode.begin({ id: 'c', cause: await bench.tell(intent) }), 'recording_command_open: Cannot seal the recording: command "c" began and gave no result'],
  ['an intent without the effect that it needs', async (bench) => void (await bench.tell({ kind: 'intent', type: 'session/settingsUpdateRequested', payload: { commandId: 's-1', settings: {} } })), 'intent_effect_missing'],
  ['a turn that does not settle', async () => {}, 'session_graph_settle_failed: Cannot seal the recording: turn "turn-1" is running, and nothing happened for 5000 ms'],
  ['a message that nobody handles', async (bench) => {
    bench.isHolding = true;
    await bench.say(ended());
  }, 'session_graph_settle_failed: Cannot seal the recording: turn "turn-1" is running, connection-1 has message 6.1 and has handled 5.1'],
  ['a credential on the tape', async (bench) => {
    await bench.say(ended());
    await bench.send({ id: 3, method: 'login', params: {} }).catch(() => {});
  }, 'credential_method'],
])('a recording is not sealed with %s', (_title, prepare, code) => checkUnsealed(prepare, code));

test('a session without any turn makes no cassette', async () => {
  const bench = new RecordingBench();
  const cause = await bench.tell({ kind: 'intent', type: 'activation/requested', payload: { mode: 'new', clientSubmitId: 'submit-1' } });
  const work = async () => {
    bench.commit({ session: sessionRow(null) });
    await bench.open();
  };
  await bench.command('session/activate', { cause, payload: { mode: 'new', clientSubmitId: 'submit-1' }, work });
  await expect(bench.complete()).rejects.toThrow('last_checkpoint_not_terminal');
});

test('GET /v1/recording waits for the next change', async () => {
  const bench = await openTurn();
  const { revision } = await bench.get();
  const waiting = bench.get(`/v1/recording?after=${revision}&waitMs=10000`);
  await stateOf(waiting);
  await bench.say(ended());
  expect((await waiting).revision).toBeGreaterThan(revision);
  expect(await bench.get()).toMatchObject({ status: 'recording', hasActiveTurn: false });
  const quiet = bench.get(`/v1/recording?after=999999&waitMs=10000`);
  await stateOf(quiet);
  await bench.clock.advance(10_000);
  expect((await quiet).status).toBe('recording');
});

test('GET /v1/recording/sent gives what the product told the provider', async () => {
  const bench = await openTurn();
  expect(await bench.get<object[]>('/v1/recording/sent')).toMatchObject([{ method: 'open', params: { cwd: '${SESSION_CWD:session-a:1}' } }, { method: 'ask' }]);
});

test('a daemon that ends leaves an incomplete candidate', async () => {
  const bench = await openTurn();
  await bench.mode.close();
  expect([(await bench.get()).status, JSON.parse(bench.read('provider/manifest.json')).status]).toEqual(['canceled', 'incomplete']);
});
