import { expect, test } from 'vitest';
import { openServer, tokens, type Asked } from './fixtures/open-server.ts';

const bootstrap = '/v1/bootstrap';

async function check(asked: Partial<Asked>, expected: number | string) {
  const { ask } = await openServer({ mode: { routes: (app) => void app.get('/v1/replay/status', { config: { role: 'control' } }, async () => ({})) } });
  const { status, body } = await ask({ url: bootstrap, ...asked });
  expect(status === 200 ? status : (body as { error: { code: string } }).error.code).toBe(expected);
}

test('guard() lets the window in', () => check({}, 200));
test('guard() lets the control token read', () => check({ token: tokens.control }, 200));
test('guard() wants a token', () => check({ token: null }, 'unauthorized'));
test('guard() wants a known token', () => check({ token: `${tokens.window}x` }, 'unauthorized'));
test('guard() wants a bearer token', () => check({ token: null, headers: { authorization: `Basic ${tokens.window}` } }, 'unauthorized'));
test('guard() takes the scheme in any case', () => check({ token: null, headers: { authorization: `bearer ${tokens.window}` } }, 200));
test('guard() lets no token in by the address', () => check({ url: `${bootstrap}?token=${tokens.window}`, token: null }, 'unauthorized'));
test('guard() refuses the token of another role', () => check({ url: '/v1/replay/status' }, 'role_not_allowed'));
test('guard() gives a mode its own role', () => check({ url: '/v1/replay/status', token: tokens.control }, 200));
test('guard() refuses another name of the loopback address', () => check({ headers: { host: 'playhead.example:80' } }, 'host_not_allowed'));
test('guard() refuses another port', () => check({ headers: { host: '127.0.0.1:1' } }, 'host_not_allowed'));
test('guard() refuses a page of somebody else', () => check({ headers: { origin: 'https://playhead.example' } }, 'origin_not_allowed'));
test('guard() refuses a page without an origin', () => check({ headers: { origin: 'null' } }, 'origin_not_allowed'));

test('guard() takes both names of the loopback address, and a page of its own', async () => {
  const { ask, url } = await openServer();
  const { port } = new URL(url);
  for (const name of [`127.0.0.1:${port}`, `localhost:${port}`]) expect((await ask({ url: bootstrap, headers: { host: name, origin: `http://${name}` } })).status).toBe(200);
});

test('guard() lets control answer no approval', async () => {
  const { ask, host } = await openServer();
  const reply = await ask({ method: 'POST', url: '/v1/workspaces/w/agent-sessions/s1/interactives/r1/response', token: tokens.control, body: { turnId: 't1', action: 'approve' } });
  expect(reply.status).toBe(403);
  expect(host.calls).toEqual([]);
});

test('guard() refuses a route below /v1 that says no role', async () => {
  await expect(openServer({ mode: { routes: (app) => void app.get('/v1/open', async () => ({})) } })).rejects.toThrow('route /v1/open says no role');
});
