import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AgentHost } from '../core/agent/host.ts';
import type { DaemonBoot } from '../core/control/boot.ts';
import { changeOf, fakeHost, fakeMode, type FakeHost } from './http/fixtures/fake-host.ts';
import { sessions, tokens } from './http/fixtures/open-server.ts';
import type { DaemonMode } from './mode.ts';
import { startDaemon } from './start.ts';

function bootIn(stateDir: string): DaemonBoot {
  return { stateDir, projectDir: '/project', rendererDir: '/nowhere', windowToken: tokens.window, controlToken: tokens.control, composerDefaults: {} };
}

function stateDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'playhead-daemon-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'state');
}

type Options = { stateDir?: string; mode?: (order: string[]) => Partial<DaemonMode>; host?: (order: string[]) => Partial<AgentHost> };

async function start(options: Options = {}) {
  const order: string[] = [];
  let host: FakeHost | null = null;
  const daemon = await startDaemon({
    boot: bootIn(options.stateDir ?? stateDir()),
    mode: fakeMode({ close: async () => void order.push('close mode'), ...options.mode?.(order) }),
    nowUnixMs: () => 0,
    createRuntime: () => Promise.reject(new Error('no runtime was expected')) as never,
    createHost: () => (host = fakeHost({ recover: async () => (order.push('recover'), []), close: async () => void order.push('close host'), ...options.host?.(order) })),
  });
  onTestFinished(() => daemon.stop());
  return { daemon, order, host: host as FakeHost | null };
}

const bearer = { headers: { authorization: `Bearer ${tokens.window}` } };

test('startDaemon() attaches the mode, recovers and listens on the loopback address', async () => {
  const { daemon, order } = await start({ mode: (told) => ({ attach: () => void told.push('attach') }) });
  expect(order).toEqual(['attach', 'recover']);
  expect(daemon.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${daemon.url}/v1/bootstrap`, bearer)).status).toBe(200);
});

test('startDaemon() tells a window of a commit before the mode hears of it', async () => {
  const told: string[] = [];
  const { daemon, host } = await start({ mode: () => ({ attach: (agent) => void agent.observe(() => told.push('mode')) }) });
  const reply = await fetch(`${daemon.url}/v1/events`, bearer);
  const stringify = JSON.stringify;
  JSON.stringify = ((value: unknown, ...rest: []) => ((value as { type?: string } | null)?.type === 'change' && told.push('window'), stringify(value, ...rest))) as typeof stringify;
  onTestFinished(() => void (JSON.stringify = stringify));
  host?.commit(changeOf({}));
  expect(told).toEqual(['window', 'mode']);
  await reply.body?.cancel();
});

test('stop() ends streams, Host and mode, also with a command open', async () => {
  const { daemon, order } = await start({ host: () => ({ cancel: () => new Promise(() => {}) }) });
  const stream = await fetch(`${daemon.url}/v1/events`, bearer);
  const cancel = fetch(`${daemon.url}${sessions}/s1/turns/t1/cancel`, { ...bearer, method: 'POST' });
  await new Promise(setImmediate);
  const lost = expect(cancel).rejects.toThrow();
  await daemon.stop();
  await lost;
  await stream.text().catch(() => {});
  expect(order).toEqual(['recover', 'close host', 'close mode']);
});

test('a state folder has one daemon at a time', async () => {
  const folder = stateDir();
  const { daemon } = await start({ stateDir: folder });
  await expect(start({ stateDir: folder })).rejects.toMatchObject({ code: 'state_dir_taken' });
  await daemon.stop();
  await start({ stateDir: folder });
});

test('a state folder that is a file is refused', async () => {
  const folder = stateDir();
  writeFileSync(folder, '');
  await expect(start({ stateDir: folder })).rejects.toMatchObject({ code: 'state_dir_unusable' });
});

test('a failed start leaves nothing open, and its cause is the first trouble', async () => {
  const folder = stateDir();
  let closed = 0;
  const mode = () => ({ attach: () => Promise.reject(new Error('cannot attach')), close: async () => void closed++ });
  await expect(start({ stateDir: folder, mode, host: () => ({ close: () => Promise.reject(new Error('cannot close')) }) })).rejects.toThrow('cannot attach');
  expect(closed).toBe(1);
  await start({ stateDir: folder });
});

test('the log holds failures of ours, without bodies and tokens', async () => {
  const folder = stateDir();
  const { daemon } = await start({ stateDir: folder, host: () => ({ send: () => Promise.reject(new Error('odd')) }) });
  const body = JSON.stringify({ content: [{ type: 'text', text: 'Private words' }], clientSubmitId: 'c1' });
  const reply = await fetch(`${daemon.url}${sessions}/s1/input`, { method: 'POST', body, headers: { ...bearer.headers, 'content-type': 'application/json' } });
  expect(reply.status).toBe(500);
  await fetch(`${daemon.url}/v1/bootstrap`, { headers: { authorization: 'Bearer other' } });
  const log = readFileSync(join(folder, 'daemon.log'), 'utf8');
  expect(log).toContain('odd');
  for (const secret of [tokens.window, 'Private words', 'Bearer']) expect(log).not.toContain(secret);
  expect(existsSync(join(folder, 'daemon.lock'))).toBe(true);
});
