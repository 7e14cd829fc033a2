/** The in-process transports, seen by a product. */

import { spawn } from 'node:child_process';
import { hostname, userInfo } from 'node:os';
import { emptyStamp, type ProcessConnection, type ProcessFrame, type ProcessSpec, type ProcessTransport } from '../../../src/core/ports.ts';
import { Change } from '../../../src/core/signal.ts';
import { findProvider } from '../../../src/providers/registry.ts';
import type { CassettePlayer } from '../../../src/tape/cassette-player.ts';
import type { LoadedTape } from '../../../src/tape/load.ts';
import { nodeClock } from '../../../src/tape/node-clock.ts';
import { nodeDisk } from '../../../src/tape/node-disk.ts';
import { RecordingTransport } from '../../../src/tape/recording-transport.ts';
import { ReplayTransport } from '../../../src/tape/replay-transport.ts';
import { Inbox, type Product } from './product.ts';
import type { OpenedReplay, Places, RecordedRun } from './stand-in.ts';

export async function openInProcess(options: { tape: LoadedTape; places: Places }): Promise<OpenedReplay> {
  const transport = new ReplayTransport({ registrations: [{ cassetteId: 'c', rootAgentSessionId: 'wrap', tape: options.tape }], clock: nodeClock, findProvider });
  const cassette: CassettePlayer = transport.cassette('c');
  return {
    cassette,
    start: async () => productOf(await transport.start(specOf(options.places))),
    close: async () => cassette.close(),
  };
}

export async function recordInProcess(options: { places: Places; agent: string; tapeFolder: string; play: (product: Product) => Promise<void> }): Promise<RecordedRun> {
  const { places, agent, tapeFolder, play } = options;
  const recorder = new RecordingTransport({ base: localTransport(agent), clock: nodeClock, disk: nodeDisk, findProvider, machine: { roots: [], host: hostname(), user: userInfo().username } });
  recorder.arm({ rootSessionId: 'wrap', recordingId: 'r', folder: tapeFolder });
  const product = productOf(await recorder.start(specOf(places)));
  await play(product);
  return { manifest: recorder.complete('wrap') };
}

function specOf({ cwd, home }: Places): ProcessSpec {
  return { provider: 'codex', agentSessionId: 'wrap', rootAgentSessionId: '', command: ['codex', 'app-server'], env: [`HOME=${home}`, `CODEX_HOME=${home}`, `PATH=${process.env.PATH}`], cwd, protocolCwd: '' };
}

function productOf(connection: ProcessConnection): Product {
  const [out, log] = [new Inbox(), new Inbox()];
  let sends = Promise.resolve();
  let input = '';
  // What is refused is in the register; a product that goes on is what these tests look at.
  const write = (text: string) => {
    const lines = (input + text).split('\n');
    input = lines.pop() ?? '';
    for (const line of lines) sends = sends.then(() => connection.send(Buffer.from(`${line}\n`)).catch(() => {}));
  };
  const exit = (async () => {
    for (;;) {
      const frame = await connection.recv();
      if (!frame) return -1;
      if (frame.kind === 'exit') return frame.exitCode;
      (frame.kind === 'stdout' ? out : log).push(frame.bytes.toString());
    }
  })();
  return {
    say: (message) => write(`${JSON.stringify(message)}\n`),
    write,
    hear: async () => JSON.parse(await out.next()) as unknown,
    hearLog: () => log.next(),
    closeInput: () => void sends.then(() => connection.closeInput?.()),
    terminate: () => connection.terminate?.(),
    exit,
    unheard: () => out.rest(),
  };
}

/** A real child process behind the port, as a daemon starts it. */
function localTransport(program: string): ProcessTransport {
  return {
    tracksProviderInputUnits: false,
    start: async (spec) => {
      const child = spawn(program, spec.command.slice(1), { cwd: spec.cwd, env: Object.fromEntries(spec.env.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)])) });
      const frames: ProcessFrame[] = [];
      const change = new Change();
      const push = (frame: ProcessFrame) => {
        frames.push(frame);
        change.announce();
      };
      child.stdout.on('data', (bytes: Buffer) => push({ stamp: emptyStamp, kind: 'stdout', bytes }));
      child.stderr.on('data', (bytes: Buffer) => push({ stamp: emptyStamp, kind: 'stderr', bytes }));
      child.on('close', (code) => push({ stamp: emptyStamp, kind: 'exit', exitCode: code ?? -1, message: null }));
      return {
        send: (bytes) => new Promise((resolve, reject) => void child.stdin.write(bytes, (error) => (error ? reject(error) : resolve()))),
        async recv(signal) {
          while (frames.length === 0 && !signal?.aborted) await change.next(signal);
          return frames.shift() ?? null;
        },
        close: async () => void child.kill('SIGKILL'),
        closeInput: () => void child.stdin.end(),
        terminate: () => void child.kill('SIGTERM'),
      };
    },
  };
}
