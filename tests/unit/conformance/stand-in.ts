/** The stand-in programs with their server, seen by a product. */

import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { Change } from '../../../src/core/signal.ts';
import type { TapeManifest } from '../../../src/core/tape/manifest.ts';
import { findProvider, providers } from '../../../src/providers/registry.ts';
import { bothNames, createStandInFolder } from '../../../src/runner/stand-in-folder.ts';
import { CassettePlayer } from '../../../src/tape/cassette-player.ts';
import { InputBarrier } from '../../../src/tape/input-barrier.ts';
import type { LoadedTape } from '../../../src/tape/load.ts';
import { nodeClock } from '../../../src/tape/node-clock.ts';
import { nodeDisk } from '../../../src/tape/node-disk.ts';
import { PlaybackClock } from '../../../src/tape/playback-clock.ts';
import { createRecordSessions } from '../../../src/tape/record-session.ts';
import { createReplaySessions } from '../../../src/tape/replay-session.ts';
import { listenForStandIns, type OpenSession } from '../../../src/tape/stand-in-server.ts';
import { TapeWriter } from '../../../src/tape/writer.ts';
import { Inbox, type Product } from './product.ts';

/** Where a live run happens; different in every run, so that nothing of the recording may show. */
export type Places = { cwd: string; home: string };
export type OpenedReplay = { cassette: CassettePlayer; start: () => Promise<Product>; close: () => Promise<void> };
export type RecordedRun = { manifest: TapeManifest };

export async function openStandIn(options: { tape: LoadedTape; places: Places; folder: string; programs: string }): Promise<OpenedReplay> {
  const { tape, places, folder, programs } = options;
  const cassette = new CassettePlayer({ tape, clock: nodeClock, playback: new PlaybackClock(nodeClock, 'instant'), barrier: new InputBarrier('free'), select: 'content' });
  const stand = await listen({ folder, programs, mode: 'replay', places, open: createReplaySessions({ cassette, findProvider, cwds: bothNames(places.cwd) }) });
  return {
    cassette,
    start: async () => stand.start(),
    async close() {
      cassette.close();
      await stand.close();
    },
  };
}

export async function recordStandIn(options: { places: Places; folder: string; programs: string; agent: string; tapeFolder: string; play: (product: Product) => Promise<void> }): Promise<RecordedRun> {
  const { places, folder, programs, agent, tapeFolder, play } = options;
  const writer = new TapeWriter({ folder: tapeFolder, disk: nodeDisk });
  const sessions = createRecordSessions({
    writer,
    clock: nodeClock,
    findProvider,
    programFor: () => ({ program: agent, path: process.env.PATH ?? '', env: { CODEX_HOME: places.home, HOME: places.home } }),
    cwds: bothNames(places.cwd),
    machine: { roots: [], host: hostname(), user: userInfo().username },
    onVersion: () => {},
    onMessage: () => {},
    onFault: () => {},
  });
  const stand = await listen({ folder, programs, mode: 'record', places, open: sessions });
  await play(stand.start());
  await stand.allClosed();
  await stand.close();
  return { manifest: writer.finalize(null) };
}

async function listen(options: { folder: string; programs: string; mode: 'replay' | 'record'; places: Places; open: OpenSession }) {
  const { folder, programs, mode, places } = options;
  mkdirSync(folder, { recursive: true });
  const stand = createStandInFolder({ path: folder, mode, providers, programs });
  const change = new Change();
  let openCount = 0;
  const open: OpenSession = (hello, link) => {
    openCount++;
    const events = options.open(hello, link);
    return {
      ...events,
      closed() {
        events.closed();
        openCount--;
        change.announce();
      },
    };
  };
  const socketPath = join(folder, 'tape.sock');
  const server = await listenForStandIns({ socketPath, open, onFault: (fault) => { throw fault; } });
  stand.register('test', { socket: socketPath, prefixes: bothNames(places.cwd), initialize: null });
  const env = stand.env(process.env, places.home);
  const children: ReturnType<typeof startProduct>[] = [];
  return {
    start(): Product {
      const child = startProduct(stand.program('codex'), places.cwd, env);
      children.push(child);
      return child.product;
    },
    async allClosed() {
      await Promise.all(children.map((child) => child.product.exit));
      while (openCount > 0) await change.next();
    },
    async close() {
      await server.close();
      await Promise.all(children.map((child) => child.product.exit));
    },
  };
}

function startProduct(program: string, cwd: string, env: NodeJS.ProcessEnv): { product: Product } {
  const child = spawn(program, ['app-server'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const [out, log] = [new Inbox(), new Inbox()];
  child.stdin.on('error', () => {}); // The stand-in may end first.
  child.stdout.on('data', (bytes: Buffer) => out.push(bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => log.push(bytes.toString()));
  const write = (text: string) => void child.stdin.write(text);
  return {
    product: {
      say: (message) => write(`${JSON.stringify(message)}\n`),
      write,
      hear: async () => JSON.parse(await out.next()) as unknown,
      hearLog: () => log.next(),
      closeInput: () => void child.stdin.end(),
      terminate: () => void child.kill('SIGTERM'),
      exit: new Promise((resolve) => child.on('close', (code) => resolve(code ?? -1))),
      unheard: () => out.rest(),
    },
  };
}
