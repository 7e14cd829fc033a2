import { expect, test } from 'vitest';
import type { CancelResult, ExecResult } from '../../../core/agent/runtime.ts';
import type { JsonObject } from '../../../core/json/exact.ts';
import { limits } from '../../../core/limits.ts';
import { createStage, ended, execInput, note, ref, runningStage, settings, settle, startedStage, startInput, thread, type FakeProcess, type FakeSink, type Stage } from './fixtures/fake-process.ts';

/** A promise that can be looked at: what it came to, or null. */
const watch = <T>(promise: Promise<T>) => {
  const seen: { value: T | null; error: unknown } = { value: null, error: null };
  promise.then((value) => (seen.value = value), (error: unknown) => (seen.error = error));
  return seen;
};
/** Each answer in a frame of its own: the next request comes behind it. */
const opening = (process: FakeProcess, ...answers: JsonObject[]) => [{ id: 1, result: {} }, ...answers].forEach((one) => process.say(one));
const ask = (id: number | string = 0, itemId = 'i'): JsonObject => ({ id, ...note('item/commandExecution/requestApproval', { itemId, command: 'make tea', cwd: '/p' }) });
const answer = (optionId: string) => ({ action: 'respond', optionId, payload: null });
const respond = ({ runtime }: Stage, optionId = 'approve', requestId = 'u1:i:0', turnId = 't1') => runtime.respond({ ref, turnId, requestId, answer: answer(optionId) });
const resolved = (requestId: number) => ({ method: 'serverRequest/resolved', params: { threadId: 'T', requestId } });

test('start opens a thread with its settings, in the order of the protocol', async () => {
  const { process, runtime, specs } = await startedStage();
  expect(process.sent).toEqual([
    { method: 'initialize', id: 1, params: { clientInfo: { name: 'desk', title: 'Desk', version: '0.1.0' }, capabilities: { experimentalApi: true } } },
    { method: 'initialized' },
    { method: 'thread/start', id: 2, params: { cwd: '/p', model: 'scripted', approvalPolicy: 'untrusted', sandbox: 'workspace-write' } },
  ]);
  expect([runtime.has(ref), runtime.isLive(ref), specs[0]?.cwd]).toEqual([true, true, '/p']);
});

test('start gives the identity of the thread, and a second one the same without owning it', async () => {
  const { runtime, process } = createStage();
  const both = Promise.all([runtime.start(startInput), runtime.start(startInput)]);
  process.open();
  const identity = { providerSessionId: 'T', model: 'scripted', resumeCheckpoint: null };
  expect(await both).toEqual([{ ...identity, isCreated: true }, { ...identity, isCreated: false }]);
  expect(await runtime.start(startInput)).toEqual({ ...identity, isCreated: false });
});

test('each unit is reported, then resumes its waiter, then is completed', async () => {
  const stage = createStage();
  void stage.runtime.start(startInput).then(() => stage.journal.push('started'));
  stage.process.parkedAt = '2.1';
  stage.process.open();
  await settle();
  expect(stage.journal).toEqual(['report 1.1', 'complete 1.1', 'report 2.1', 'started']);
  stage.process.release();
  await settle();
  expect(stage.journal.at(-1)).toBe('complete 2.1');
});

test.each<[string, (stage: Stage) => void, string]>([
  ['Codex refuses the thread', ({ process }) => opening(process, { id: 2, error: { code: -32600, message: 'no such policy' } }), 'invalid_request'],
  ['Codex ends', ({ process }) => process.exit(1), 'provider_exited'],
  ['the pipe breaks', ({ process }) => process.lose(), 'provider_exited'],
  ['the answer names no thread', ({ process }) => opening(process, { id: 2, result: {} }), 'provider_protocol'],
  ['nothing can be sent', ({ process }) => void (process.sendError = new Error('closed')), 'provider_start_failed'],
  ['it takes too long', ({ clock }) => clock.pass(1000), 'provider_start_timeout'],
])('start fails where %s, and leaves no process', async (_title, happen, code) => {
  const stage = createStage({ startMs: 1000 });
  const start = watch(stage.runtime.start(startInput));
  if (code !== 'provider_start_failed') await settle();
  happen(stage);
  await settle();
  stage.clock.pass(limits.readerEndMs);
  await settle();
  expect(start.error).toMatchObject({ name: 'RuntimeError', code });
  expect([stage.runtime.has(ref), stage.process.ends.at(-1)]).toEqual([false, 'close']);
});

test('start fails where there is no process', async () => {
  const { runtime } = createStage({ startError: new Error('not found') });
  await expect(runtime.start(startInput)).rejects.toMatchObject({ code: 'provider_start_failed', message: 'not found' });
});

test('nothing of a session is reported before it is published, and nothing is lost', async () => {
  const stage = createStage();
  const start = stage.runtime.start(startInput);
  stage.process.open();
  await start;
  stage.process.say({ method: 'warning', params: {} }, { method: 'thread/name/updated', params: { threadId: 'T', threadName: 'Tea' } }, { method: 'thread/name/updated', params: { threadId: 'T', threadName: 'Tea two' } });
  await settle();
  expect([stage.sink.told, stage.journal.at(-1)]).toEqual([[], 'complete 3.1']);
  stage.runtime.publishInitialization(ref);
  stage.runtime.publishInitialization(ref);
  await settle();
  expect(stage.sink.told).toEqual([{ session: { title: 'Tea' } }, { session: { title: 'Tea two' } }]);
  expect(stage.journal.at(-1)).toBe('complete 3.3');
});

test('closing releases what waits for publication', async () => {
  const stage = createStage();
  const start = stage.runtime.start(startInput);
  stage.process.open();
  await start;
  stage.process.say({ method: 'thread/name/updated', params: { threadId: 'T', threadName: 'Tea' } });
  await settle();
  await stage.runtime.close(ref, { preserveCanonical: false });
  expect([stage.process.ends, stage.runtime.has(ref), stage.journal.at(-1)]).toEqual([['input', 'close'], false, 'complete 4.1']);
});

test('exec sends the prompt, and resolves once the acceptance is committed', async () => {
  const stage = await startedStage();
  const exec = watch(stage.runtime.exec(execInput()));
  await stage.process.hasSent(4);
  expect(stage.process.sent[3]).toEqual({ method: 'turn/start', id: 3, params: { threadId: 'T', input: [{ type: 'text', text: 'go on', text_elements: [] }], clientUserMessageId: 'submit-t1' } });
  stage.sink.isHeld = true;
  stage.process.say({ id: 3, result: { turn: { id: 'u1' } } });
  await settle();
  expect([exec.value, stage.sink.told]).toEqual([null, []]);
  stage.process.parkedAt = '3.1';
  stage.sink.release();
  await settle();
  expect(exec.value).toEqual({ disposition: 'applied', providerTurnId: 'u1', error: null });
  expect(stage.sink.told).toEqual([{ turn: { turnId: 't1', accepted: { providerSessionId: 'T', providerTurnId: 'u1' } } }]);
  expect(stage.journal).not.toContain('complete 3.1');
});

test('output that overtakes its acceptance is reported with it, and its units are completed in between', async () => {
  const stage = await startedStage();
  const exec = stage.runtime.exec(execInput());
  stage.process.say(note('turn/started', { turn: { id: 'u1' } }), note('item/agentMessage/delta', { itemId: 'i', delta: 'a' }), { id: 3, result: { turn: { id: 'u1' } } });
  await exec;
  await settle();
  expect(stage.journal.slice(-6)).toEqual(['report 3.1', 'complete 3.1', 'report 3.2', 'complete 3.2', 'report 3.3 turn,rootProviderTurn,messages', 'complete 3.3']);
});

test.each<[string, (stage: Stage) => void, Partial<ExecResult>]>([
  ['Codex says no', ({ process }) => process.say({ id: 3, error: { code: -32602, message: 'no' } }), { disposition: 'rejected', error: { code: 'invalid_params', message: 'no' } }],
  ['Codex says no by name', ({ process }) => process.say({ id: 3, error: { code: -32603, message: 'no', data: { codexErrorInfo: 'usageLimitExceeded' } } }), { disposition: 'rejected', error: { code: 'usage_limit_exceeded', message: 'no' } }],
  ['Codex ends', ({ process }) => process.exit(1), { disposition: 'outcome_unknown' }],
  ['the pipe breaks', ({ process }) => process.lose(), { disposition: 'outcome_unknown' }],
  ['the answer has no id', ({ process }) => process.say({ id: 3, result: {} }), { disposition: 'outcome_unknown' }],
  ['the store refuses the acceptance', ({ process, sink }) => {
    sink.refuses = ({ turn }) => turn?.accepted !== undefined;
    process.say({ id: 3, result: { turn: { id: 'u1' } } });
  }, { disposition: 'outcome_unknown' }],
])('exec ends where %s', async (_title, happen, result) => {
  const stage = await startedStage();
  const exec = stage.runtime.exec(execInput());
  await stage.process.hasSent(4);
  happen(stage);
  expect(await exec).toMatchObject({ providerTurnId: null, ...result });
});

test.each<[string, (process: FakeProcess) => void, string]>([
  ['Codex ends', (process) => process.exit(1), 'Codex ended with exit code 1'],
  ['the pipe breaks', (process) => process.lose(), 'the connection to Codex was lost'],
])('a turn that nobody answered fails where %s, without a name of Codex', async (_title, happen, message) => {
  const stage = await startedStage();
  const exec = stage.runtime.exec(execInput());
  await stage.process.hasSent(4);
  happen(stage.process);
  expect(await exec).toMatchObject({ disposition: 'outcome_unknown' });
  expect(stage.sink.told).toEqual([{ turn: { turnId: 't1', phase: 'settled', outcome: 'failed', error: { code: 'provider_exited', message } } }]);
});

test('a turn with settings that Codex does not have was not dispatched', async () => {
  const stage = await startedStage();
  const exec = stage.runtime.exec({ ...execInput(), settings: { ...settings, permissionModeId: 'wild' } });
  expect(await exec).toMatchObject({ disposition: 'not_dispatched', providerTurnId: null, error: { code: 'settings_invalid' } });
  expect(stage.process.sent.length).toBe(3);
});

test('a turn that could not be sent was not dispatched, and holds nothing', async () => {
  const stage = await startedStage();
  stage.process.sendError = Object.assign(new Error('refused'), { code: 'playback_refused' });
  expect(await stage.runtime.exec(execInput())).toEqual({ disposition: 'not_dispatched', providerTurnId: null, error: { code: 'playback_refused', message: 'refused' } });
  stage.process.sendError = null;
  const again = stage.runtime.exec(execInput('t2'));
  stage.process.say({ id: 4, result: { turn: { id: 'u2' } } });
  expect(await again).toMatchObject({ disposition: 'applied', providerTurnId: 'u2' });
});

test('exec needs a process', async () => {
  const stage = await startedStage();
  expect(await stage.runtime.exec({ ...execInput(), ref: { ...ref, agentSessionId: 'other' } })).toMatchObject({ disposition: 'not_dispatched' });
  stage.process.exit(0);
  await settle();
  expect([await stage.runtime.exec(execInput()), stage.runtime.has(ref), stage.runtime.isLive(ref)]).toMatchObject([{ disposition: 'not_dispatched' }, true, false]);
});

test('a turn with other settings says so once', async () => {
  const stage = await runningStage();
  stage.process.say(ended('completed'));
  const other = { ...settings, model: 'other', permissionModeId: 'read-only' };
  expect(await stage.runtime.updateSettings(ref, other)).toEqual(other);
  for (const [index, turnId] of ['t2', 't3'].entries()) {
    const exec = stage.runtime.exec({ ...execInput(turnId), settings: other, clientSubmitId: null });
    stage.process.say({ id: 4 + index, result: { turn: { id: `of-${turnId}` } } });
    await exec;
  }
  const input = [{ type: 'text', text: 'go on', text_elements: [] }];
  expect(stage.process.sent.slice(-2).map((message) => message['params'])).toEqual([
    { threadId: 'T', input, model: 'other', approvalPolicy: 'untrusted', sandboxPolicy: { type: 'readOnly', networkAccess: false } },
    { threadId: 'T', input },
  ]);
  await expect(stage.runtime.updateSettings(ref, { permissionModeId: 'wild' })).rejects.toMatchObject({ code: 'settings_invalid' });
});

test('validate refuses a prompt without text', async () => {
  const { runtime } = await startedStage();
  for (const content of [[{ type: 'text', text: ' ' }], [{ type: 'connector', key: 'kettle' }]] as const) expect(() => runtime.validate(ref, content)).toThrow(expect.objectContaining({ code: 'content_empty' }));
  expect(() => runtime.validate(ref, [{ type: 'text', text: ' ' }, { type: 'text', text: 'a' }])).not.toThrow();
});

test('cancel resolves once the end of the exact turn is committed, before its unit is completed', async () => {
  const stage = await runningStage();
  const cancel = watch(stage.runtime.cancel({ ref, turnId: 't1' }));
  await stage.process.hasSent(5);
  expect(stage.process.sent[4]).toEqual({ method: 'turn/interrupt', id: 4, params: { threadId: 'T', turnId: 'u1' } });
  stage.process.say(note('item/agentMessage/delta', { itemId: 'i', delta: 'still here' }), { id: 4, result: {} });
  await settle();
  expect([cancel.value, stage.sink.told.at(-1)]).toMatchObject([null, { messages: [{ payload: { text: 'still here' } }] }]);
  stage.sink.isHeld = true;
  stage.process.parkedAt = '6.1';
  stage.process.say(ended('interrupted'));
  await settle();
  expect(cancel.value).toBe(null);
  // Told, and not committed: a second stop has to wait too.
  const second = watch(stage.runtime.cancel({ ref, turnId: 't1' }));
  await settle();
  expect(second.value).toBe(null);
  stage.sink.release();
  await settle();
  expect([cancel.value, second.value]).toEqual([{ state: 'settled' }, { state: 'settled' }]);
  expect(stage.journal).not.toContain('complete 6.1');
  expect(stage.sink.told.at(-1)).toMatchObject({ rootProviderTurn: { phase: 'completed', outcome: 'canceled' }, messages: [{ messageId: 'i', status: 'canceled' }] });
  stage.process.release();
  await settle();
  expect([await stage.runtime.cancel({ ref, turnId: 't1' }), stage.process.sent.length]).toEqual([{ state: 'settled' }, 5]);
});

test.each<[string, (stage: Stage) => void, CancelResult['state']]>([
  ['the turn ended by itself first', ({ process }) => process.say(ended('completed'), { id: 4, error: { code: -32600, message: 'no active turn to interrupt' } }), 'settled'],
  ['Codex knows no such turn, and tells its end', ({ process }) => process.say({ id: 4, error: { code: -32600, message: 'no active turn to interrupt' } }, ended('completed')), 'settled'],
  ['Codex knows no such turn', ({ process }) => process.say({ id: 4, error: { code: -32600, message: 'no active turn to interrupt' } }), 'target_absent'],
  ['Codex cannot', ({ process }) => process.say({ id: 4, error: { code: -32603, message: 'busy' } }), 'unconfirmed'],
  ['Codex ends', ({ process }) => process.exit(1), 'unconfirmed'],
  ['the pipe breaks after the answer', ({ process }) => {
    process.say({ id: 4, result: {} });
    process.lose();
  }, 'unconfirmed'],
  ['the store refuses the end', ({ process, sink }) => {
    sink.refuses = ({ rootProviderTurn }) => rootProviderTurn?.phase === 'completed';
    process.say({ id: 4, result: {} }, ended('interrupted'));
  }, 'unconfirmed'],
])('cancel ends where %s', async (_title, happen, state) => {
  const stage = await runningStage();
  const cancel = watch(stage.runtime.cancel({ ref, turnId: 't1' }));
  await stage.process.hasSent(5);
  happen(stage);
  await settle();
  if (state === 'target_absent') {
    expect(cancel.value).toBe(null);
    stage.clock.pass(limits.stopMs);
    await settle();
  }
  expect(cancel.value).toEqual({ state });
});

const refuseOnce = ({ sink }: Stage, isWanted: FakeSink['refuses']) => {
  sink.refuses = (report) => isWanted(report) && ((sink.refuses = () => false), true);
};
const isEnd: FakeSink['refuses'] = ({ rootProviderTurn }) => rootProviderTurn?.phase === 'completed';

test('an end that the store refused is told again with the next unit, by no unit', async () => {
  const stage = await runningStage();
  refuseOnce(stage, isEnd);
  stage.process.say(ended('completed'), { method: 'warning', params: {} });
  await settle();
  expect(stage.journal.slice(-5)).toEqual(['report 5.1 rootProviderTurn', 'complete 5.1', 'report - rootProviderTurn', 'report 5.2', 'complete 5.2']);
  expect(stage.sink.told.at(-1)).toMatchObject({ rootProviderTurn: { turnId: 't1', phase: 'completed', outcome: 'completed' } });
  expect([await stage.runtime.cancel({ ref, turnId: 't1' }), stage.process.sent.length]).toEqual([{ state: 'settled' }, 4]);
});

test('an end that the store refused is told again with the cancel of its turn, as often as it takes', async () => {
  const stage = await runningStage();
  stage.sink.refuses = isEnd;
  stage.process.say(ended('completed'));
  await settle();
  expect(await stage.runtime.cancel({ ref, turnId: 't1' })).toEqual({ state: 'unconfirmed' });
  stage.sink.refuses = () => false;
  expect(await stage.runtime.cancel({ ref, turnId: 't1' })).toEqual({ state: 'settled' });
  expect(stage.sink.told.at(-1)).toMatchObject({ rootProviderTurn: { outcome: 'completed' } });
  expect(stage.logs).toEqual(['codex s: a report was refused: the store said no']);
});

test('an acceptance that the store refused is told again before what follows it', async () => {
  const stage = await startedStage();
  refuseOnce(stage, ({ turn }) => turn?.accepted !== undefined);
  const exec = stage.runtime.exec(execInput());
  stage.process.say({ id: 3, result: { turn: { id: 'u1' } } }, note('turn/started', { turn: { id: 'u1' } }));
  expect(await exec).toMatchObject({ disposition: 'outcome_unknown' });
  await settle();
  expect(stage.sink.told).toMatchObject([{ turn: { turnId: 't1', accepted: { providerTurnId: 'u1' } } }, { rootProviderTurn: { phase: 'running' } }]);
});

test('an end that the store refused when Codex ended is told again when the session is resumed', async () => {
  const stage = await runningStage();
  refuseOnce(stage, isEnd);
  stage.process.exit(1);
  await settle();
  const resume = stage.runtime.resume({ ...startInput, providerSessionId: 'T', resumeCheckpoint: null, recreateIfMissing: false });
  stage.processes[1]?.open();
  await resume;
  expect(stage.sink.told.at(-1)).toMatchObject({ rootProviderTurn: { turnId: 't1', outcome: 'failed', error: { code: 'provider_exited' } } });
});

test.each<[string, (stage: Stage) => Promise<unknown>, number]>([
  ['is not taken', (stage) => stage.process.hasSent(4), 4],
  ['does not end', async (stage) => {
    stage.process.say({ id: 3, result: { turn: { id: 'u1' } } }, note('turn/started', { turn: { id: 'u1' } }));
    await stage.process.hasSent(5);
    stage.process.say({ id: 4, result: {} });
  }, 5],
])('cancel of a turn that %s is unconfirmed after a limit, where there is one', async (_title, happen, sentCount) => {
  for (const cancelMs of [1000, null]) {
    const stage = await startedStage(cancelMs === null ? {} : { cancelMs });
    void stage.runtime.exec(execInput());
    const cancel = watch(stage.runtime.cancel({ ref, turnId: 't1' }));
    await happen(stage);
    await settle();
    expect(cancel.value).toBe(null);
    stage.clock.pass(1000);
    await settle();
    expect([cancel.value, stage.process.sent.length]).toEqual([cancelMs === null ? null : { state: 'unconfirmed' }, sentCount]);
  }
});

test('cancel of what cannot be stopped sends nothing', async () => {
  const stage = await startedStage();
  expect(await stage.runtime.cancel({ ref, turnId: 't9' })).toEqual({ state: 'target_absent' });
  expect(await stage.runtime.cancel({ ref: { ...ref, agentSessionId: 'other' }, turnId: 't9' })).toEqual({ state: 'unconfirmed' });
  expect(stage.process.sent.length).toBe(3);
});

test('cancel of a turn on its way waits until it runs', async () => {
  const stage = await startedStage();
  void stage.runtime.exec(execInput());
  const cancel = watch(stage.runtime.cancel({ ref, turnId: 't1' }));
  await settle();
  expect(stage.process.sent.length).toBe(4);
  stage.process.say({ id: 3, result: { turn: { id: 'u1' } } });
  await settle();
  expect(stage.process.sent.length).toBe(4);
  stage.process.say(note('turn/started', { turn: { id: 'u1' } }));
  await stage.process.hasSent(5);
  stage.process.say({ id: 4, result: {} }, ended('interrupted'));
  await settle();
  expect(cancel.value).toEqual({ state: 'settled' });
});

test.each<[string, (stage: Stage) => void, CancelResult['state']]>([
  ['ends without having run', ({ process }) => process.say(ended('failed')), 'settled'],
  ['dies with Codex', ({ process }) => process.exit(1), 'unconfirmed'],
])('cancel of a turn that %s sends nothing', async (_title, happen, state) => {
  const stage = await startedStage();
  void stage.runtime.exec(execInput());
  const cancel = stage.runtime.cancel({ ref, turnId: 't1' });
  stage.process.say({ id: 3, result: { turn: { id: 'u1' } } });
  happen(stage);
  expect([await cancel, stage.process.sent.length]).toEqual([{ state }, 4]);
});

test('cancel while the end of Codex is held is not confirmed: its turn is not absent', async () => {
  const stage = await runningStage();
  stage.process.parkedAt = '5.1';
  stage.process.exit(1);
  await settle();
  expect([await stage.runtime.cancel({ ref, turnId: 't1' }), stage.runtime.isLive(ref)]).toEqual([{ state: 'unconfirmed' }, false]);
});

test('cancel of a turn that is rejected finds nothing', async () => {
  const stage = await startedStage();
  void stage.runtime.exec(execInput());
  const cancel = stage.runtime.cancel({ ref, turnId: 't1' });
  stage.process.say({ id: 3, error: { code: -32600, message: 'no' } });
  expect(await cancel).toEqual({ state: 'target_absent' });
});

test('cancel that cannot be sent is not confirmed', async () => {
  const stage = await runningStage();
  stage.process.sendError = new Error('closed');
  expect(await stage.runtime.cancel({ ref, turnId: 't1' })).toEqual({ state: 'unconfirmed' });
});

test.each([['approve', 'accept'], ['approve_for_session', 'acceptForSession'], ['deny', 'decline'], ['abort', 'cancel']])('respond sends %s as %s, under the id of the question', async (optionId, decision) => {
  const stage = await runningStage();
  stage.process.say(ask('q7'));
  await settle();
  const question = { ref, turnId: 't1', requestId: 'u1:i:q7' };
  expect(stage.runtime.dispositionOf(question)).toBe('pending');
  expect(await respond(stage, optionId, 'u1:i:q7')).toBe('answered');
  expect(stage.process.sent.at(-1)).toEqual({ id: 'q7', result: { decision } });
  expect([await respond(stage, 'approve', 'u1:i:q7'), stage.process.sent.length]).toEqual(['answered', 5]);
  stage.process.say({ method: 'serverRequest/resolved', params: { threadId: 'T', requestId: 'q7' } }, ended('interrupted'));
  await settle();
  expect(stage.runtime.dispositionOf(question)).toBe('answered');
  // An abort is a stop of ours.
  expect(stage.sink.told.at(-1)).toMatchObject({ rootProviderTurn: { outcome: optionId === 'abort' ? 'canceled' : 'interrupted' } });
});

test('respond answers each of two turns that were asked under one id', async () => {
  const stage = await runningStage();
  stage.process.say(ask());
  await settle();
  await respond(stage);
  stage.process.say(resolved(0), ended('completed'));
  const exec = stage.runtime.exec(execInput('t2'));
  stage.process.say({ id: 4, result: { turn: { id: 'u2' } } });
  await exec;
  stage.process.say({ ...ask(), params: { ...(ask()['params'] as JsonObject), turnId: 'u2' } });
  await settle();
  expect([stage.runtime.dispositionOf({ ref, turnId: 't1', requestId: 'u1:i:0' }), stage.runtime.dispositionOf({ ref, turnId: 't2', requestId: 'u2:i:0' })]).toEqual(['answered', 'pending']);
  expect(await respond(stage, 'deny', 'u2:i:0', 't2')).toBe('answered');
  expect(stage.process.sent.at(-1)).toEqual({ id: 0, result: { decision: 'decline' } });
});

test.each<[string, (stage: Stage) => void, string]>([
  ['was withdrawn', ({ process }) => process.say(resolved(0)), 'superseded'],
  ['ended with its turn', ({ process }) => process.say(ended('interrupted')), 'superseded'],
  ['ended with Codex', ({ process }) => process.exit(1), 'interrupted'],
])('respond to a question that %s sends nothing', async (_title, happen, disposition) => {
  const stage = await runningStage();
  stage.process.say(ask());
  happen(stage);
  await settle();
  expect([await respond(stage), stage.process.sent.length]).toEqual([disposition, 4]);
});

test('respond needs a question and an option', async () => {
  const stage = await runningStage();
  stage.process.say(ask());
  await settle();
  expect([await respond(stage, 'approve', 'u1:i:9'), await respond(stage, 'approve', 'u1:i:0', 't9')]).toEqual(['unknown', 'unknown']);
  await expect(respond(stage, 'maybe')).rejects.toMatchObject({ code: 'invalid_argument' });
  expect(await respond(stage, 'deny')).toBe('answered');
});

test('an answer that cannot be sent fails', async () => {
  const stage = await runningStage();
  stage.process.say(ask());
  await settle();
  stage.process.sendError = new Error('closed');
  await expect(respond(stage)).rejects.toMatchObject({ code: 'provider_unreachable' });
  expect(await respond(stage)).toBe('interrupted');
});

test('what Codex asks its client to do is refused, and the reader goes on without waiting for that', async () => {
  const stage = await runningStage();
  stage.process.sendError = new Error('closed');
  stage.process.say({ id: 1, method: 'fs/write_text_file', params: {} }, note('item/agentMessage/delta', { itemId: 'i', delta: 'a' }));
  await settle();
  expect(stage.sink.told.at(-1)).toMatchObject({ messages: [{ messageId: 'i' }] });
  stage.process.sendError = null;
  stage.process.say({ id: 2, method: 'tea/pour', params: {} });
  await stage.process.hasSent(5);
  expect(stage.process.sent[4]).toMatchObject({ id: 2, error: { code: -32601 } });
});

test('an exit in mid-turn is reported and completed before those who wait hear of it', async () => {
  const stage = await runningStage();
  const cancel = stage.runtime.cancel({ ref, turnId: 't1' }).then(() => stage.journal.push('canceled'));
  await stage.process.hasSent(5);
  stage.process.exit(9, 'signal:SIGKILL');
  await cancel;
  expect(stage.journal.slice(-3)).toEqual(['report 5.1 rootProviderTurn', 'complete 5.1', 'canceled']);
  expect(stage.sink.reports.at(-1)).toMatchObject({ unit: { kind: 'process-exit', recordingId: 'rec' }, rootProviderTurn: { outcome: 'failed', error: { code: 'provider_exited' } } });
});

test('a pipe that breaks in mid-turn fails the turn by no unit', async () => {
  const stage = await runningStage();
  stage.process.lose();
  await settle();
  expect(stage.sink.reports.at(-1)).toMatchObject({ unit: null, rootProviderTurn: { outcome: 'failed', error: { code: 'provider_exited' } } });
});

test('a report that is refused is logged, and units go on', async () => {
  const stage = await runningStage();
  stage.sink.refuses = ({ messages }) => messages?.[0]?.messageId === 'bad';
  stage.process.say(note('item/agentMessage/delta', { itemId: 'bad', delta: 'a' }), note('item/agentMessage/delta', { itemId: 'good', delta: 'a' }));
  await settle();
  expect(stage.journal.slice(-4)).toEqual(['report 5.1 messages', 'complete 5.1', 'report 5.2 messages', 'complete 5.2']);
  expect(stage.logs).toEqual(['codex s: a report was refused: the store said no']);
});

test('what is no protocol breaks nothing', async () => {
  const stage = await runningStage();
  stage.process.raw('Warning: {"odd\n\n5\n[1]\n');
  stage.process.raw('stderr\n', 'stderr');
  stage.process.raw(Buffer.from([0xff, 0xfe, 10]));
  stage.process.say(note('item/agentMessage/delta', { itemId: 'i', delta: 'a' }));
  await settle();
  expect(stage.journal.slice(-4)).toEqual(['report 5.1', 'complete 5.1', 'report 8.1 messages', 'complete 8.1']);
});

test('resume opens the thread that is there, and is published already', async () => {
  const stage = createStage();
  const resume = stage.runtime.resume({ ...startInput, providerSessionId: 'T', resumeCheckpoint: null, recreateIfMissing: false });
  stage.process.say({ id: 1, result: {} });
  stage.process.say({ id: 2, result: { thread } }, { method: 'thread/name/updated', params: { threadId: 'T', threadName: 'Tea' } });
  expect(await resume).toEqual({ isCreated: true, providerSessionId: 'T', model: 'scripted', resumeCheckpoint: null });
  await settle();
  expect(stage.process.sent[2]).toEqual({ method: 'thread/resume', id: 2, params: { threadId: 'T', excludeTurns: true, cwd: '/p', model: 'scripted', approvalPolicy: 'untrusted', sandbox: 'workspace-write' } });
  expect(stage.sink.told).toEqual([{ session: { title: 'Tea' } }]);
});

test.each([[true, null], [false, 'invalid_request']])('resume of a thread that is gone, which may be made anew: %s', async (recreateIfMissing, code) => {
  const stage = createStage();
  const resume = watch(stage.runtime.resume({ ...startInput, providerSessionId: 'old', resumeCheckpoint: null, recreateIfMissing }));
  opening(stage.process, { id: 2, error: { code: -32600, message: 'no rollout found for thread id old' } }, ...(recreateIfMissing ? [{ id: 3, result: { thread } }] : []));
  await settle();
  if (code === null) expect(resume.value).toMatchObject({ isCreated: true, providerSessionId: 'T' });
  else expect(resume.error).toMatchObject({ code });
});

test('a session whose process ended can be resumed on a new one', async () => {
  const stage = await startedStage();
  stage.process.exit(0);
  await settle();
  const resume = stage.runtime.resume({ ...startInput, providerSessionId: 'T', resumeCheckpoint: null, recreateIfMissing: false });
  stage.processes[1]?.open();
  expect(await resume).toMatchObject({ isCreated: true });
  expect([stage.runtime.isLive(ref), stage.process.ends]).toEqual([true, ['close']]);
});

test.each([[true, []], [false, [{ rootProviderTurn: { outcome: 'failed', error: { code: 'provider_exited' } } }]]])('close in mid-turn, canonical state kept: %s', async (preserveCanonical, told) => {
  const stage = await runningStage();
  const before = stage.sink.told.length;
  await stage.runtime.close(ref, { preserveCanonical });
  expect(stage.sink.told.slice(before)).toMatchObject(told);
  expect(stage.journal.slice(-1)).toEqual(['complete 5.1']);
});

test('closeAll leaves a process that does not listen to its transport, and has time for that within the end of a daemon', async () => {
  const stage = await startedStage();
  stage.process.isStubborn = true;
  const closed = watch(stage.runtime.closeAll().then(() => 'closed'));
  await settle();
  expect(stage.process.ends).toEqual(['input']);
  stage.clock.pass(limits.readerEndMs);
  await settle();
  expect([stage.process.ends, closed]).toEqual([['input', 'close'], { value: 'closed', error: null }]);
  // Its input, the ladder of the transport, the rest of what it said, a frame that is not due.
  expect(limits.readerEndMs + limits.providerKillMs + 2 * limits.readerEndMs).toBeLessThan(limits.daemonStopMs);
});

test('close frees a reader that is parked', async () => {
  const stage = await startedStage();
  stage.process.parkedAt = '3.1';
  stage.process.say({ method: 'warning', params: {} });
  await settle();
  const closed = stage.runtime.close(ref, { preserveCanonical: false });
  await settle();
  stage.clock.pass(limits.readerEndMs);
  await closed;
  expect(stage.process.ends).toEqual(['input', 'close']);
});
