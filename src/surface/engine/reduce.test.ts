import { expect, test } from 'vitest';
import { activated, activation, changed, failed, graph, interactionRow, messageRow, opened, openState, sent, sessionRow, settled, snapshot, submit, turnRow, userRow } from './fixtures.ts';
import type { EngineCommand } from './command.ts';
import type { Intent } from './intent.ts';
import { reduce } from './reduce.ts';
import { selectComposer, selectFailures, selectInteractions, selectQueue, selectSessions, selectStatus, selectTranscript } from './selectors.ts';
import type { EngineState } from './state.ts';
import { surplusTurn } from '../bridge/turn-identity.ts';

type Played = { state: EngineState; commands: EngineCommand[]; queued: (boolean | undefined)[] };

function play(...intents: Intent[]): Played {
  return intents.reduce<Played>(
    (played, intent) => {
      const { state, commands, intent: observed } = reduce(played.state, intent);
      const queued = observed.type === 'submit/requested' ? [observed.submitDiagnostics?.queued] : [];
      return { state, commands: [...played.commands, ...commands], queued: [...played.queued, ...queued] };
    },
    { state: openState(), commands: [], queued: [] },
  );
}

const started = [activation(), opened('t1', 1, 'p1'), activated()];
const idle = [...started, settled('t1', 1)];
const stop = (turnId: string): Intent => ({ type: 'session/stopRequested', agentSessionId: 's', commandId: 'stop-1', turnId, awaitingTurnExpiresAtUnixMs: 9 });
const decline: Intent = { type: 'interaction/responseRequested', agentSessionId: 's', commandId: 'answer-1', turnId: 't1', requestId: 'r1', action: 'deny', optionId: 'deny' };

const checkCommands = (intents: Intent[], ids: string[]) => expect(play(...intents).commands.map(({ commandId }) => commandId)).toEqual(ids);

test.each<[string, Intent[], string[]]>([
  ['starts a session', [activation()], ['activate:start-p1']],
  ['sends at once where nothing is in the way', [...idle, submit('p2')], ['activate:start-p1', 'send:p2']],
  ['queues behind a running turn', [...started, submit('p2')], ['activate:start-p1']],
  ['sends the queued prompt when the turn settles', [...started, submit('p2'), settled('t1', 1)], ['activate:start-p1', 'send:p2']],
  ['waits for the result of the start, settled or not', [activation(), opened('t1', 1, 'p1'), submit('p2'), settled('t1', 1)], ['activate:start-p1']],
  ['sends when that result comes last', [activation(), opened('t1', 1, 'p1'), submit('p2'), settled('t1', 1), activated()], ['activate:start-p1', 'send:p2']],
  ['waits until the turn of the last prompt is known', [...idle, submit('p2'), submit('p3'), sent('p2', 't2')], ['activate:start-p1', 'send:p2']],
  ['keeps three prompts in order that were sent before the session was there', [activation(), submit('p2'), submit('p3'), opened('t1', 1, 'p1'), activated(), settled('t1', 1), sent('p2', 't2'), opened('t2', 2, 'p2'), settled('t2', 2)], ['activate:start-p1', 'send:p2', 'send:p3']],
  ['sends nothing behind a prompt that failed', [...idle, submit('p2'), submit('p3'), failed('queue/sendPrompt', 'send:p2'), settled('t1', 1)], ['activate:start-p1', 'send:p2']],
  ['goes on when the failed prompt is removed', [...idle, submit('p2'), submit('p3'), failed('queue/sendPrompt', 'send:p2'), { type: 'queue/removed', agentSessionId: 's', promptId: 'prompt:p2' }], ['activate:start-p1', 'send:p2', 'send:p3']],
  ['sends a second try in the place of the first', [...idle, submit('p2'), submit('p3'), failed('queue/sendPrompt', 'send:p2'), submit('p4', { replaces: 'prompt:p2' })], ['activate:start-p1', 'send:p2', 'send:p4']],
  ['goes on when the daemon has the failed prompt after all', [...idle, submit('p2'), submit('p3'), failed('queue/sendPrompt', 'send:p2'), opened('t2', 2, 'p2'), settled('t2', 2)], ['activate:start-p1', 'send:p2', 'send:p3']],
  ['does not send a prompt that was removed', [...started, submit('p2'), { type: 'queue/removed', agentSessionId: 's', promptId: 'prompt:p2' }, settled('t1', 1)], ['activate:start-p1']],
  ['does not send a prompt that was taken back', [...started, submit('p2'), { type: 'submit/canceled', agentSessionId: 's', clientSubmitId: 'p2' }, settled('t1', 1)], ['activate:start-p1']],
  ['sends nothing while the start has failed', [activation(), submit('p2'), failed('session/activate', 'activate:start-p1')], ['activate:start-p1']],
  ['starts again under the same session', [activation(), submit('p2'), failed('session/activate', 'activate:start-p1'), activation('p3'), opened('t1', 1, 'p3'), activated('t1', 'p3'), settled('t1', 1)], ['activate:start-p1', 'activate:start-p3', 'send:p2']],
  ['makes nothing of a start whose answer was lost', [activation(), submit('p2'), failed('session/activate', 'activate:start-p1'), opened('t1', 1, 'p1'), settled('t1', 1)], ['activate:start-p1', 'send:p2']],
  ['ignores the result of nobody', [...idle, sent('p9', 't9'), submit('p2')], ['activate:start-p1', 'send:p2']],
  ['stops the active turn', [...started, stop('t1')], ['activate:start-p1', 'stop-1']],
  ['stops it once', [...started, stop('t1'), stop('t1')], ['activate:start-p1', 'stop-1']],
  ['needs no stop for a turn that has settled', [...idle, stop('t1')], ['activate:start-p1']],
  ['needs no stop for another turn', [...started, stop('t0')], ['activate:start-p1']],
  ['goes on with the queue after a stop', [...started, submit('p2'), stop('t1'), settled('t1', 1, 'canceled')], ['activate:start-p1', 'stop-1', 'send:p2']],
  ['answers a question', [...started, changed({ interactions: [interactionRow()] }), decline], ['activate:start-p1', 'answer-1']],
  ['changes settings', [...idle, { type: 'session/settingsUpdateRequested', agentSessionId: 's', commandId: 'set-1', settings: { model: 'other' } }], ['activate:start-p1', 'set-1']],
  ['keeps the queue over a new snapshot in mid-turn', [...started, submit('p2'), { type: 'connection/changed', connection: 'lost' }, snapshot(graph({ sessions: [sessionRow({ activeTurnId: 't1' })], turns: [turnRow()] })), settled('t1', 1)], ['activate:start-p1', 'send:p2']],
  ['sends what a new snapshot has freed', [...started, submit('p2'), snapshot(graph({ turns: [turnRow({ phase: 'settled', outcome: 'completed' })] }))], ['activate:start-p1', 'send:p2']],
  ['keeps a session that is being started over a snapshot without it', [activation(), snapshot(), submit('p2'), opened('t1', 1, 'p1'), activated(), settled('t1', 1)], ['activate:start-p1', 'send:p2']],
])('reduce() %s', (_title, intents, ids) => checkCommands(intents, ids));

test.each<[string, Intent[], boolean]>([
  ['of a session that is being started', [activation(), submit('p2')], true],
  ['of a session with a turn', [...started, submit('p2')], true],
  ['behind another one', [...idle, submit('p2'), submit('p3')], true],
  ['behind one that failed', [...idle, submit('p2'), failed('queue/sendPrompt', 'send:p2'), submit('p3')], true],
  ['of an idle session', [...idle, submit('p2')], false],
  ['in place of one that failed', [...idle, submit('p2'), failed('queue/sendPrompt', 'send:p2'), submit('p3', { replaces: 'prompt:p2' })], false],
])('reduce() tells observers whether a prompt is queued: %s', (_title, intents, queued) => expect(play(...intents).queued.at(-1)).toBe(queued));

test.each<[string, Intent[], EngineCommand]>([
  ['session/activate', [activation()], { type: 'session/activate', commandId: 'activate:start-p1', agentSessionId: 's', correlationId: 'p1', payload: { agentTargetId: 'local:codex', clientSubmitId: 'p1', cwd: '/project', initialContent: [{ type: 'text', text: 'p1' }], mode: 'new', settings: { model: 'scripted', permissionModeId: 'ask', reasoningEffort: 'default', speed: 'standard' }, title: 'p1', visible: true } }],
  ['queue/sendPrompt', [...idle, submit('p2', { displayPrompt: 'two' })], { type: 'queue/sendPrompt', commandId: 'send:p2', agentSessionId: 's', correlationId: 'p2', payload: { promptId: 'prompt:p2', clientSubmitId: 'p2', content: [{ type: 'text', text: 'p2' }], displayPrompt: 'two' } }],
  ['turn/cancel', [...started, stop('t1')], { type: 'turn/cancel', commandId: 'stop-1', agentSessionId: 's', correlationId: 'stop-1', payload: { turnId: 't1' } }],
  ['interaction/respond', [...started, decline], { type: 'interaction/respond', commandId: 'answer-1', agentSessionId: 's', correlationId: 'answer-1', payload: { turnId: 't1', requestId: 'r1', action: 'deny', optionId: 'deny' } }],
])('reduce() makes the whole of %s', (_title, intents, command) => expect(play(...intents).commands.at(-1)).toEqual(command));

test.each<[string, Intent[], string]>([
  ['starting', [activation()], 'starting'],
  ['working', started, 'working'],
  ['ready', idle, 'ready'],
  ['working while a prompt is on its way', [...idle, submit('p2')], 'working'],
  ['waiting for approval', [...started, changed({ interactions: [interactionRow()] })], 'waiting for approval'],
  ['working after the answer', [...started, changed({ interactions: [interactionRow()] }), decline, changed({ interactions: [interactionRow({ status: 'answered', output: { action: 'deny' } })] })], 'working'],
  ['failed with its turn', [...started, settled('t1', 1, 'failed')], 'failed'],
  ['failed with its prompt', [...idle, submit('p2'), failed('queue/sendPrompt', 'send:p2')], 'failed'],
  ['failed with its start', [activation(), failed('session/activate', 'activate:start-p1')], 'failed'],
  ['ready after a stop', [...started, stop('t1'), settled('t1', 1, 'canceled')], 'ready'],
  ['disconnected', [...started, { type: 'connection/changed', connection: 'lost' }], 'disconnected'],
  ['broken', [...started, { type: 'connection/changed', connection: 'broken' }], 'failed'],
  ['ready without a session', [{ type: 'view/newSession' }], 'ready'],
])('selectStatus() is %s', (_title, intents, status) => expect(selectStatus(play(...intents).state)).toBe(status));

const shown = (intents: Intent[]) => selectTranscript(play(...intents).state).map(({ turnId, status, entries }) => `${turnId ?? '-'} ${status}: ${entries.map((entry) => `${entry.kind} ${entry.kind === 'tool' ? entry.tool.title : entry.text} ${entry.status}`).join(', ')}`);

test.each<[string, Intent[], string[]]>([
  ['shows a prompt before anybody took it', [activation()], ['- pending: user p1 sending']],
  ['shows it in the turn that it opened', [activation(), changed({ sessions: [sessionRow({ activeTurnId: 't1' })], turns: [turnRow({ phase: 'submitted' })] })], ['t1 submitted: user p1 sending']],
  ['shows it once when it is stored', started, ['t1 running: user p1 completed']],
  ['shows a second prompt at the end', [...idle, submit('p2')], ['t1 completed: user p1 completed', '- pending: user p2 sending']],
  ['grows a streamed text', [...started, changed({ messages: [messageRow({ version: 2, payload: { text: 'Hel' } })] }), changed({ appends: [{ agentSessionId: 's', messageId: 'm1', version: 3, text: 'lo' }] })], ['t1 running: user p1 completed, assistant Hello running']],
  ['takes no append twice', [...started, changed({ messages: [messageRow({ version: 3, payload: { text: 'Hello' } })] }), changed({ appends: [{ agentSessionId: 's', messageId: 'm1', version: 3, text: 'lo' }] })], ['t1 running: user p1 completed, assistant Hello running']],
  ['takes no older row', [...started, changed({ messages: [messageRow({ version: 3, payload: { text: 'Hello' } })] }), changed({ messages: [messageRow({ version: 2, payload: { text: 'Hel' } })] })], ['t1 running: user p1 completed, assistant Hello running']],
  ['shows a tool', [...started, changed({ messages: [messageRow({ messageId: 'call:c1', role: 'tool', kind: 'tool_call', payload: { name: 'command', title: 'ls', status: 'in_progress' } })] })], ['t1 running: user p1 completed, tool ls running']],
  ['keeps its order over a snapshot that has another one', [...started, changed({ messages: [messageRow()] }), snapshot(graph({ sessions: [sessionRow({ activeTurnId: 't1' })], turns: [turnRow()], messages: [messageRow({ version: 1, payload: { text: 'Hi' } }), userRow('p1', { version: 9 })] }))], ['t1 running: user p1 completed, assistant Hi running']],
  ['drops a prompt that its turn never took', [...idle, submit('p2'), changed({ sessions: [sessionRow({ activeTurnId: 't2', updatedAtUnixMs: 20 })], turns: [turnRow({ turnId: 't2', sequence: 2, phase: 'submitted' })] }), sent('p2', 't2'), settled('t2', 2, 'failed')], ['t1 completed: user p1 completed', 't2 failed: ']],
])('selectTranscript() %s', (_title, intents, lines) => expect(shown(intents)).toEqual(lines));

test('selectQueue() shows what waits, and says why the head does', () => {
  expect(selectQueue(play(...idle, submit('p2'), submit('p3'), failed('queue/sendPrompt', 'send:p2')).state)).toEqual([
    { promptId: 'prompt:p2', text: 'p2', isFailed: true, failure: 'Cannot reach the daemon' },
    { promptId: 'prompt:p3', text: 'p3', isFailed: false, failure: null },
  ]);
});

test('selectQueue() keeps the prompt of a start that failed, and of one that the daemon rejected', () => {
  const failure = [activation(), failed('session/activate', 'activate:start-p1', 'provider_rejected')];
  expect(selectQueue(play(...failure).state)).toMatchObject([{ promptId: 'prompt:p1', isFailed: true }]);
  const rejected = changed({ sessions: [sessionRow()], turns: [turnRow({ phase: 'settled', outcome: 'failed' })] });
  expect(selectQueue(play(...failure, rejected).state)).toMatchObject([{ promptId: 'prompt:p1', isFailed: true }]);
  expect(selectQueue(play(activation(), rejected, failed('session/activate', 'activate:start-p1')).state)).toMatchObject([{ promptId: 'prompt:p1', isFailed: true }]);
});

test('removing the prompt of a failed start lets go of the session, or gives its place to the next prompt', () => {
  const remove: Intent = { type: 'queue/removed', agentSessionId: 's', promptId: 'prompt:p1' };
  const failure = failed('session/activate', 'activate:start-p1');
  expect(selectSessions(play(activation(), failure, remove).state)).toEqual([]);
  const { state } = play(activation(), submit('p2'), failure, remove);
  expect(selectQueue(state)).toMatchObject([{ promptId: 'prompt:p2', isFailed: true }]);
});

const failures = (intents: Intent[]) => selectFailures(play(...intents).state).map(({ failureId, code }) => `${failureId} ${code}`);
test.each<[string, Intent[], string[]]>([
  ['a failed prompt', [...idle, submit('p2'), failed('queue/sendPrompt', 'send:p2')], ['send:p2 network']],
  ['nothing once it is dismissed', [...idle, submit('p2'), failed('queue/sendPrompt', 'send:p2'), { type: 'failure/dismissed', failureId: 'send:p2' }], []],
  ['nothing once it is sent again', [...idle, submit('p2'), failed('queue/sendPrompt', 'send:p2'), submit('p3', { replaces: 'prompt:p2' })], []],
  ['nothing once the daemon has it', [...idle, submit('p2'), failed('queue/sendPrompt', 'send:p2'), opened('t2', 2, 'p2')], []],
  ['a failed start', [activation(), failed('session/activate', 'activate:start-p1')], ['activate:start-p1 network']],
  ['no stop that came too late', [...started, stop('t1'), settled('t1', 1), failed('turn/cancel', 'stop-1', 'turn_settled')], []],
  ['a stop that went wrong', [...started, stop('t1'), failed('turn/cancel', 'stop-1')], ['stop-1 network']],
  ['an answer that went wrong', [...started, decline, failed('interaction/respond', 'answer-1')], ['answer-1 network']],
])('selectFailures() shows %s', (_title, intents, lines) => expect(failures(intents)).toEqual(lines));

test('a question is answered once, and can be answered again where that failed', () => {
  const asked = [...started, changed({ interactions: [interactionRow()] })];
  const states = [asked, [...asked, decline], [...asked, decline, failed('interaction/respond', 'answer-1')]].map((intents) => selectInteractions(play(...intents).state)[0]?.isAnswering);
  expect(states).toEqual([false, true, false]);
});

test('a window that opens shows the newest session; a later snapshot moves nobody', () => {
  const connecting = { ...openState(), connection: 'connecting' as const };
  const two = snapshot(graph(), graph({ sessions: [sessionRow({ agentSessionId: 'new', createdAtUnixMs: 5 })] }));
  const first = reduce(connecting, two).state;
  expect(first.selectedId).toBe('new');
  expect(reduce(reduce(first, { type: 'view/newSession' }).state, two).state.selectedId).toBeNull();
  expect(selectSessions(first).map(({ agentSessionId }) => agentSessionId)).toEqual(['new', 's']);
});

test('selectComposer() shows settings that are on their way, and those of the daemon when they failed', () => {
  const set: Intent = { type: 'session/settingsUpdateRequested', agentSessionId: 's', commandId: 'set-1', settings: { model: 'other' } };
  expect(selectComposer(play(...idle, set).state).settings['model']).toBe('other');
  expect(selectComposer(play(...idle, set, failed('session/updateSettings', 'set-1')).state).settings['model']).toBe('scripted');
});

test('lanes rise with changes that hold no row', () => {
  const place = { connectionId: 'c1', chunkSeq: 4, unitIndex: 1 };
  expect(play(changed({ lanes: [place] }), changed({ lanes: [{ ...place, chunkSeq: 2 }] })).state.lanes).toEqual([place]);
});

const taken = (removed: { sessionIds?: string[]; turnIds?: string[] }, rows: Parameters<typeof changed>[0] = {}): Intent => changed({ ...rows, removed: { sessionIds: [], turnIds: [], ...removed } });

test('a turn that was taken back is gone: it is not shown, and does not count when its prompt is sent again', () => {
  const begun = changed({ sessions: [sessionRow({ activeTurnId: 't2', updatedAtUnixMs: 20 })], turns: [turnRow({ turnId: 't2', sequence: 2, phase: 'submitted' })] });
  const back = taken({ turnIds: ['t2'] }, { sessions: [sessionRow({ activeTurnId: null, updatedAtUnixMs: 21 })] });
  const { state } = play(...idle, submit('p2'), begun, back, failed('queue/sendPrompt', 'send:p2'));
  expect([state.sessions['s']?.graph?.turns.map(({ turnId }) => turnId), selectStatus(state)]).toEqual([['t1'], 'failed']);
  expect(surplusTurn({ s: { initial: [], recorded: ['one', 'two'] } }, play(...idle, submit('p2'), begun, back, failed('queue/sendPrompt', 'send:p2'), submit('p3', { replaces: 'prompt:p2' }), opened('t3', 2, 'p3')).state.sessions['s']!)).toBeNull();
});

test('a session that was taken back is gone; one that is being started keeps its prompt for the person', () => {
  expect(play(...idle, taken({ sessionIds: ['s'] })).state).toMatchObject({ sessions: {}, selectedId: null });
  const start = [activation(), changed({ sessions: [sessionRow({ activeTurnId: 't1' })], turns: [turnRow({ phase: 'submitted' })] }), taken({ sessionIds: ['s'], turnIds: ['t1'] }), failed('session/activate', 'activate:start-p1')];
  const { state } = play(...start);
  expect([state.sessions['s']?.graph, selectQueue(state)]).toMatchObject([null, [{ promptId: 'prompt:p1', isFailed: true }]]);
});

test('a window that opens shows no hidden session, as its list does not', () => {
  const connecting = { ...openState(), connection: 'connecting' as const };
  const hidden = graph({ sessions: [sessionRow({ agentSessionId: 'hidden', createdAtUnixMs: 5, isVisible: false })] });
  expect([snapshot(graph(), hidden), snapshot(hidden)].map((first) => reduce(connecting, first).state.selectedId)).toEqual(['s', null]);
});
