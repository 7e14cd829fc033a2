/** Stand-ins bundled for one test run, and a provider program to record: nothing here depends on a `dist` that may be stale. */

import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsdown';

const repository = new URL('../../../', import.meta.url).pathname;

/** A short folder: socket paths have about a hundred bytes. */
export function makeTempFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'playhead-c-')));
}

export async function bundleStandIns(folder: string): Promise<void> {
  for (const mode of ['replay', 'record'])
    await build({
      config: false,
      cwd: repository,
      entry: { [`stand-in-${mode}`]: `src/shim/${mode}.ts` },
      format: 'cjs',
      outDir: folder,
      outExtensions: () => ({ js: '.cjs' }),
      platform: 'node',
      target: 'node22',
      clean: false,
      dts: false,
      logLevel: 'silent',
    });
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** A made-up agent: it mints ids, cuts its messages anywhere, logs, and asks once before it answers. */
export function writeAgent(folder: string): string {
  const path = join(folder, 'agent');
  // Its own package, so that one further up cannot make it an ES module.
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(path, `#!${process.execPath}\n${agent}`);
  chmodSync(path, 0o755);
  return path;
}

const agent = `
const { randomUUID } = require('node:crypto');
const { createInterface } = require('node:readline');
const home = process.env.CODEX_HOME;
const pieces = [];
let isWriting = false;
function flush() {
  if (isWriting || pieces.length === 0) return;
  isWriting = true;
  process.stdout.write(pieces.shift(), () => { isWriting = false; setImmediate(flush); });
}
function say(...messages) {
  const text = messages.map((message) => JSON.stringify(message) + '\\n').join('');
  const cut = Math.floor(text.length * 0.7);
  pieces.push(text.slice(0, cut), text.slice(cut));
  flush();
}
const thread = randomUUID();
const turn = randomUUID();
let turnRequest = null;
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    process.stderr.write('agent: home is ' + home + '\\n');
    say({ id, result: { userAgent: 'agent/9.9.9 (x)', codexHome: home } });
  }
  if (method === 'thread/start') say({ id, result: { thread: { id: thread, cwd: params.cwd, createdAt: Date.now() } } });
  if (method === 'turn/start') {
    turnRequest = id;
    say({ id, result: { turn: { id: turn } } }, { method: 'turn/started', params: { threadId: thread, turn: { id: turn, status: 'inProgress' } }, emittedAtMs: Date.now() });
    say({ id: 0, method: 'item/commandExecution/requestApproval', params: { threadId: thread, turnId: turn, cwd: params.cwd ?? process.cwd() } });
  }
  if (method === undefined && id === 0) {
    say({ method: 'serverRequest/resolved', params: { threadId: thread, requestId: 0 } });
    for (const delta of ['Do', 'ne']) say({ method: 'item/agentMessage/delta', params: { threadId: thread, itemId: 'item-1', delta } });
    say({ method: 'item/completed', params: { threadId: thread, item: { type: 'agentMessage', id: 'item-1', text: 'Done' } } }, { method: 'turn/completed', params: { threadId: thread, turn: { id: turn, status: 'completed' } } });
  }
}).on('close', () => process.exit(0));
`;
