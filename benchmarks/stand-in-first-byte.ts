/** From the spawn of a stand-in to the first byte it answers, beside a bare start of the same Node. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { interleave, judge, type Benchmark } from './promise.ts';
import { endWithUs, makeTemp, repository, standIns } from './scratch.ts';
import { openPlayer } from './stand-in.ts';

export const standInFirstByte: Benchmark = {
  names: ['stand-in-first-byte'],
  async measure([name = ''], say) {
    say(`${name}: ${roundCount} starts each`);
    const { ours, floor } = await interleave({ rounds: roundCount, ours: startStandIn, floor: () => timeFirstByte([process.execPath, '-e', 'console.log("ready")'], repository) });
    return [judge({ name, unit: 'ms', ours, floor, wanted: { atMost: 1.3 }, of: 'ratio', note: `median of ${roundCount} spawns to the initialize result; the floor is a bare start of the same node that prints one line` })];
  },
};

async function startStandIn(): Promise<number> {
  const player = await openPlayer({ folder: makeTemp('s'), tapeFolder: join(repository, 'cases/chat-hello/cassettes/main'), programs: standIns() });
  const ms = await timeFirstByte([player.program, 'app-server'], player.cwd, initialize);
  await player.close();
  return ms;
}

async function timeFirstByte([program = '', ...args]: string[], cwd: string, input = ''): Promise<number> {
  const startedMs = performance.now();
  const child = endWithUs(spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'ignore'] }));
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.stdin.on('error', () => {}); // A program that has ended takes no input.
  child.stdin.write(input);
  await new Promise((resolve, reject) => child.stdout.once('data', resolve).once('end', () => reject(new Error(`${program} ended without an answer`))));
  const ms = performance.now() - startedMs;
  child.stdin.end();
  await closed;
  return ms;
}

const roundCount = 25;
const initialize = `${JSON.stringify({ method: 'initialize', id: 1, params: { clientInfo: { name: 'chat', title: 'Chat', version: '1.0.0' }, capabilities: { experimentalApi: true } } })}\n`;
