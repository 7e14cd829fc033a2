/**
 * The session recorder: always in front of the live provider processes, armed for at most one root session at a time
 * (replay-runtime 1.1 to 1.3). Live bytes never change, and completing a recording closes no process.
 */

import { assert } from '../core/assert.ts';
import { Fault } from '../core/fault.ts';
import { rootOf, type Clock, type Disk, type InputUnit, type ProcessConnection, type ProcessSpec, type ProcessTransport } from '../core/ports.ts';
import type { AllowedResidue } from '../core/projection/allow.ts';
import type { MachineFacts } from '../core/projection/audit.ts';
import type { Json } from '../core/json/exact.ts';
import type { Direction, ProviderAdapter } from '../core/provider/adapter.ts';
import type { CaptureOrigin, RecordedWith, TapeManifest } from '../core/tape/manifest.ts';
import { openCapture, type Capture } from './capture.ts';
import { RecordedConnection } from './recorded-connection.ts';
import { TapeWriter, type TapeLimits } from './writer.ts';

export type LiveTransport = ProcessTransport & { finalize?: () => Promise<void> };

export type RecorderOptions = {
  /** What starts the live processes. */
  base: LiveTransport;
  clock: Clock;
  disk: Disk;
  findProvider: (name: string) => ProviderAdapter | null;
  machine: MachineFacts;
  /** Who records; default nothing is noted. */
  recordedWith?: Pick<RecordedWith, 'playhead' | 'platform'>;
  allow?: readonly AllowedResidue[];
  limits?: TapeLimits;
  /** Hears each completely handled message that was received under a recording. */
  onUnit?: (unit: InputUnit) => void;
  /** Hears each message when it arrives under a recording, numbered as the tape does; default nobody. */
  onReceived?: (unit: InputUnit) => void;
  /** Hears each outbound chunk of a recording once it is written; default nobody. */
  onAnswered?: (connectionId: string) => void;
  /** Sees each projected message as it is kept. */
  onMessage?: (connectionId: string, direction: Direction, message: Json) => void;
};

type Recording = {
  rootSessionId: string;
  recordingId: string;
  writer: TapeWriter;
  launchCounts: Map<string, number>;
  provider: { name: string; version: string | null } | null;
};

export class RecordingTransport implements ProcessTransport {
  readonly tracksProviderInputUnits = true;
  readonly #options: RecorderOptions;
  readonly #live = new Set<RecordedConnection>();
  #recording: Recording | null = null;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  get liveCount(): number {
    return this.#live.size;
  }

  /** Starts a recording of one root session; its open connections are captured from here on. */
  arm(options: { rootSessionId: string; recordingId: string; folder: string }): void {
    const rootSessionId = options.rootSessionId.trim();
    const recordingId = options.recordingId.trim();
    if (rootSessionId === '' || recordingId === '')
      throw new Fault({ code: 'option_invalid', message: `Cannot arm recording: the ${rootSessionId === '' ? 'root session' : 'recording'} id is blank, a name was needed` });
    if (this.#recording)
      throw new Fault({ code: 'recording_busy', message: `Cannot arm recording "${recordingId}": "${this.#recording.recordingId}" is armed, one at a time was expected` });
    const writer = new TapeWriter({ folder: options.folder, disk: this.#options.disk, ...(this.#options.limits ? { limits: this.#options.limits } : {}) });
    this.#recording = { rootSessionId, recordingId, writer, launchCounts: new Map(), provider: null };
    try {
      for (const connection of this.#live) if (rootOf(connection.spec) === rootSessionId) this.#attach(connection, 'attached-live-connection');
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  /** Starts a process; where its session is being recorded, it is captured before anybody can read from it. */
  async start(spec: ProcessSpec): Promise<ProcessConnection> {
    const base = await this.#options.base.start(spec);
    const { onReceived, onAnswered } = this.#options;
    const connection = new RecordedConnection({
      spec,
      base,
      onClosed: (closed) => void this.#live.delete(closed),
      onUnit: (unit) => this.#options.onUnit?.(unit),
      ...(onReceived ? { onReceived } : {}),
      ...(onAnswered ? { onAnswered } : {}),
    });
    this.#live.add(connection);
    if (this.#recording?.rootSessionId !== rootOf(spec)) return connection;
    try {
      this.#attach(connection, 'process-start');
      return connection;
    } catch (error) {
      this.#drop();
      await connection.close();
      throw error;
    }
  }

  /** Ends the recording and gives its manifest; live processes go on unrecorded. */
  complete(rootSessionId: string): TapeManifest {
    const { writer, provider } = this.#armedFor(rootSessionId);
    const { recordedWith } = this.#options;
    if (writer.connectionCount === 0) {
      this.#drop();
      throw new Fault({ code: 'recording_empty', message: `Cannot complete recording of "${rootSessionId}": it never opened a process connection, one was needed` });
    }
    this.#detachAll();
    try {
      return writer.finalize(recordedWith && provider ? { ...recordedWith, provider } : null);
    } finally {
      this.#drop();
    }
  }

  /** Gives the recording up; what was written stays incomplete. */
  cancel(rootSessionId: string): void {
    this.#armedFor(rootSessionId);
    this.#drop();
  }

  /** The end of the program: a left-over recording is given up. */
  async finalize(): Promise<void> {
    this.#drop();
    await this.#options.base.finalize?.();
  }

  #armedFor(rootSessionId: string): Recording {
    const recording = this.#recording;
    if (recording && recording.rootSessionId === rootSessionId.trim()) return recording;
    throw new Fault({ code: 'recording_not_armed', message: `Cannot end recording of "${rootSessionId}": ${recording ? `"${recording.rootSessionId}" is armed` : 'nothing is armed'}, the armed root session was needed` });
  }

  #attach(connection: RecordedConnection, captureOrigin: CaptureOrigin): void {
    const recording = this.#recording;
    assert(recording, 'a connection was attached while nothing was armed');
    connection.attach({ recordingId: recording.recordingId, capture: this.#openCapture(recording, connection.spec, captureOrigin) });
  }

  #openCapture(recording: Recording, spec: ProcessSpec, captureOrigin: CaptureOrigin): Capture {
    const { findProvider, clock, machine, allow, onMessage } = this.#options;
    const adapter = findProvider(spec.provider);
    if (!adapter) throw new Fault({ code: 'provider_unknown', message: `Cannot record "${spec.provider}": it has no replay adapter, a registered provider was needed` });
    const agentSessionId = spec.agentSessionId.trim();
    const launch = `${agentSessionId}\n${adapter.id}`;
    const launchOrdinal = (recording.launchCounts.get(launch) ?? 0) + 1;
    recording.launchCounts.set(launch, launchOrdinal);
    recording.provider ??= { name: adapter.id, version: null };
    const { provider } = recording;
    return openCapture({
      writer: recording.writer,
      adapter,
      clock,
      agentSessionId,
      rootAgentSessionId: rootOf(spec),
      launchOrdinal,
      captureOrigin,
      speaksProtocol: true,
      cwds: projectFolders(spec),
      homes: homesOf(spec, adapter),
      machine,
      ...(allow ? { allow } : {}),
      ...(onMessage ? { onMessage } : {}),
      onVersion: (version) => (provider.version = version),
    });
  }

  #detachAll(): void {
    for (const connection of this.#live) connection.detach();
  }

  #drop(): void {
    this.#detachAll();
    this.#recording?.writer.abort();
    this.#recording = null;
  }
}

/** The folder behind the cwd token: the protocol's, else the process's (replay-runtime 1.5). */
export function projectFolders(spec: ProcessSpec): string[] {
  return [spec.protocolCwd.trim() || spec.cwd.trim()].filter((folder) => folder !== '');
}

/** Values of the provider's home variables, then of the personal ones. */
export function homesOf(spec: ProcessSpec, adapter: ProviderAdapter): string[] {
  const valueOf = (name: string) => spec.env.findLast((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  return [...adapter.homeEnv, 'HOME', 'USERPROFILE'].map(valueOf).filter((folder) => folder !== '');
}
