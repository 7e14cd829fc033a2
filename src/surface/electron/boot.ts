/** How the window's process gets its boot: by an inherited descriptor, never by argv or a lasting environment (design ruling 16). */

import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { WindowBoot } from '../../core/agent/wire.ts';

export const bootDescriptorName = 'PLAYHEAD_DESKTOP_BOOT_FD';

/** The boot of this process, read to the end of its descriptor, which is closed then. Its name leaves the environment at once. */
export async function readWindowBoot(env: NodeJS.ProcessEnv): Promise<WindowBoot> {
  const descriptor = env[bootDescriptorName];
  delete env[bootDescriptorName];
  if (descriptor === undefined) throw new Error(`Cannot open the window: its environment has no ${bootDescriptorName}, a descriptor was needed`);
  return parseBoot(await readDescriptor(Number(descriptor)));
}

// Not readFileSync: whoever starts us may learn the daemon's address only while Electron comes up. The stream closes it.
async function readDescriptor(descriptor: number): Promise<string> {
  try {
    return await text(createReadStream('', { fd: descriptor }));
  } catch (error) {
    throw new Error(`Cannot read the window's boot: descriptor ${descriptor} gives ${(error as NodeJS.ErrnoException).code ?? String(error)}, a readable one was needed`, { cause: error });
  }
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
