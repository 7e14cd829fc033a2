/** What a window asks before and beside its stream: bootstrap, sessions, pages of turns. */

import { basename } from 'node:path';
import type { AgentHost } from '../../core/agent/host.ts';
import type { SessionRef } from '../../core/agent/views.ts';
import type { Bootstrap } from '../../core/agent/wire.ts';
import { workspaceId } from '../../core/control/boot.ts';
import { Refusal, type DaemonMode } from '../mode.ts';
import { bootstrapReply, repliesOf, sessionList, sessionPatch, sessionPath, sessionReply, turnPage, turnPageQuery, workspacePath } from './schema-requests.ts';
import { sessionGraph } from './schema-views.ts';
import type { DaemonApp } from './type-provider.ts';

export type BootstrapFacts = Pick<Bootstrap, 'mode' | 'recordingId' | 'cassetteId' | 'agentTargets' | 'composerDefaults'> & { projectDir: string };

export const sessionsUrl = '/v1/workspaces/:w/agent-sessions';

export function routeBootstrap(app: DaemonApp, { projectDir, ...facts }: BootstrapFacts): void {
  app.get('/v1/bootstrap', { config: readers, schema: { summary: 'What a window needs to start', response: repliesOf(200, bootstrapReply) } }, async () => ({
    workspaceId,
    project: { path: projectDir, name: basename(projectDir) },
    ...facts,
  }));
}

export function routeReads(app: DaemonApp, host: AgentHost): void {
  app.get(sessionsUrl, { config: readers, schema: { summary: 'All sessions, newest first', params: workspacePath, response: repliesOf(200, sessionList) } }, async ({ params }) => {
    checkWorkspace(params.w);
    return { sessions: host.graphs(params.w, { includeHidden: true }).map(({ session }) => session) };
  });
  app.get(`${sessionsUrl}/:s`, { config: readers, schema: { summary: 'One session with everything in it', params: sessionPath, response: repliesOf(200, sessionGraph) } }, async ({ params }) => {
    const graph = host.graph(refOf(params));
    if (!graph) throw new Refusal(404, 'session_not_found', `Cannot show session "${params.s}": there is none, an existing one was needed`);
    return graph;
  });
  app.get(
    `${sessionsUrl}/:s/turns`,
    { config: readers, schema: { summary: 'Turns, newest first', params: sessionPath, querystring: turnPageQuery, response: repliesOf(200, turnPage) } },
    async ({ params, query }) => host.listTurns(refOf(params), { limit: Number(query.limit ?? turnsPerPage), ...(query.before === undefined ? {} : { before: query.before }) }),
  );
}

/**
 * Title and pin are the person's own notes on a session. The window has no intent for them, so that they begin as a command that
 * no lane knows: a recording refuses what a replay could not do again, and a replay what nobody recorded.
 */
export function routeNotes(app: DaemonApp, { host, begin }: { host: AgentHost; begin: DaemonMode['begin'] }): void {
  app.patch(`${sessionsUrl}/:s`, { config: { role: 'window' }, schema: { summary: 'Names or pins a session', params: sessionPath, body: sessionPatch, response: repliesOf(200, sessionReply) } }, async ({ params, body }) => {
    const ref = refOf(params);
    await begin({ id: null, cause: null });
    const titled = body.title === undefined ? null : await host.updateTitle(ref, body.title);
    const pinned = body.pinned === undefined ? null : await host.updatePin(ref, body.pinned);
    return { session: pinned ?? titled ?? missing(params.s) };
  });
}

/** The session of a path; another workspace than ours holds none. */
export function refOf({ w, s }: { w: string; s: string }): SessionRef {
  checkWorkspace(w);
  return { workspaceId: w, agentSessionId: s };
}

export function checkWorkspace(id: string): void {
  if (id !== workspaceId) throw new Refusal(404, 'workspace_not_found', `Cannot open workspace "${id}": there is none, "${workspaceId}" was needed`);
}

function missing(session: string): never {
  throw new Refusal(400, 'invalid_argument', `Cannot change session "${session}": nothing was named, a title or a pin was needed`);
}

// Reading changes nothing: whoever steers a record or replay may look as well.
const readers = { role: ['window', 'control'] } as const;
const turnsPerPage = '50';
