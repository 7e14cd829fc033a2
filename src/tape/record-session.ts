/** One launch in record mode: the stand-in runs the real program, this end writes the tape and fails closed. */

import { Fault, toFault } from '../core/fault.ts';
import { limits } from '../core/limits.ts';
import { isBlank, LineSplitter } from '../core/lines.ts';
import type { Clock } from '../core/ports.ts';
import type { AllowedResidue } from '../core/projection/allow.ts';
import type { MachineFacts } from '../core/projection/audit.ts';
import type { Json } from '../core/json/exact.ts';
import type { Direction, ProviderAdapter } from '../core/provider/adapter.ts';
import type { Hello } from '../core/shim/wire.ts';
import { plainSessionId, wrapSessionId } from '../core/tape/manifest.ts';
import { openCapture, type Capture } from './capture.ts';
import type { OpenSession, SessionEvents, SessionLink } from './stand-in-server.ts';
import type { TapeWriter } from './writer.ts';

export type RecordHost = {
  writer: TapeWriter;
  clock: Clock;
  findProvider: (name: string) => ProviderAdapter | null;
  /** The real program for a provider, and the environment it needs beside the product's. */
  programFor: (provider: string) => { program: string; path: string; env: { [name: string]: string } } | null;
  cwds: string[];
  machine: MachineFacts;
  allow?: readonly AllowedResidue[];
  onVersion: (version: string) => void;
  /** Each message as it is kept. */
  onMessage: (connectionId: string, direction: Direction, message: Json, adapter: ProviderAdapter) => void;
  onFault: (fault: Fault) => void;
};

export function createRecordSessions(host: RecordHost): OpenSession {
  const ordinals = new Map<string, number>();
  return (hello, link) => {
    const adapter = host.findProvider(hello.provider);
    const program = host.programFor(hello.provider);
    if (!adapter || !program) {
      const fault = new Fault({ code: adapter ? 'provider_missing' : 'provider_unknown', message: `Cannot record "${hello.provider}": ${adapter ? 'no real program stands behind it on PATH' : 'it has no adapter'}, one was needed` });
      host.onFault(fault);
      link.refuse({ message: fault.message, exitCode: limits.exitLost });
      return silentEvents;
    }
    const speaksProtocol = adapter.speaksProtocol(hello.argv);
    const session = speaksProtocol ? wrapSessionId : plainSessionId;
    const key = `${session} ${adapter.id}`;
    const launchOrdinal = (ordinals.get(key) ?? 0) + 1;
    ordinals.set(key, launchOrdinal);
    const capture = guard(host, link, () => open(host, hello, { adapter, session, launchOrdinal, speaksProtocol, env: program.env }));
    if (!capture) return silentEvents;
    link.accept({ mode: 'record', ...program });
    return createEvents(host, link, capture, speaksProtocol);
  };
}

type Opening = { adapter: ProviderAdapter; session: string; launchOrdinal: number; speaksProtocol: boolean; env: { [name: string]: string } };

function open(host: RecordHost, hello: Hello, opening: Opening): Capture {
  const env = { ...hello.env, ...opening.env };
  const homes = [...opening.adapter.homeEnv, 'HOME', 'USERPROFILE'].flatMap((name) => (env[name] ? [env[name]] : []));
  return openCapture({
    writer: host.writer,
    adapter: opening.adapter,
    clock: host.clock,
    agentSessionId: opening.session,
    rootAgentSessionId: wrapSessionId,
    launchOrdinal: opening.launchOrdinal,
    captureOrigin: 'process-start',
    argv: hello.argv,
    speaksProtocol: opening.speaksProtocol,
    cwds: host.cwds.length > 0 ? host.cwds : [hello.cwd],
    homes,
    machine: host.machine,
    ...(host.allow ? { allow: host.allow } : {}),
    onVersion: host.onVersion,
    onMessage: (connectionId, direction, message) => host.onMessage(connectionId, direction, message, opening.adapter),
  });
}

function createEvents(host: RecordHost, link: SessionLink, capture: Capture, speaksProtocol: boolean): SessionEvents {
  const lines = new LineSplitter();
  const keep = (record: () => void) => void guard(host, link, record);
  return {
    // One complete line is one chunk, whatever the reads were (stand-in b1); a blank one carries no message, here and at replay.
    stdin: (bytes) => keep(() => (speaksProtocol ? lines.push(Buffer.from(bytes)).filter((line) => !isBlank(line)).forEach(capture.outbound) : capture.outbound(bytes))),
    stdinEnd: () =>
      keep(() => {
        const rest = lines.take();
        if (!isBlank(rest)) capture.outbound(rest);
        capture.inputEnded();
      }),
    signal: () => keep(() => capture.inputEnded()),
    written: () => {},
    stdout: (bytes) => keep(() => void capture.stdout(bytes)),
    stderr: (bytes) => keep(() => void capture.stderr(bytes)),
    exit: (exit) =>
      keep(() => {
        if (exit.message !== 'self') capture.inputEnded();
        capture.exit(exit.code, exit.message);
      }),
    closed: () => capture.detach(),
  };
}

function guard<T>(host: RecordHost, link: SessionLink, record: () => T): T | null {
  try {
    return record();
  } catch (error) {
    const fault = toFault(error, 'record the provider');
    host.onFault(fault);
    link.refuse({ message: fault.message, exitCode: limits.exitLost });
    return null;
  }
}

const silentEvents: SessionEvents = { stdin() {}, stdinEnd() {}, signal() {}, written() {}, stdout() {}, stderr() {}, exit() {}, closed() {} };
