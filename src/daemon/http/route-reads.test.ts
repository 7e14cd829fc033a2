import { Value } from '@sinclair/typebox/value';
import type { TSchema } from '@sinclair/typebox';
import { expect, test } from 'vitest';
import { workspaceId } from '../../core/control/boot.ts';
import { openServer, sessions } from './fixtures/open-server.ts';
import { graph, session, turn } from './fixtures/fake-host.ts';
import { bootstrapReply, sessionList, turnPage } from './schema-requests.ts';
import { sessionGraph } from './schema-views.ts';

async function check(url: string, schema: TSchema, expected: unknown) {
  const { ask } = await openServer();
  const { status, body } = await ask({ url });
  expect({ status, body }).toEqual({ status: 200, body: expected });
  expect(Value.Check(schema, body)).toBe(true);
}

test('bootstrap tells project, targets and mode', () =>
  check('/v1/bootstrap', bootstrapReply, {
    workspaceId,
    project: { path: '/project', name: 'project' },
    agentTargets: [{ id: 'local:codex', provider: 'codex', title: 'Codex' }],
    composerDefaults: { model: 'scripted' },
    mode: 'live',
    recordingId: null,
    cassetteId: null,
  }));
test('sessions are listed', () => check(sessions, sessionList, { sessions: [session] }));
test('a session comes with everything in it', () => check(`${sessions}/s1`, sessionGraph, graph));
test('turns come in pages', () => check(`${sessions}/s1/turns?limit=2&before=t9`, turnPage, { turns: [turn], hasMore: false }));

test('a page has at most 100 turns', async () => {
  const { ask, host } = await openServer();
  for (const limit of ['0', '101', 'all']) expect((await ask({ url: `${sessions}/s1/turns?limit=${limit}` })).status).toBe(400);
  await ask({ url: `${sessions}/s1/turns` });
  expect(host.calls).toEqual([['listTurns', { workspaceId, agentSessionId: 's1' }, { limit: 50 }]]);
});

test('an unknown session is 404', async () => {
  const { ask } = await openServer();
  expect(await ask({ url: `${sessions}/s9` })).toMatchObject({ status: 404, body: { error: { code: 'session_not_found' } } });
});
