import { expect, test } from 'vitest';
import type { ActivityReport, MessageReport } from '../../../src/core/agent/report.ts';
import { Refusal } from '../../../src/daemon/store/refusal.ts';
import { askApproval, createDesk, finishTurn, prompted, ref } from './desk.ts';

const running = async () => {
  const desk = createDesk();
  const turnId = (await desk.host.create(prompted())).turnId!;
  const report = (change: Partial<ActivityReport>) => desk.sink.report({ ref, unit: null, ...change });
  const answer = (change: Partial<MessageReport>): MessageReport => ({ messageId: 'm', turnId, role: 'assistant', kind: 'text', status: 'running', ...change });
  return { ...desk, turnId, report, answer };
};
const refusalOf = async (promise: Promise<unknown>) => {
  const error = await promise.then(() => null, (thrown: unknown) => thrown);
  return error instanceof Refusal ? error.code : String(error);
};

test('a streamed message grows, and a delta names only what was appended', async () => {
  const { host, deltas, report, answer } = await running();
  await report({ messages: [answer({ payload: { text: 'He' } })] });
  await report({ messages: [answer({ contentDelta: 'llo' })] });
  await report({ messages: [answer({ contentDelta: '!' })] });
  await report({ messages: [answer({ status: 'completed', payload: { text: 'Hello!' } })] });
  expect(deltas.slice(-4).map(({ messages }) => [messages[0]?.appended, messages[0]?.after.payload['text'], messages[0]?.after.version])).toEqual([[undefined, 'He', 2], ['llo', 'Hello', 3], ['!', 'Hello!', 4], [undefined, 'Hello!', 5]]);
  expect([host.graph(ref)?.messages.at(-1)?.status, host.session(ref)?.messageVersion]).toEqual(['completed', 5]);
});

test('a message that says nothing new takes no version, and its unit is told all the same', async () => {
  const { host, report, answer } = await running();
  await report({ messages: [answer({ status: 'completed', payload: { text: 'a' } })] });
  const version = host.session(ref)?.messageVersion;
  const unit = { position: { connectionId: 'c', chunkSeq: 4, unitIndex: 0 }, kind: 'protocol-message' } as const;
  const delta = await report({ unit, messages: [answer({ status: 'completed', payload: { text: 'a' } })] });
  expect([host.session(ref)?.messageVersion, delta.messages, delta.sessions, delta.unit]).toEqual([version, [], [], unit]);
});

test('a turn settles with the last answer, and with it the session is idle and nothing can be answered', async () => {
  const desk = await running();
  await askApproval(desk, desk.turnId);
  await finishTurn(desk, desk.turnId);
  expect(desk.host.graph(ref)).toMatchObject({
    session: { activeTurnId: null },
    turns: [{ phase: 'settled', outcome: 'completed', completedCommand: { kind: 'prompt', status: 'completed', finalAssistantMessageId: `answer:${desk.turnId}`, finalAssistantMessageResolved: true } }],
    interactions: [{ status: 'superseded' }],
  });
});

test('the error of a failed provider turn is the error of the turn', async () => {
  const { host, report, turnId } = await running();
  await report({ rootProviderTurn: { turnId, providerTurnId: `provider:${turnId}`, phase: 'completed', outcome: 'failed', error: { code: 'quota', message: 'No more' } } });
  expect(host.graph(ref)?.turns).toMatchObject([{ outcome: 'failed', error: { code: 'quota', message: 'No more' } }]);
});

test('file changes of a turn are kept, and replaced as a whole', async () => {
  const { host, report, turnId } = await running();
  for (const path of ['a', 'b']) await report({ turn: { turnId, fileChanges: { files: [{ path, change: 'added', unifiedDiff: '' }] } } });
  expect(host.graph(ref)?.turns[0]?.fileChanges).toEqual({ files: [{ path: 'b', change: 'added', unifiedDiff: '' }] });
});

test('a request that comes after its turn settled is not pending', async () => {
  const desk = await running();
  await finishTurn(desk, desk.turnId);
  await desk.report({ interactions: [{ turnId: desk.turnId, requestId: 'late', kind: 'approval', status: 'pending' }] });
  expect(desk.host.graph(ref)?.interactions).toEqual([]);
});

test('nothing of a turn is stored before the provider named it, except that it failed', async () => {
  const codes: string[] = [];
  const { host } = createDesk({
    exec: async ({ turnId }, { report }) => {
      const tries: Partial<ActivityReport>[] = [
        { messages: [{ messageId: 'm', turnId, role: 'assistant', kind: 'text', status: 'running' }] },
        { interactions: [{ turnId, requestId: 'r', kind: 'approval', status: 'pending' }] },
        { rootProviderTurn: { turnId, providerTurnId: 'p', phase: 'running' } },
        { turn: { turnId, phase: 'running' } },
        { turn: { turnId, phase: 'settled', outcome: 'completed' } },
      ];
      for (const one of tries) codes.push(await refusalOf(report({ ref, ...one })));
      await report({ ref, turn: { turnId, phase: 'settled', outcome: 'failed', error: { code: 'early', message: 'Early' } } });
      return { disposition: 'rejected', providerTurnId: null, error: { code: 'late', message: 'Late' } };
    },
  });
  await host.create(prompted()).catch(() => {});
  expect(codes).toEqual(Array(5).fill('turn_not_accepted'));
  expect(host.graph(ref)).toMatchObject({ turns: [{ outcome: 'failed', error: { code: 'early' } }], messages: [{ role: 'user' }], interactions: [] });
});

test('acceptance, prompt and first output may come in one report; the prompt is first', async () => {
  const { host } = createDesk({
    exec: async ({ turnId }, { report }) => {
      await report({ ref, turn: { turnId, accepted: { providerSessionId: 'thread:session-a', providerTurnId: 'p' }, phase: 'running' }, messages: [{ messageId: 'm', turnId, role: 'assistant', kind: 'text', status: 'running' }] });
      return { disposition: 'applied', providerTurnId: 'p', error: null };
    },
  });
  await host.create(prompted());
  expect(host.graph(ref)?.messages.map(({ role, version }) => [role, version])).toEqual([['user', 1], ['assistant', 2]]);
});

test.each<[string, (turnId: string) => Partial<ActivityReport>, string]>([
  ['an unknown session', () => ({ ref: { ...ref, agentSessionId: 'x' }, session: { model: 'm' } }), 'session_unknown'],
  ['an unknown turn', () => ({ turn: { turnId: 'x', phase: 'running' } }), 'turn_unknown'],
  ['a message of an unknown turn', () => ({ messages: [{ messageId: 'm', turnId: 'x', role: 'assistant', kind: 'text', status: 'running' }] }), 'turn_unknown'],
  ['a text without a turn', () => ({ messages: [{ messageId: 'm', turnId: null, role: 'assistant', kind: 'text', status: 'running' }] }), 'message_conflict'],
  ['a request of an unknown turn', () => ({ interactions: [{ turnId: 'x', requestId: 'r', kind: 'approval', status: 'pending' }] }), 'turn_unknown'],
  ['a step back', (turnId) => ({ turn: { turnId, phase: 'submitted' as never } }), 'turn_transition_illegal'],
  ['an end without an outcome', (turnId) => ({ turn: { turnId, phase: 'settled' } }), 'turn_transition_illegal'],
  ['an outcome without an end', (turnId) => ({ turn: { turnId, phase: 'waiting', outcome: 'completed' } }), 'turn_transition_illegal'],
  ['another provider turn', (turnId) => ({ turn: { turnId, accepted: { providerSessionId: 'thread:session-a', providerTurnId: 'other' } } }), 'provider_binding_conflict'],
  ['another provider session', (turnId) => ({ turn: { turnId, accepted: { providerSessionId: 'other', providerTurnId: `provider:${turnId}` } } }), 'provider_binding_conflict'],
  ['the end of another provider turn', (turnId) => ({ rootProviderTurn: { turnId, providerTurnId: 'other', phase: 'completed' } }), 'provider_binding_conflict'],
  ['a prompt in another role', (turnId) => ({ messages: [{ messageId: 'client-submit:user:submit-1', turnId, role: 'assistant', kind: 'text', status: 'completed' }] }), 'message_conflict'],
])('a report of %s is refused as a whole', async (_title, change, code) => {
  const { host, report, turnId, answer } = await running();
  const before = host.graph(ref);
  const { messages = [], ...rest } = change(turnId);
  expect(await refusalOf(report({ ...rest, messages: [answer({ messageId: 'first', payload: { text: 'lost' } }), ...messages] }))).toBe(code);
  expect(host.graph(ref)).toEqual(before);
});

test('a report that was refused is told to nobody', async () => {
  const { report, deltas } = await running();
  const before = deltas.length;
  await refusalOf(report({ turn: { turnId: 'x', phase: 'running' } }));
  expect(deltas.length).toBe(before);
});
