import { expect, test } from 'vitest';
import { HostError } from '../../core/agent/host.ts';
import { RuntimeError } from '../../core/agent/runtime.ts';
import { workspaceId } from '../../core/control/boot.ts';
import { Fault } from '../../core/fault.ts';
import { Refusal } from '../mode.ts';
import { openServer, sessions, type Asked } from './fixtures/open-server.ts';
import { session } from './fixtures/fake-host.ts';

const ref = { workspaceId, agentSessionId: 's1' };
const content = [{ type: 'text', text: 'Say hello' }];
const createBody = { agentSessionId: 's1', agentTargetId: 'local:codex', cwd: '/project', settings: { model: 'scripted' } };
const post = (url: string, body?: unknown): Asked => ({ method: 'POST', url: `${sessions}${url}`, body });

async function checkReply(asked: Asked, expected: { status: number; body: unknown; call: unknown[] }) {
  const { ask, host } = await openServer();
  const { status, body } = await ask(asked);
  expect({ status, body, call: host.calls[0] }).toEqual(expected);
}

test('create gives 201 with session and turn', () =>
  checkReply(post('', { ...createBody, visible: false, initialContent: content, initialDisplayPrompt: 'Hello', clientSubmitId: 'c1' }), {
    status: 201,
    body: { session, turnId: 't1' },
    call: ['create', { ref, provider: 'codex', agentTargetId: 'local:codex', cwd: '/project', settings: { model: 'scripted' }, isVisible: false, initialContent: content, displayPrompt: 'Hello', clientSubmitId: 'c1' }],
  }));
test('input gives the turn', () => checkReply(post('/s1/input', { content, clientSubmitId: 'c2' }), { status: 200, body: { turnId: 't2' }, call: ['send', { ref, content, clientSubmitId: 'c2' }] }));
test('cancel gives the settled state', () => checkReply(post('/s1/turns/t1/cancel'), { status: 200, body: { state: 'settled', outcome: 'canceled' }, call: ['cancel', ref, 't1'] }));
test('settings gives the settings', () => checkReply(post('/s1/settings', { model: 'other' }), { status: 200, body: { settings: { model: 'other' } }, call: ['updateSettings', ref, { model: 'other' }] }));
test('response takes a request id with any character', () =>
  checkReply(post(`/s1/interactives/${encodeURIComponent('turn/1:item 2:0')}/response`, { turnId: 't1', action: 'approve', optionId: 'approve' }), {
    status: 200,
    body: { status: 'answered' },
    call: ['respond', { ref, turnId: 't1', requestId: 'turn/1:item 2:0', answer: { action: 'approve', optionId: 'approve', payload: null } }],
  }));
test('response takes a long request id', () =>
  checkReply(post(`/s1/interactives/${'r'.repeat(300)}/response`, { turnId: 't1', action: 'deny' }), {
    status: 200,
    body: { status: 'answered' },
    call: ['respond', { ref, turnId: 't1', requestId: 'r'.repeat(300), answer: { action: 'deny', optionId: null, payload: null } }],
  }));
test('title and pin are changed one after the other', () =>
  checkReply({ method: 'PATCH', url: `${sessions}/s1`, body: { title: 'New', pinned: true } }, { status: 200, body: { session }, call: ['updateTitle', ref, 'New'] }));

async function checkRefusal(asked: Asked, expected: string) {
  const { ask, host } = await openServer();
  const { status, body } = await ask(asked);
  const { code, message } = (body as { error: { code: string; message: string } }).error;
  expect(`${status} ${code}`).toBe(expected);
  expect(message).toMatch(/^Cannot [^.]+/);
  expect(host.calls).toEqual([]);
}

test('create refuses an unknown member', () => checkRefusal(post('', { ...createBody, shell: true }), '400 invalid_argument'));
test('create refuses a relative folder', () => checkRefusal(post('', { ...createBody, cwd: 'project' }), '400 invalid_argument'));
test('create refuses an unknown target', () => checkRefusal(post('', { ...createBody, agentTargetId: 'local:other' }), '400 invalid_argument'));
test('input turns no number into a text', () => checkRefusal(post('/s1/input', { content, clientSubmitId: 2 }), '400 invalid_argument'));
test('input refuses an empty prompt', () => checkRefusal(post('/s1/input', { content: [], clientSubmitId: 'c2' }), '400 invalid_argument'));
test('input refuses what is no JSON', () => checkRefusal({ ...post('/s1/input', '{'), headers: { 'content-type': 'application/json' } }, '400 invalid_argument'));
test('input refuses another media type', () => checkRefusal({ ...post('/s1/input', 'x'), headers: { 'content-type': 'text/plain' } }, '415 unsupported_media_type'));
test('an address with a wrong code is refused', () => checkRefusal({ url: '/v1/%' }, '400 invalid_argument'));
test('an id that is too long is refused', () => checkRefusal(post(`/${'s'.repeat(2_000)}/input`, {}), '414 invalid_argument'));
test('a patch names something', () => checkRefusal({ method: 'PATCH', url: `${sessions}/s1`, body: {} }, '400 invalid_argument'));
test('another workspace has nothing', () => checkRefusal({ ...post(''), url: '/v1/workspaces/w/agent-sessions', body: createBody }, '404 workspace_not_found'));
test('an unknown route is 404', () => checkRefusal({ url: '/v1/nothing' }, '404 not_found'));
test('a wrong method is 405', () => checkRefusal({ url: `${sessions}/s1/input` }, '405 method_not_allowed'));
test('a wrong method on a static file is 404', () => checkRefusal({ method: 'DELETE', url: '/index.html' }, '404 not_found'));

async function checkFailure(thrown: Error, expected: { status: number; error: object }) {
  const { ask } = await openServer({ host: { send: () => Promise.reject(thrown) } });
  const { status, body } = await ask(post('/s1/input', { content, clientSubmitId: 'c2' }));
  expect({ status, ...(body as object) }).toEqual(expected);
}

test('a HostError has its status', () => checkFailure(new HostError('turn_active', 'busy'), { status: 409, error: { code: 'turn_active', message: 'busy' } }));
test('a HostError keeps the reason', () => checkFailure(new HostError('provider_rejected', 'no', { reason: 'quota' }), { status: 502, error: { code: 'provider_rejected', message: 'no', reason: 'quota' } }));
test('a RuntimeError is a rejection of the provider', () => checkFailure(new RuntimeError('quota', 'no'), { status: 502, error: { code: 'provider_rejected', message: 'no', reason: 'quota' } }));
test('a Fault keeps its code', () => checkFailure(new Fault({ code: 'recording_busy', message: 'busy' }), { status: 409, error: { code: 'recording_busy', message: 'busy' } }));
test('any other error is ours', () => checkFailure(new Error('odd'), { status: 500, error: { code: 'internal_error', message: 'Cannot answer the request: odd, no error was expected' } }));

test('a cancel of a settled turn is turn_settled', async () => {
  const { ask } = await openServer({ host: { cancel: async () => ({ state: 'already_settled', outcome: 'completed', operationId: null }) } });
  expect(await ask(post('/s1/turns/t1/cancel'))).toMatchObject({ status: 409, body: { error: { code: 'turn_settled' } } });
});

test('every command begins with its stamp, and only then reaches the Host', async () => {
  const order: unknown[] = [];
  const { ask } = await openServer({
    mode: { begin: async (stamp) => void order.push(stamp) },
    host: { send: async () => (order.push('send'), { turnId: 't2' }) },
  });
  await ask({ ...post('/s1/input', { content, clientSubmitId: 'c2' }), headers: { 'x-playhead-command': 'send:c2', 'x-playhead-cause': 'e1' } });
  await ask(post('/s1/input', { content, clientSubmitId: 'c3' }));
  expect(order).toEqual([{ id: 'send:c2', cause: 'e1' }, 'send', { id: null, cause: null }, 'send']);
});

test('a name or a pin begins as a command that no lane knows, whatever its headers say', async () => {
  const order: unknown[] = [];
  const { ask, host } = await openServer({ mode: { begin: async (stamp) => void order.push(stamp, host.calls.length) } });
  await ask({ method: 'PATCH', url: `${sessions}/s1`, body: { title: 'Mine', pinned: true }, headers: { 'x-playhead-command': 'send:c2', 'x-playhead-cause': 'e1' } });
  expect([order, host.calls.map(([name]) => name)]).toEqual([[{ id: null, cause: null }, 0], ['updateTitle', 'updatePin']]);
});

test('a command that may not begin does not reach the Host', async () => {
  const { ask, host } = await openServer({ mode: { begin: () => Promise.reject(new Refusal(409, 'command_not_accepted', 'Cannot begin: its intent is unknown')) } });
  const commands = [{ method: 'PATCH' as const, url: `${sessions}/s1`, body: { title: 'Mine' } }, post('', createBody), post('/s1/input', { content, clientSubmitId: 'c2' }), post('/s1/turns/t1/cancel'), post('/s1/settings', {}), post('/s1/interactives/r1/response', { turnId: 't1', action: 'approve' })];
  for (const command of commands) expect(await ask(command)).toMatchObject({ status: 409, body: { error: { code: 'command_not_accepted' } } });
  expect(host.calls).toEqual([]);
});
