/** The commands of a window. Each begins when the mode lets it (desktop-order b2), and is the Host's from then on. */

import type { FastifyRequest } from 'fastify';
import type { AgentHost, CreateInput } from '../../core/agent/host.ts';
import { causeHeader, commandHeader, type CreateSessionBody } from '../../core/agent/wire.ts';
import { Refusal, type DaemonMode } from '../mode.ts';
import { checkWorkspace, refOf, sessionsUrl } from './route-reads.ts';
import { cancelReply, createBody, createdSession, interactionPath, repliesOf, respondBody, respondReply, sendBody, sent, sessionPath, settingsBody, settingsReply, turnPath, workspacePath } from './schema-requests.ts';
import type { DaemonApp } from './type-provider.ts';

export type CommandOptions = { host: AgentHost; begin: DaemonMode['begin']; targets: readonly { id: string; provider: string }[] };

// Answers to approvals, like every command, take the window's own token (design ruling 16).
const config = { role: 'window' } as const;

export function routeCommands(app: DaemonApp, { host, begin, targets }: CommandOptions): void {
  app.post(sessionsUrl, { config, schema: { summary: 'Creates a session, with its first prompt where there is one', params: workspacePath, body: createBody, response: repliesOf(201, createdSession) } }, async (request, reply) => {
    const { params, body } = request;
    checkWorkspace(params.w);
    const provider = providerOf(targets, body.agentTargetId);
    await begin(stampOf(request));
    return reply.code(201).send(await host.create(createInput({ workspaceId: params.w, body, provider })));
  });
  app.post(`${sessionsUrl}/:s/input`, { config, schema: { summary: 'Sends a prompt', params: sessionPath, body: sendBody, response: repliesOf(200, sent) } }, async (request) => {
    const ref = refOf(request.params);
    await begin(stampOf(request));
    return host.send({ ref, ...request.body });
  });
  app.post(`${sessionsUrl}/:s/settings`, { config, schema: { summary: 'Changes settings; the rest stays', params: sessionPath, body: settingsBody, response: repliesOf(200, settingsReply) } }, async (request) => {
    const ref = refOf(request.params);
    await begin(stampOf(request));
    return { settings: await host.updateSettings(ref, request.body) };
  });
  routeCancel(app, { host, begin });
  routeResponse(app, { host, begin });
}

function routeCancel(app: DaemonApp, { host, begin }: Pick<CommandOptions, 'host' | 'begin'>): void {
  app.post(`${sessionsUrl}/:s/turns/:t/cancel`, { config, schema: { summary: 'Stops a turn; answers when it has settled', params: turnPath, response: repliesOf(200, cancelReply) } }, async (request) => {
    const ref = refOf(request.params);
    const { t } = request.params;
    await begin(stampOf(request));
    const { state, outcome } = await host.cancel(ref, t);
    switch (state) {
      case 'not_found':
        throw new Refusal(404, 'turn_not_found', `Cannot cancel turn "${t}": its session has none, an existing one was needed`);
      case 'already_settled':
        throw new Refusal(409, 'turn_settled', `Cannot cancel turn "${t}": it has settled, an open one was needed`);
      case 'cancel_requested':
      case 'settled':
        return { state, outcome };
    }
  });
}

function routeResponse(app: DaemonApp, { host, begin }: Pick<CommandOptions, 'host' | 'begin'>): void {
  app.post(`${sessionsUrl}/:s/interactives/:r/response`, { config, schema: { summary: 'Answers an approval or a question', params: interactionPath, body: respondBody, response: repliesOf(200, respondReply) } }, async (request) => {
    const ref = refOf(request.params);
    const { turnId, action, optionId = null, payload = null } = request.body;
    await begin(stampOf(request));
    const { status } = await host.respond({ ref, turnId, requestId: request.params.r, answer: { action, optionId, payload } });
    return { status };
  });
}

function createInput({ workspaceId, body, provider }: { workspaceId: string; body: CreateSessionBody; provider: string }): CreateInput {
  const { agentSessionId, visible, initialDisplayPrompt, ...rest } = body;
  return {
    ref: { workspaceId, agentSessionId },
    provider,
    ...rest,
    ...(visible === undefined ? {} : { isVisible: visible }),
    ...(initialDisplayPrompt === undefined ? {} : { displayPrompt: initialDisplayPrompt }),
  };
}

function providerOf(targets: CommandOptions['targets'], agentTargetId: string): string {
  const target = targets.find(({ id }) => id === agentTargetId);
  if (target) return target.provider;
  throw new Refusal(400, 'invalid_argument', `Cannot create a session: agent target "${agentTargetId}" is unknown, one of ${targets.map(({ id }) => id).join(', ')} was needed`);
}

function stampOf({ headers }: FastifyRequest<never> | FastifyRequest): { id: string | null; cause: string | null } {
  const read = (name: string) => [headers[name]].flat()[0] ?? null;
  return { id: read(commandHeader), cause: read(causeHeader) };
}
