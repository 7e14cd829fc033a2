/** Any command with the provider programs replaced: recorded, replayed, or only counted (interface.md, `wrap` and `doctor --wrap`). */

import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { Fault } from '../core/fault.ts';
import type { ProviderAdapter } from '../core/provider/adapter.ts';
import { limits } from '../core/limits.ts';
import type { RefusedLaunch } from '../core/shim/folder.ts';
import type { Timing, Verdict } from '../core/verdict/verdict.ts';
import { findProvider, providers } from '../providers/registry.ts';
import { CassettePlayer } from '../tape/cassette-player.ts';
import { InputBarrier } from '../tape/input-barrier.ts';
import { nodeClock } from '../tape/node-clock.ts';
import { nodeDisk } from '../tape/node-disk.ts';
import { PlaybackClock } from '../tape/playback-clock.ts';
import { createRecordSessions } from '../tape/record-session.ts';
import { createReplaySessions } from '../tape/replay-session.ts';
import { listenForStandIns, type StandInServer } from '../tape/stand-in-server.ts';
import { TapeWriter } from '../tape/writer.ts';
import { buildVerdict, refusedVerdict } from './build-verdict.ts';
import { machineCanaries } from './canaries.ts';
import { openCassette, shortPath, type CassetteFacts } from './case-files.ts';
import { runChild } from './child.ts';
import { lostLaunch } from './launches.ts';
import { realProgram } from './real-program.ts';
import type { RunFacts } from './run.ts';
import { sealTape } from './seal.ts';
import { bothNames, createStandInFolder } from './stand-in-folder.ts';
import { playheadVersion, programsFolder } from './versions.ts';
import type { Workroom } from './workroom.ts';

export type WrapOptions = { providers: string[]; folder: string; command: string[]; workroom: Workroom; output: 'inherit' | 'stderr' };

export async function wrapRecord(options: WrapOptions & { allow: readonly { method: string | null; rule: string }[] }): Promise<{ exitCode: number; cassette: CassetteFacts }> {
  const target = resolve(options.folder);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Fault({ code: 'cassette_exists', message: `Cannot record into "${shortPath(target)}": it is not empty, a free folder was needed` });
  const cwd = process.cwd();
  const adapters = adaptersFor(options.providers);
  const stand = createStandInFolder({ path: options.workroom.makeFolder('s'), mode: 'record', providers: adapters, programs: programsFolder() });
  const writer = new TapeWriter({ folder: options.workroom.makeFolder('tape'), disk: nodeDisk });
  const seen: { fault: Fault | null; version: string | null } = { fault: null, version: null };
  const socketPath = join(stand.path, 'tape.sock');
  const server = await listenForStandIns({
    socketPath,
    open: createRecordSessions({
      writer,
      clock: nodeClock,
      findProvider,
      programFor: realProgram,
      cwds: bothNames(cwd),
      machine: { roots: [], host: hostname(), user: userInfo().username },
      allow: options.allow,
      onVersion: (version) => (seen.version = version),
      onMessage: () => {},
      onFault: (fault) => (seen.fault ??= fault),
    }),
    onFault: (fault) => (seen.fault ??= fault),
  });
  stand.register('wrap', { socket: socketPath, prefixes: [...bothNames(cwd), '/'], initialize: null });
  const exitCode = await runChild({ command: options.command, env: stand.env(process.env, 'own'), workroom: options.workroom, output: options.output, settle: () => emptied(server) });
  await server.close();
  if (seen.fault || writer.connectionCount === 0) {
    writer.abort();
    throw (seen.fault && withAllowOption(seen.fault)) ?? new Fault({ code: 'recording_empty', message: `Cannot seal recording: "${options.command.join(' ')}" started no ${options.providers.join(' or ')}, one launch was needed` });
  }
  writer.finalize({ playhead: playheadVersion(), provider: { name: adapters[0]?.id ?? '', version: seen.version }, platform: `${process.platform}-${process.arch}` });
  if (existsSync(target)) rmdirSync(target);
  return { exitCode, cassette: sealTape({ tapeFolder: writer.folder, target, canaries: machineCanaries() }) };
}

export async function wrapReplay(options: WrapOptions & { timing: Timing; stallMs: number }): Promise<{ exitCode: number; verdict: Verdict }> {
  const { command, timing } = options;
  const cwd = process.cwd();
  const adapters = adaptersFor(options.providers);
  const opened = openCassette({ folder: resolve(options.folder) });
  const facts: RunFacts = { case: null, cassette: opened.facts, product: { name: command[0] ?? '', version: null }, drive: 'spec', surface: 'none', timing, browser: null };
  if (!opened.tape) return { exitCode: 1, verdict: refusedVerdict({ facts, issues: opened.issues, fault: null, frameCount: 0 }) };
  const startedMs = nodeClock.now();
  let fault: Fault | null = null;
  const cassette = new CassettePlayer({ tape: opened.tape, clock: nodeClock, playback: new PlaybackClock(nodeClock, timing), barrier: new InputBarrier('free'), select: 'content' });
  const stand = createStandInFolder({ path: options.workroom.makeFolder('s'), mode: 'replay', providers: adapters, programs: programsFolder(), stallMs: options.stallMs });
  const socketPath = join(stand.path, 'tape.sock');
  const server = await listenForStandIns({ socketPath, open: createReplaySessions({ cassette, findProvider, cwds: bothNames(cwd) }), onFault: (error) => void (cassette.register.first ?? (fault ??= error)) });
  stand.register('wrap', { socket: socketPath, prefixes: [...bothNames(cwd), '/'], initialize: opened.tape.lanes.find((lane) => lane.speaksProtocol)?.initialize ?? null });
  const stop = new AbortController();
  const ended = runChild({ command, env: stand.env(process.env), workroom: options.workroom, output: options.output, signal: stop.signal, settle: () => emptied(server) });
  const watch = watchStall(cassette, options.stallMs, stop);
  const exitCode = await ended;
  watch.end();
  await server.close();
  // The command is over: what it has not sent now it never will.
  const lost = cassette.launches.arrived === 0 ? lostLaunch(stand.arrivals(), cassette) : null;
  if (lost) cassette.register.report(lost);
  else if (cassette.launches.arrived === 0 && !cassette.register.first) fault ??= new Fault({ code: 'provider_not_intercepted', message: `Cannot replay "${command.join(' ')}": it started no ${options.providers.join(' or ')} by name, one launch was expected` });
  else reportMissing(cassette);
  cassette.close();
  const verdict = buildVerdict({ facts, tape: opened.tape, cassette, fault, isReached: cassette.isDrained && !cassette.register.first, checkpoints: [], shots: new Map(), durationMs: nodeClock.now() - startedMs, startedMs });
  return { exitCode, verdict };
}

/** Starts a command with stand-ins that refuse, and counts what arrives. */
export async function countArrivals(options: { command: string[]; workroom: Workroom; limitMs: number }): Promise<{ arrivals: RefusedLaunch[]; exitCode: number }> {
  const stand = createStandInFolder({ path: options.workroom.makeFolder('s'), mode: 'replay', providers, programs: programsFolder() });
  const stop = new AbortController();
  const cancel = nodeClock.after(options.limitMs, () => stop.abort());
  const exitCode = await runChild({ command: options.command, env: stand.env(process.env), workroom: options.workroom, output: 'stderr', signal: stop.signal });
  cancel();
  return { arrivals: stand.arrivals(), exitCode };
}

// `wrap` has no case.json; the same rule is an option here.
function withAllowOption(fault: Fault): Fault {
  const { method, path } = fault.facts;
  if (fault.code !== 'recording_not_portable' || typeof path !== 'string') return fault;
  const rule = `${typeof method === 'string' ? `${method}:` : ''}${path.replace(/\[\d+\]/g, '[]')}`;
  return new Fault({ code: fault.code, message: fault.message, at: fault.at, facts: fault.facts, next: [`playhead wrap … --allow '${rule}'`] });
}

function reportMissing(cassette: CassettePlayer): void {
  const missing = cassette.isDrained ? null : cassette.findMissing();
  if (missing) cassette.register.report(missing);
}

// What the command's providers still have to say when it is over: the end of stdin, the last bytes, the exit.
async function emptied(server: StandInServer): Promise<void> {
  const endMs = nodeClock.now() + limits.stopMs;
  while (server.openCount() > 0 && nodeClock.now() < endMs) await new Promise<void>((resolve) => void nodeClock.after(pollMs, resolve));
}

// A command that waits for a message that never comes is ended when nothing moved for the limit while it has a provider open;
// soon after a divergence, whatever it waits for then.
function watchStall(cassette: CassettePlayer, stallMs: number, stop: AbortController): { end: () => void } {
  const over = new AbortController();
  void (async () => {
    while (!over.signal.aborted) {
      const isWaiting = cassette.register.first !== null || (cassette.launches.arrived > 0 && !cassette.isDrained);
      const limitMs = cassette.register.first ? Math.min(stallMs, divergedMs) : stallMs;
      if (isWaiting && cassette.idleMs >= limitMs) return stop.abort();
      const tick = new AbortController();
      const cancel = nodeClock.after(Math.max(1, isWaiting ? limitMs - cassette.idleMs : limitMs), () => tick.abort());
      await cassette.moved.next(AbortSignal.any([tick.signal, over.signal]));
      cancel();
    }
  })();
  return { end: () => over.abort() };
}

function adaptersFor(names: string[]): ProviderAdapter[] {
  return names.map((name) => {
    const adapter = findProvider(name);
    if (!adapter) throw new Fault({ code: 'provider_unknown', message: `Cannot wrap "${name}": it has no adapter, one of ${providers.map((known) => known.id).join(', ')} was needed` });
    return adapter;
  });
}

const pollMs = 10;
// A command that was refused gets this long to say so itself (design ruling 8: red within 2 s).
const divergedMs = 1_000;
