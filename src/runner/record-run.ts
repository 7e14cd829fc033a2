/** Records one run of a case from the real provider, with the same face as a replay, so that one spec serves both. */

import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Target, TapeCheckpoint } from '../core/case/checkpoints.ts';
import { assert } from '../core/assert.ts';
import { Fault } from '../core/fault.ts';
import type { Json } from '../core/json/exact.ts';
import { limits } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import type { Product } from '../core/product.ts';
import type { Direction, Observer, ProviderAdapter } from '../core/provider/adapter.ts';
import { Change } from '../core/signal.ts';
import type { TapeObservation } from '../core/tape/lane.ts';
import type { Divergence } from '../core/verdict/divergence.ts';
import type { Verdict } from '../core/verdict/verdict.ts';
import { findProvider, providers } from '../providers/registry.ts';
import { nodeDisk } from '../tape/node-disk.ts';
import { createRecordSessions } from '../tape/record-session.ts';
import { listenForStandIns, type StandInServer } from '../tape/stand-in-server.ts';
import { TapeWriter } from '../tape/writer.ts';
import { refusedVerdict } from './build-verdict.ts';
import { machineCanaries } from './canaries.ts';
import { endInSteps } from './end-in-steps.ts';
import { LiveTargets } from './live-targets.ts';
import { startProduct, type StartedProduct } from './product.ts';
import { realProgram, type RealProgram } from './real-program.ts';
import { toApprovals, toToolCalls } from './inspect.ts';
import { prepareProject } from './project-folder.ts';
import type { Reached, Run, RunFacts, ToolCall } from './run.ts';
import { openRecordEnvironment, readSmallFiles } from './record-environment.ts';
import type { ModelRequest, ScriptedModel } from './scripted-model.ts';
import { sealTape } from './seal.ts';
import { bothNames, createStandInFolder, openSharedFolder, type StandInFolder } from './stand-in-folder.ts';
import { playheadVersion, programsFolder } from './versions.ts';
import type { Workroom } from './workroom.ts';

export type RecordOptions = {
  facts: RunFacts;
  product: Product;
  workroom: Workroom;
  clock: Clock;
  /** Absolute path of the model script; `null` records with the machine's own provider set-up. */
  script: string | null;
  /** Provider → real program; others are the next of that name on PATH. */
  programs: { [provider: string]: string };
  /** Where the sealed cassette goes. */
  target: string;
  startMs: number;
  sharedFolder: string | null;
};

export class RecordRun implements Run {
  readonly mode = 'record';
  readonly cwd: string;
  readonly checkpoints: readonly TapeCheckpoint[] = [];
  readonly divergence: Divergence | null = null;
  readonly #options: RecordOptions;
  readonly #folder: StandInFolder;
  readonly #writer: TapeWriter;
  readonly #home: string;
  readonly #observers = new Map<string, Observer>();
  readonly #targets: LiveTargets;
  readonly #sent: Json[] = [];
  readonly #change = new Change();
  #server: StandInServer | null = null;
  #product: StartedProduct | null = null;
  #model: ScriptedModel | null = null;
  #modelLog: ModelRequest[] = [];
  #files: { [name: string]: string } = {};
  #modelEnv: { [name: string]: string } = {};
  #unregister: (() => void)[] = [];
  #fault: Fault | null = null;
  #version: string | null = null;
  #isKept = false;
  #ended: Promise<Verdict> | null = null;

  private constructor(options: RecordOptions, cwd: string) {
    this.#options = options;
    this.cwd = cwd;
    this.#targets = new LiveTargets(options.facts.case?.checkpoints ?? {});
    this.#home = options.workroom.makeFolder('home');
    this.#writer = new TapeWriter({ folder: options.workroom.makeFolder('tape'), disk: nodeDisk });
    this.#folder = createStandInFolder({ path: options.workroom.makeFolder('s'), mode: 'record', providers, programs: programsFolder() });
  }

  static async start(options: RecordOptions): Promise<RecordRun> {
    const run = new RecordRun(options, prepareProject(options));
    try {
      await run.#open();
      return run;
    } catch (error) {
      await run.end();
      throw error;
    }
  }

  get url(): string | null {
    return this.#product?.url ?? null;
  }

  get env(): { [name: string]: string } {
    // Without a scripted model the person's own set-up answers, with its home and its keys.
    return this.#folder.env(process.env, this.#options.script === null ? 'own' : this.#home);
  }

  /** What the run left, once it has ended: evidence beside the tape. */
  get evidence(): { providerVersion: string | null; model: ModelRequest[]; files: { [name: string]: string } } {
    return { providerVersion: this.#version, model: this.#modelLog, files: this.#files };
  }

  get fault(): Fault | null {
    return this.#fault;
  }

  programFor(provider: string): string {
    return this.#folder.program(provider);
  }

  async playTo(target: Target): Promise<Reached> {
    this.#targets.check(target);
    return this.#reach(() => this.#targets.find(target), `record to ${JSON.stringify(target)}`);
  }

  async nextCheckpoint(): Promise<Reached> {
    return this.#reach(() => this.#targets.findNext(), 'record to the next checkpoint');
  }

  // The real provider has its own pace.
  pause(): void {}
  resume(): void {}
  setSpeed(): void {}
  changed(signal: AbortSignal): Promise<void> {
    return this.#change.next(signal);
  }

  onDivergence(): void {}
  setShoot(): void {}
  ready(): void {}
  leave(): void {}

  sent(): Json[] {
    return [...this.#sent];
  }

  toolCalls(): ToolCall[] {
    return toToolCalls(this.#targets.observations);
  }

  approvals(): Json[] {
    return toApprovals(this.#targets.observations);
  }

  /** Waits until nothing is open: every turn, request and interaction has come to its end. */
  async settle(how: 'play' | 'judge'): Promise<void> {
    if (how === 'judge') return;
    await this.#await(() => this.#observers.size > 0 && [...this.#observers.values()].every((observer) => observer.open().length === 0), 'finish the recording');
    // A run that came to its end is worth keeping; a failed one is never sealed (stand-in c18).
    this.#isKept = true;
  }

  /** Sealing needs the word of the spec that all went well. */
  keep(isKept: boolean): void {
    this.#isKept = isKept;
  }

  verdict(): Verdict {
    const verdict = refusedVerdict({ facts: this.#options.facts, issues: [], fault: this.#fault, frameCount: 0 });
    return { ...verdict, result: this.#fault ? 'faulted' : this.#isKept ? 'passed' : 'failed' };
  }

  end(): Promise<Verdict> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #open(): Promise<void> {
    const options = this.#options;
    const { cwd } = this;
    const onFault = (fault: Fault) => this.#fail(fault);
    if (options.script !== null) {
      const { model, env } = await openRecordEnvironment({ script: options.script, home: this.#home, workroom: options.workroom });
      this.#model = model;
      this.#modelEnv = env;
    }
    const socketPath = join(this.#folder.path, 'tape.sock');
    this.#server = await listenForStandIns({
      socketPath,
      open: createRecordSessions({
        writer: this.#writer,
        clock: options.clock,
        findProvider,
        programFor: (provider) => this.#programFor(provider),
        cwds: bothNames(cwd),
        machine: { roots: [options.workroom.path], host: hostname(), user: userInfo().username },
        allow: (options.facts.case?.allow ?? []).filter((rule) => rule.layer === 'cassette').map((rule) => ({ method: rule.method ?? null, rule: rule.rule })),
        onVersion: (version) => (this.#version = version),
        onMessage: (connectionId, direction, message, adapter) => this.#see({ connectionId, direction, message, adapter }),
        onFault,
      }),
      onFault,
    });
    const route = { socket: socketPath, prefixes: bothNames(cwd), initialize: null };
    this.#unregister.push(this.#folder.register('recording', route));
    if (options.sharedFolder) this.#unregister.push(openSharedFolder(options.sharedFolder, 'record').register(`recording-${process.pid}`, route));
    this.#product = await startProduct({ product: options.product, cwd, stateDir: options.workroom.makeFolder('state'), env: this.env, workroom: options.workroom, clock: options.clock, startMs: options.startMs });
  }

  #programFor(provider: string): RealProgram | null {
    const found = realProgram(provider, this.#options.programs[provider]);
    return found && { ...found, env: this.#modelEnv };
  }

  #see(event: { connectionId: string; direction: Direction; message: Json; adapter: ProviderAdapter }): void {
    const { connectionId, direction, message, adapter } = event;
    let observer = this.#observers.get(connectionId);
    if (!observer) this.#observers.set(connectionId, (observer = adapter.createObserver()));
    if (direction === 'outbound') this.#sent.push(message);
    const observations = observer.see(direction, message);
    // As on the tape, where only what the provider said is an observation.
    if (direction === 'inbound') for (const observation of observations) this.#targets.see(observation, connectionId);
    this.#change.announce();
  }

  #fail(fault: Fault): void {
    this.#fault ??= fault;
    this.#change.announce();
  }

  async #reach(find: () => TapeObservation | null, doing: string): Promise<Reached> {
    let found = find();
    const passed = found !== null;
    await this.#await(() => (found ??= find()) !== null, doing);
    assert(found, 'a wait ended without what it waited for');
    this.#targets.reach(found);
    return { kind: found.kind, passed };
  }

  async #await(isDone: () => boolean, doing: string): Promise<void> {
    const { clock } = this.#options;
    while (!isDone()) {
      if (this.#fault) throw this.#fault;
      const stop = new AbortController();
      const cancel = clock.after(recordStallMs, () => stop.abort());
      await this.#change.next(stop.signal);
      cancel();
      if (stop.signal.aborted && !isDone()) throw new Fault({ code: 'stalled', message: `Cannot ${doing}: no message came for ${recordStallMs} ms, one was needed` });
    }
  }

  async #end(): Promise<Verdict> {
    const steps = [
      () => this.#product?.stop(),
      () => this.#awaitStandIns(),
      ...this.#unregister,
      () => this.#server?.close(),
      async () => (this.#modelLog = (await this.#model?.log()) ?? []),
      () => this.#model?.stop(),
      () => (this.#files = readSmallFiles(this.cwd)),
      () => this.#seal(),
    ];
    await endInSteps(steps, (fault) => this.#fail(fault));
    return this.verdict();
  }

  async #awaitStandIns(): Promise<void> {
    const { clock } = this.#options;
    const endMs = clock.now() + limits.stopMs;
    while (this.#server && this.#server.openCount() > 0 && clock.now() < endMs) {
      const stop = new AbortController();
      const cancel = clock.after(pollMs, () => stop.abort());
      await this.#change.next(stop.signal);
      cancel();
    }
  }

  async #seal(): Promise<void> {
    if (this.#fault || !this.#isKept) return this.#writer.abort();
    if (this.#writer.connectionCount === 0) {
      this.#writer.abort();
      this.#fault = new Fault({ code: 'recording_empty', message: 'Cannot seal recording: it captured no provider process, one was needed' });
      return;
    }
    const provider = providers[0]?.id ?? 'codex';
    try {
      this.#writer.finalize({ playhead: playheadVersion(), provider: { name: provider, version: this.#version }, platform: `${process.platform}-${process.arch}` });
      sealTape({ tapeFolder: this.#writer.folder, target: this.#options.target, canaries: machineCanaries() });
    } catch (error) {
      this.#writer.abort();
      if (!(error instanceof Fault)) throw error;
      this.#fault = error;
    }
  }
}

// The real provider thinks; a model holds.
const recordStallMs = 30_000;
const pollMs = 20;
