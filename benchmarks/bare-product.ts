/** The chat product started by hand, as a test without Playhead would: environment in, address out. */

import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { endWithUs, repository } from './scratch.ts';

export type BareProduct = { url: string; stop: () => Promise<void> };

export async function startBareProduct(options: { cwd: string; env: { [name: string]: string } }): Promise<BareProduct> {
  const { cwd, env } = options;
  mkdirSync(cwd, { recursive: true });
  const child = endWithUs(spawn('node', [join(repository, 'fixtures/products/chat-node/server.mjs')], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] }));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const line = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const { url } = JSON.parse(line) as { url: string };
  return {
    url: `${url}?cwd=${encodeURIComponent(cwd)}`,
    async stop() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}
