/** The reference desktop behind the Product port: its daemon as a process of plain Node, its window in Chromium or Electron (seeds 000 to 002). */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Settings } from '../core/agent/views.ts';
import type { DaemonBoot } from '../core/control/boot.ts';
import { defineProduct, type Bridged, type Product, type ProductStart } from '../core/product.ts';
import { createRecordDaemon, createReplayDaemon, type DaemonAddress } from './daemon-client.ts';

export type DesktopOptions = {
  name?: string;
  /** Folder of the built desktop: `daemon-*.js`, `renderer/`, `electron/`. */
  folder?: string;
  /** The program that runs the daemon; default this Node. */
  node?: string;
  /** Arguments of that program before the daemon's file. */
  nodeArgs?: string[];
  /** More environment of the daemon. */
  env?: { [name: string]: string };
  composerDefaults?: Settings;
};

/** A desktop as a product; two of them differ by their folder. */
export function createDesktop(options: DesktopOptions = {}): Product {
  const { name = 'desktop', folder = join(import.meta.dirname, 'desktop') } = options;
  return defineProduct({
    name,
    version: '0.1.0',
    windows: { browser: true, electron: { args: [join(folder, 'electron')] } },
    start: async (given) => startDaemon(options, { folder, file: 'daemon-live.js', given, more: {} }),
    bridge: {
      replay: async ({ replay, ...given }) => bridged(await startDaemon(options, { folder, file: 'daemon-replay.js', given, more: { replay } }), createReplayDaemon),
      record: async ({ record, providers, ...given }) => bridged(await startDaemon(options, { folder, file: 'daemon-record.js', given, more: { record: { ...record, agentTargetId: 'local:codex' }, providers } }), createRecordDaemon),
    },
  });
}

type Started = { url: string; stop?: () => void | Promise<void>; windowToken: string; controlToken: string };

async function startDaemon(options: DesktopOptions, start: { folder: string; file: string; given: ProductStart; more: Partial<DaemonBoot> }): Promise<Started> {
  const { folder, file, given, more } = start;
  const tokens = { windowToken: randomToken(), controlToken: randomToken() };
  const boot: DaemonBoot = {
    stateDir: given.stateDir,
    projectDir: given.cwd,
    rendererDir: join(folder, 'renderer'),
    composerDefaults: options.composerDefaults ?? { model: 'scripted', permissionModeId: 'ask', reasoningEffort: 'default', speed: 'standard' },
    ...tokens,
    ...more,
  };
  // Tokens go by the pipe alone: neither arguments nor environment hold them (design ruling 16).
  const command = [options.node ?? process.execPath, '--disable-warning=ExperimentalWarning', ...(options.nodeArgs ?? []), join(folder, file)];
  const running = await given.run(command, { env: { ...given.env, ...options.env }, input: `${JSON.stringify(boot)}\n`, readUrl });
  return { ...running, url: running.url ?? '', ...tokens };
}

function bridged<Daemon>({ url, stop, windowToken, controlToken }: Started, create: (address: DaemonAddress) => Daemon): Bridged<Daemon> {
  return { url, boot: { baseUrl: url, token: windowToken }, daemon: create({ url, token: controlToken }), ...(stop ? { stop } : {}) };
}

function readUrl(line: string): string | null {
  if (!line.startsWith('{"url"')) return null;
  return (JSON.parse(line) as { url: string }).url;
}

function randomToken(): string {
  return randomBytes(24).toString('base64url');
}

/** The desktop as the package brings it. */
export const desktop: Product = createDesktop();
