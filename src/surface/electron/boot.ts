/** How the window's process gets its boot: by an inherited descriptor or a private file, never by argv or a lasting environment (design ruling 16). */

import { createReadStream, existsSync, readFileSync, statSync, unlinkSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { WindowBoot } from '../../core/agent/wire.ts';

export const bootDescriptorName = 'PLAYHEAD_DESKTOP_BOOT_FD';
export const bootFileName = 'PLAYHEAD_DESKTOP_BOOT_FILE';

/**
 * The boot of this process, read to the end of its descriptor, or of its file as soon as that has been renamed into place.
 * Both names leave the environment at once; the descriptor is closed and the file removed.
 */
export async function readWindowBoot(env: NodeJS.ProcessEnv): Promise<WindowBoot> {
  const descriptor = env[bootDescriptorName];
  const file = env[bootFileName];
  delete env[bootDescriptorName];
  delete env[bootFileName];
  if (descriptor !== undefined) return parseBoot(await readDescriptor(Number(descriptor)));
  if (file !== undefined) return parseBoot(await readPrivateFile(file));
  throw new Error(`Cannot open the window: its environment has no ${bootDescriptorName}, a descriptor or ${bootFileName} was needed`);
}

// Not readFileSync: whoever starts us may learn the daemon's address only while Electron comes up. The stream closes it.
async function readDescriptor(descriptor: number): Promise<string> {
  try {
    return await text(createReadStream('', { fd: descriptor }));
  } catch (error) {
    throw new Error(`Cannot read the window's boot: descriptor ${descriptor} gives ${(error as NodeJS.ErrnoException).code ?? String(error)}, a readable one was needed`, { cause: error });
  }
}

async function readPrivateFile(file: string): Promise<string> {
  await untilThere(file);
  const { mode } = statSync(file);
  if ((mode & 0o077) !== 0) throw new Error(`Cannot read the window's boot: its file has mode ${(mode & 0o777).toString(8)}, 600 was needed`);
  const given = readFileSync(file, 'utf8');
  unlinkSync(file);
  return given;
}

function untilThere(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Watched first and looked at then, or a file that comes in between is missed.
    const watcher = watch(dirname(file));
    const look = () => {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    };
    watcher.on('change', look).once('error', reject);
    look();
  });
}

/** Checks the text of a boot: JSON with a token and an address on this machine. */
export function parseBoot(given: string): WindowBoot {
  const { baseUrl, token } = parseObject(given);
  if (typeof token !== 'string' || token === '') throw new Error('Cannot open the window: its boot has no token, one was needed');
  if (typeof baseUrl !== 'string' || !isLoopback(baseUrl)) throw new Error('Cannot open the window: its boot has no loopback address, "http://127.0.0.1:<port>" was needed');
  return { baseUrl, token };
}

function parseObject(given: string): { [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Its text may hold the token: what is wrong with it is not quoted.
  }
  throw new Error('Cannot open the window: its boot is no JSON object, one was needed');
}

function isLoopback(address: string): boolean {
  return URL.canParse(address) && loopback.test(new URL(address).origin);
}

const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;
