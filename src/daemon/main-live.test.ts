import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { workspaceId, type DaemonBoot } from '../core/control/boot.ts';
import { tokens } from './http/fixtures/open-server.ts';

/** A provider that answers what opens a thread, and ends with its input. */
const provider = `
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const thread = { id: 'thread-1', preview: '', modelProvider: 'scripted', createdAt: 0, cliVersion: '0.0.0', turns: [] };
  const result = method === 'initialize' ? { userAgent: 'scripted/0.0.0' } : { thread, model: 'scripted' };
  console.log(JSON.stringify({ id, result }));
});`;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'playhead-live-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

function start(stateDir: string, overrides: Partial<DaemonBoot> = {}) {
  const child = spawn(process.execPath, ['src/daemon/main-live.ts'], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const lines = createInterface({ input: child.stdout });
  const boot: DaemonBoot = {
    stateDir,
    projectDir: stateDir,
    rendererDir: stateDir,
    windowToken: tokens.window,
    controlToken: tokens.control,
    composerDefaults: {},
    providers: { codex: { command: [process.execPath, '-e', provider, '--'], env: {} } },
    ...overrides,
  };
  child.stdin.write(`${JSON.stringify(boot)}\n`);
  return { child, exited, answer: once(lines, 'line').then(([line]) => JSON.parse(line as string) as { url?: string; error?: { code: string } }) };
}

const headers = { authorization: `Bearer ${tokens.window}`, 'content-type': 'application/json' };
const settings = { model: 'scripted', permissionModeId: 'ask', reasoningEffort: 'default', speed: 'standard' };

test('a live daemon makes a session, keeps it, and ends with its input', async () => {
  const stateDir = folder();
  const first = start(stateDir);
  const { url } = await first.answer;
  const made = await fetch(`${url}/v1/workspaces/${workspaceId}/agent-sessions`, { method: 'POST', headers, body: JSON.stringify({ agentSessionId: 's1', agentTargetId: 'local:codex', cwd: stateDir, settings }) });
  expect({ status: made.status, body: await made.json() }).toMatchObject({ status: 201, body: { session: { agentSessionId: 's1', providerSessionId: 'thread-1' }, turnId: null } });
  first.child.stdin.end();
  expect(await first.exited).toBe(0);
  const again = start(stateDir);
  const listed = await fetch(`${(await again.answer).url}/v1/workspaces/${workspaceId}/agent-sessions`, { headers });
  expect(await listed.json()).toMatchObject({ sessions: [{ agentSessionId: 's1' }] });
  again.child.kill('SIGTERM');
  expect(await again.exited).toBe(0);
});

test('a state folder that a live daemon holds is refused with its own code', async () => {
  const stateDir = folder();
  const holder = start(stateDir);
  await holder.answer;
  const second = start(stateDir);
  expect(await second.answer).toMatchObject({ error: { code: 'state_dir_taken' } });
  expect(await second.exited).toBe(1);
  // A daemon that was killed holds nothing.
  holder.child.kill('SIGKILL');
  await holder.exited;
  expect(await start(stateDir).answer).toHaveProperty('url');
});

async function checkRefused(prepare: (stateDir: string) => Partial<DaemonBoot>, code: string) {
  const stateDir = folder();
  const daemon = start(stateDir, prepare(stateDir));
  expect(await daemon.answer).toMatchObject({ error: { code } });
  expect(await daemon.exited).toBe(1);
}

test('a corrupt database is refused with its own code', () => checkRefused((stateDir) => (writeFileSync(join(stateDir, 'agent.sqlite'), 'no database'.repeat(100)), {}), 'database_corrupt'));
test('a database that is a folder is refused with its own code', () => checkRefused((stateDir) => (mkdirSync(join(stateDir, 'agent.sqlite')), {}), 'database_unavailable'));
test('a boot document that does not fit is refused with its own code', () => checkRefused(() => ({ windowToken: 'short' }), 'boot_invalid'));
