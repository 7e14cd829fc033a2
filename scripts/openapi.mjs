// Writes docs/openapi.json from the routes of the daemon; `--check` compares and writes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import swagger from '@fastify/swagger';
import { createServer } from '../src/daemon/http/server.ts';
import { routeRecording } from '../src/daemon/recording/routes.ts';
import { routeReplay } from '../src/daemon/replay/routes.ts';

const path = new URL('../docs/openapi.json', import.meta.url);

export async function openapiDocument() {
  const app = await createServer({
    boot: { projectDir: '/', rendererDir: '/', windowToken: 'window', controlToken: 'control', composerDefaults: {} },
    mode: { bootstrap: { mode: 'live', recordingId: null, cassetteId: null }, begin: async () => {}, routes: routeModes },
    // Routes are described and never called.
    host: {},
    publisher: {},
    agentTargets: [],
    prepare: async (prepared) => void (await prepared.register(swagger, { openapi, transform })),
  });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return `${JSON.stringify(document, null, 2)}\n`;
}

// Of a daemon only the routes of its own mode are there.
function routeModes(app) {
  routeRecording(app, {});
  routeReplay(app, { progress: { close() {} } });
}

const openapi = {
  openapi: '3.1.0',
  info: { title: 'Playhead reference desktop', version: '1', description: 'The daemon of the reference desktop: loopback only, one bearer token for its window and one for whoever steers a record or replay. Written by `node scripts/openapi.mjs` from the routes in `src/daemon`. Those below `/v1/recording` and `/v1/replay` are there in that mode alone.' },
  components: { securitySchemes: { window: { type: 'http', scheme: 'bearer' }, control: { type: 'http', scheme: 'bearer' } } },
};

// Static files are no part of it; a route's roles are its security.
function transform({ schema = {}, url, route }) {
  const roles = [route.config?.role ?? []].flat();
  return { url, schema: { ...schema, hide: roles.length === 0, security: roles.map((role) => ({ [role]: [] })) } };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await openapiDocument();
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error('Cannot accept docs/openapi.json: it is not what the routes say, node scripts/openapi.mjs was needed');
    process.exitCode = 1;
  }
}
