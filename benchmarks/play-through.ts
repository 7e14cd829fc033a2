/** Plays a long tape through the real stand-in program to a reader, or the same bytes through a bare pipe. */

import { build } from 'tsdown';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { greeting, longTape, payloadBytes } from './long-tape.ts';
import { endWithUs, makeTemp, standIns } from './scratch.ts';

export type Played = { mebibytesPerSecond: number; standInPeakBytes: number; playerPeakBytes: number };

/** From the moment the product may receive to its last byte; the start of the processes is not in it. */
export async function playThrough(messageBytes: number): Promise<Played> {
  const player = start(process.execPath, [await playerProgram(), longTape(messageBytes), makeTemp('p'), standIns()]);
  const told = await firstRead(player);
  const { program, cwd } = JSON.parse(told.toString()) as { program: string; cwd: string };
  const product = start(program, ['app-server'], cwd);
  product.stdin.write(greeting.initialize);
  await firstRead(product);
  const ms = await timeBytes(product, greeting.initialized);
  const peaks = { standInPeakBytes: peakOf(product), playerPeakBytes: peakOf(player) };
  await end(product);
  await end(player);
  return { mebibytesPerSecond: perSecond(ms), ...peaks };
}

/** A Node child that writes the same sizes to its stdout, read by the same reader. */
export async function barePipe(messageBytes: number): Promise<number> {
  const child = start(process.execPath, [join(import.meta.dirname, 'bare-pipe.mjs'), String(payloadBytes), String(messageBytes)]);
  const ms = await timeBytes(child, 'go\n');
  await end(child);
  return perSecond(ms);
}

async function timeBytes(child: ChildProcess, go: string): Promise<number> {
  let left = payloadBytes;
  let startedMs = performance.now();
  const done = new Promise<number>((resolve, reject) => {
    child.stdout?.on('data', (read: Buffer) => {
      if (left === payloadBytes) startedMs = performance.now();
      left -= read.length;
      if (left === 0) resolve(performance.now() - startedMs);
    });
    child.once('close', () => reject(new Error(`the writer ended with ${left} bytes missing`)));
  });
  child.stdin?.write(go);
  return done;
}

function start(program: string, args: string[], cwd?: string) {
  return endWithUs(spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], ...(cwd ? { cwd } : {}) }));
}

function firstRead(child: ChildProcess): Promise<Buffer> {
  return new Promise((resolve, reject) => child.once('close', (code) => reject(new Error(`a process ended with ${code} before it spoke`))).stdout?.once('data', resolve));
}

let bundled: Promise<string> | null = null;

// Bundled as the package is: from sources, Node's type stripper alone would take 40 MB.
function playerProgram(): Promise<string> {
  bundled ??= bundle();
  return bundled;
}

async function bundle(): Promise<string> {
  const outDir = makeTemp('b');
  await build({ config: false, entry: { player: join(import.meta.dirname, 'play-tape.ts') }, outDir, format: 'esm', platform: 'node', target: 'node22', dts: false, clean: false, logLevel: 'silent', outExtensions: () => ({ js: '.mjs' }) });
  return join(outDir, 'player.mjs');
}

async function end(child: ChildProcess): Promise<void> {
  child.removeAllListeners('close');
  child.stdin?.end();
  await once(child, 'close');
}

// Where the kernel keeps no peak, the promise says so by a zero.
function peakOf(child: ChildProcess): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function perSecond(ms: number): number {
  return payloadBytes / 1_048_576 / (ms / 1_000);
}
