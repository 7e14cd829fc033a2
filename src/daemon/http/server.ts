/** The HTTP face of the daemon: the same routes in live, record and replay; a mode adds its own (design rulings 14 and 16). */

import Fastify, { LogController, type FastifyReply, type FastifyServerOptions } from 'fastify';
import type { AgentHost } from '../../core/agent/host.ts';
import type { Bootstrap } from '../../core/agent/wire.ts';
import type { DaemonBoot } from '../../core/control/boot.ts';
import { limits } from '../../core/limits.ts';
import type { DaemonMode } from '../mode.ts';
import { answerFailures, failureOf, sendFailure } from './failure.ts';
import { guard } from './guard.ts';
import type { Publisher } from './publisher.ts';
import { routeCommands } from './route-commands.ts';
import { routeEvents } from './route-events.ts';
import { routeBootstrap, routeNotes, routeReads } from './route-reads.ts';
import { serveRenderer } from './static.ts';
import type { DaemonApp, TypeBoxProvider } from './type-provider.ts';

export type ServerOptions = {
  boot: Pick<DaemonBoot, 'projectDir' | 'rendererDir' | 'windowToken' | 'controlToken' | 'composerDefaults'>;
  mode: Pick<DaemonMode, 'bootstrap' | 'begin' | 'routes'>;
  host: AgentHost;
  publisher: Publisher;
  agentTargets: Bootstrap['agentTargets'];
  /** Default: nothing is logged. */
  logger?: FastifyServerOptions['logger'];
  /** Called before the first route is added: to describe them, or to listen elsewhere in a test. */
  prepare?: (app: DaemonApp) => void | Promise<void>;
};

/** Everything is routed and nothing listens yet. */
export async function createServer({ boot, mode, host, publisher, agentTargets, logger = false, prepare }: ServerOptions): Promise<DaemonApp> {
  const app = Fastify({ ...serverOptions, logger }).withTypeProvider<TypeBoxProvider>();
  app.removeContentTypeParser('text/plain');
  // What is sent is what the schema says by type and by test; writing it by schema would drop or turn what does not fit.
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  const allowedMethods = rememberRoutes(app);
  guard(app, { tokens: { window: boot.windowToken, control: boot.controlToken }, port: () => portOf(app) });
  answerFailures(app, { allowedMethods });
  await prepare?.(app);
  routeBootstrap(app, { ...mode.bootstrap, agentTargets, composerDefaults: boot.composerDefaults, projectDir: boot.projectDir });
  routeReads(app, host);
  routeNotes(app, { host, begin: mode.begin });
  routeCommands(app, { host, begin: mode.begin, targets: agentTargets });
  routeEvents(app, publisher);
  mode.routes(app as never, publisher);
  serveRenderer(app as never, boot.rendererDir);
  return app;
}

/** Listens on a free port of the loopback address and gives it as address. */
export async function listen(app: DaemonApp): Promise<string> {
  return app.listen({ host: '127.0.0.1', port: 0 });
}

const serverOptions = {
  bodyLimit: limits.requestBytesMax,
  logController: new LogController({ disableRequestLogging: true }),
  exposeHeadRoutes: false,
  frameworkErrors: (error: Error, _request: unknown, reply: FastifyReply) => void sendFailure(reply, failureOf(error)),
  // A window keeps its stream and a command may wait for a turn: closing waits for neither.
  forceCloseConnections: true,
  routerOptions: { maxParamLength: limits.pathParameterCharactersMax },
  // Nothing is turned, filled in or dropped: what is sent fits, or is refused.
  ajv: { customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false } },
} as const;

/** Which methods an address takes, for the answer 405. */
function rememberRoutes(app: DaemonApp): (path: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.includes('*')) routes.push({ pattern: new RegExp(`^${url.replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`), methods: [method].flat() });
  });
  return (path) => [...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))];
}

function portOf(app: DaemonApp): number | null {
  const address = app.server.address();
  return address !== null && typeof address === 'object' ? address.port : null;
}
