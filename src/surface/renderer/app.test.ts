import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Actions } from '../actions.ts';
import type { InteractionEntry, TranscriptEntry, TranscriptTurn } from '../engine/shown.ts';
import { App } from './app.tsx';
import type { WindowView } from './view.ts';

const base = { agentSessionId: 's1', turnId: 't1', status: 'completed' };
const say = (text: string, isStreaming = false): TranscriptEntry => ({ ...base, key: 'a1', messageId: 'a1', kind: 'assistant', text, isStreaming, status: isStreaming ? 'running' : 'completed' });
const sending: TranscriptEntry = { ...base, key: 'u', messageId: null, kind: 'user', text: 'Count peas', isPending: true, status: 'sending' };
const command = (status: string): TranscriptEntry => ({ ...base, key: 'call:c', messageId: 'call:c', kind: 'tool', tool: { callId: 'c', name: 'command', title: 'wc -l peas', status, input: {}, output: null } });
const ask = (more: Partial<InteractionEntry>): InteractionEntry => ({
  agentSessionId: 's1', turnId: 't1', requestId: 't1:c:0', kind: 'approval', status: 'pending', answer: null, toolName: 'command', title: 'wc -l peas',
  command: 'wc -l peas', cwd: null, reason: null, changes: [], options: ['approve', 'approve_for_session', 'deny', 'abort'], isAnswering: false, ...more,
});
const turn = (more: Partial<TranscriptTurn>): TranscriptTurn => ({ key: 't1', agentSessionId: 's1', turnId: 't1', status: 'running', isActive: true, error: null, files: [], entries: [], interactions: [], ...more });
const view = (turns: TranscriptTurn[], more: Partial<WindowView> = {}): WindowView => ({
  sessions: [{ agentSessionId: 's1', title: 'Peas', status: 'working', isSelected: true, isPending: false, needsApproval: false, hasFailed: false }],
  turns, queue: [], status: 'working', connection: 'open', failures: [],
  composer: { agentSessionId: 's1', settings: { permissionModeId: 'ask' }, canSet: true, canStop: true, isStopping: false, queuesSubmit: true }, ...more,
});

const rows: [what: string, view: WindowView, there: string[], notThere: string[]][] = [
  [
    'the frame with its names',
    view([]),
    ['<nav class="sessions" aria-label="Sessions">', 'role="log" aria-label="Transcript" aria-live="polite"', 'aria-label="Message"', '>Send<', '>Stop<', 'role="status" data-shows="working">working<', '>Permission</label>'],
    ['aria-label="Queue"', 'role="alert"'],
  ],
  ['a session as an entity', view([]), ['aria-current="page"', 'data-entity="session" data-id="s1" data-session="s1" data-status="working"'], []],
  ['a turn and its message as entities', view([turn({ entries: [say('Five')] })]), ['data-entity="turn" data-id="t1" data-session="s1" data-status="running"', 'data-entity="message" data-id="a1" data-session="s1" data-status="completed"'], []],
  ['a prompt on its way, which is no entity yet', view([turn({ key: 'p', turnId: null, status: 'pending', entries: [sending] })]), ['Count peas', 'Sending'], ['data-entity="turn"', 'data-entity="message"']],
  ['streamed text as busy', view([turn({ entries: [say('Fi', true)] })]), ['aria-busy="true" data-entity="message" data-id="a1" data-session="s1" data-status="running"', '>Fi<'], []],
  ['a tool card with one closed disclosure', view([turn({ entries: [command('completed')] })]), ['<article class="tool completed"', 'aria-expanded="false"', '>Details</button>', '>done<'], ['aria-expanded="true"']],
  [
    'a question with all answers',
    view([turn({ entries: [command('in_progress')], interactions: [ask({ reason: 'to know' })] })]),
    ['role="group"', '>Approval needed</h3>', 'data-entity="interaction" data-id="t1:c:0" data-session="s1" data-status="pending"', '<code>wc -l peas</code>', 'Reason: to know', '>Approve<', '>Approve for session<', '>Decline<', 'waits for you'],
    [],
  ],
  ['the changes that a question is about', view([turn({ interactions: [ask({ command: null, changes: [{ path: 'peas', kind: 'add', diff: 'five\n' }] })] })]), ['change this file', '>peas</span>', '<ins class="line added" data-old="" data-new="1">+five'], []],
  ['a question without a choice for the session', view([turn({ interactions: [ask({ options: ['approve', 'deny'] })] })]), ['>Decline<'], ['>Approve for session<']],
  ['an answered question as one line', view([turn({ interactions: [ask({ status: 'answered', answer: 'deny' })] })]), ['Declined:', 'data-entity="interaction" data-id="t1:c:0" data-session="s1" data-status="answered"'], ['role="group"', 'Approval needed']],
  ['a failed turn', view([turn({ status: 'failed', isActive: false, error: { code: 'x', message: 'No model' } })]), ['role="alert"', 'Turn failed', 'No model', 'data-status="failed"'], []],
  ['a canceled turn', view([turn({ status: 'canceled', isActive: false })]), ['Turn canceled'], ['role="alert"']],
  ['an interrupted turn', view([turn({ status: 'interrupted', isActive: false })]), ['role="alert"', 'Turn interrupted'], []],
  ['a lost daemon', view([], { connection: 'lost', status: 'disconnected' }), ['role="alert"', '>disconnected<'], ['has stopped']],
  ['a window that broke', view([], { connection: 'broken', status: 'failed' }), ['role="alert"', 'This window has stopped', '>failed<'], ['Disconnected']],
  ['a refused command', view([], { failures: [{ failureId: 'f', agentSessionId: 's1', code: 'x', title: 'Not stopped', message: 'Gone' }] }), ['role="alert"', 'Not stopped', 'Gone', '>Dismiss<'], []],
  ['the queue', view([], { queue: [{ promptId: 'q', text: 'Then beans', isFailed: false, failure: null }] }), ['aria-label="Queue"', 'Then beans', '>Remove<'], ['>Send again<']],
  ['a hostile message as text', view([turn({ entries: [say('<img src="https://x.invalid/a.png"> ![a](https://x.invalid/b.png) [c](javascript:d) \x1b]8;;https://x.invalid\x07e\x1b]8;;\x07 \u202ef')] })]), ['&lt;img src=&quot;', '[c](javascript:d) e [U+202E]f'], ['<img', '<a ', 'href=', '\x1b']],
  ['a hostile title as one line of text', view([turn({ entries: [{ ...command('completed'), tool: { callId: 'c', name: 'command', title: '<b>\n\x1b[2J', status: 'completed', input: {}, output: null } } as TranscriptEntry] })]), ['>&lt;b&gt;</h3>'], ['<b>']],
];

test.each(rows)('App shows %s', (_what, shown, there, notThere) => {
  const html = renderToStaticMarkup(createElement(App, { view: shown, actions }));
  expect(there.filter((part) => !html.includes(part))).toEqual([]);
  expect(notThere.filter((part) => html.includes(part))).toEqual([]);
  // The content policy allows neither.
  expect(html).not.toMatch(/ style=| on[a-z]+=|<script|<iframe/);
});

const actions: Actions = {
  newSession: () => undefined, send: () => undefined, stop: () => undefined, approve: () => undefined, decline: () => undefined, removeQueued: () => undefined,
  resend: () => undefined, select: () => undefined, showNewSession: () => undefined, setSetting: () => undefined, dismissFailure: () => undefined,
};
