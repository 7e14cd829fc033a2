/** The desktop started by hand, as a test without Playhead would: the same daemon and window entries, nothing that steers or judges them. */

import type { BrowserContext, Page, PlaywrightWorkerArgs } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DaemonBoot } from '../../src/core/control/boot.ts';
import { endWithUs, repository } from '../scratch.ts';

export type BareDaemon = { url: string; boot: { baseUrl: string; token: string }; stop: () => Promise<void> };

export const desktopFolder = join(dirname(fileURLToPath(import.meta.resolve('playhead/desktop'))), 'desktop');

export async function startBareDaemon({ folder, cassette }: { folder: string; cassette: string }): Promise<BareDaemon> {
  const [stateDir, projectDir] = ['state', 'project'].map((name) => join(folder, name)) as [string, string];
  for (const path of [stateDir, projectDir]) mkdirSync(path, { recursive: true });
  const { id } = JSON.parse(readFileSync(join(cassette, 'cassette.json'), 'utf8')) as { id: string };
  const boot: DaemonBoot = {
    stateDir,
    projectDir,
    rendererDir: join(desktopFolder, 'renderer'),
    windowToken: 'window'.padEnd(32, '-'),
    controlToken: 'control'.padEnd(32, '-'),
    composerDefaults: { model: 'scripted', permissionModeId: 'ask', reasoningEffort: 'default', speed: 'standard' },
    replay: { cassetteId: id, folder: cassette, timing: 'instant' },
  };
  const child = endWithUs(spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(desktopFolder, 'daemon-replay.js')], { cwd: projectDir, stdio: ['pipe', 'pipe', 'ignore'] }));
  const closed = once(child, 'close');
  child.stdin.write(`${JSON.stringify(boot)}\n`);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url?: string };
  if (url === undefined) throw new Error(`the daemon did not start: ${line}`);
  return {
    url,
    boot: { baseUrl: url, token: boot.windowToken },
    async stop() {
      child.stdin.end();
      await closed;
    },
  };
}

export type BareWindow = { context: BrowserContext; page: Page; stop: () => Promise<void> };

/** Electron with one window, by the same switches as a replay's, so that both draw the same. */
export async function startBareElectron(options: { playwright: PlaywrightWorkerArgs['playwright']; boot: BareDaemon['boot']; folder: string; program: string }): Promise<BareWindow> {
  const { playwright, boot, folder, program } = options;
  const userDataDir = join(folder, 'window');
  mkdirSync(userDataDir, { recursive: true });
  const switches = ['--remote-debugging-port=0', `--user-data-dir=${userDataDir}`, '--window-size=900x700', '--force-device-scale-factor=1', '--force-color-profile=srgb', '--disable-partial-raster', '--disable-gpu', '--lang=en-US', '--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  const env = { PATH: process.env.PATH, DISPLAY: process.env.DISPLAY, DBUS_SESSION_BUS_ADDRESS: 'disabled:', DBUS_SYSTEM_BUS_ADDRESS: 'disabled:', TMPDIR: userDataDir, XDG_CONFIG_HOME: userDataDir, XDG_CACHE_HOME: userDataDir, XDG_RUNTIME_DIR: userDataDir, PLAYHEAD_DESKTOP_BOOT_FD: '3' };
  const child: ChildProcess = endWithUs(spawn(program, [...switches, join(desktopFolder, 'electron')], { cwd: userDataDir, env, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] }));
  const closed = once(child, 'exit');
  (child.stdio[3] as Writable).end(JSON.stringify(boot));
  const browser = await playwright.chromium.connectOverCDP(await endpointOf(child.stderr as Readable));
  const context = browser.contexts()[0] as BrowserContext;
  return {
    context,
    page: context.pages()[0] ?? (await context.waitForEvent('page')),
    async stop() {
      await context.close().catch(() => {});
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function endpointOf(output: Readable): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: output }).on('line', (line) => {
      const [, endpoint] = /^DevTools listening on (ws:\/\/\S+)/.exec(line) ?? [];
      if (endpoint !== undefined) resolve(endpoint);
    });
  });
}

/** Where this repository keeps the program; a packaged `electron` is looked for by the bench's caller alone. */
export const electronProgram = join(repository, 'tools/electron/dist/electron');
