/** Records the activity lane and the provider lanes of one run: the product's daemon writes the candidate, the runner seals it (seed 001). */

import { mkdirSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { RecordDaemon, RecordStatus } from '../../core/control/daemon.ts';
import type { SurfaceDriver } from '../../core/control/surface.ts';
import { Fault, isFault, toFault } from '../../core/fault.ts';
import type { Json } from '../../core/json/exact.ts';
import type { Clock } from '../../core/ports.ts';
import type { Bridged, Product, ProviderPrograms } from '../../core/product.ts';
import { Change } from '../../core/signal.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import { providers } from '../../providers/registry.ts';
import { refusedVerdict } from '../build-verdict.ts';
import { machineCanaries } from '../canaries.ts';
import { allowedResidue } from '../case-files.ts';
import { endInSteps } from '../end-in-steps.ts';
import { openProduct, type StartedProduct } from '../product.ts';
import { prepareProject } from '../project-folder.ts';
import { realProgram } from '../real-program.ts';
import { openRecordEnvironment, readSmallFiles } from '../record-environment.ts';
import type { Reached, Run, RunFacts, ToolCall, WindowSide } from '../run.ts';
import type { ModelRequest, ScriptedModel } from '../scripted-model.ts';
import { playheadVersion } from '../versions.ts';
import type { OpenWindow } from '../window/open.ts';
import type { Workroom } from '../workroom.ts';
import { sealCassette } from './seal.ts';

export type ActivityRecordOptions = {
  facts: RunFacts;
  product: Product;
  workroom: Workroom;
  clock: Clock;
  /** Absolute path of the model script; `null` records with the machine's own provider set-up. */
  script: string | null;
  programs: { [provider: string]: string };
  /** Where the sealed cassette goes. */
  target: string;
  startMs: number;
  /** Where the window is one of Electron. */
  openWindow: OpenWindow | null;
};

export class ActivityRecord implements Run {
  readonly mode = 'record';
  readonly cwd: string;
  readonly checkpoints = [];
  readonly divergence = null;
  readonly #options: ActivityRecordOptions;
  readonly #recordingId: string;
  readonly #candidate: string;
  readonly #change = new Change();
  #product: StartedProduct<Bridged<RecordDaemon>> | null = null;
  #surface: SurfaceDriver | null = null;
  #model: ScriptedModel | null = null;
  #modelLog: ModelRequest[] = [];
  #files: { [name: string]: string } = {};
  #sent: Json[] = [];
  #status: RecordStatus | null = null;
  #fault: Fault | null = null;
  #isKept = false;
  #ended: Promise<Verdict> | null = null;

  private constructor(options: ActivityRecordOptions, cwd: string) {
    this.#options = options;
    this.cwd = cwd;
    this.#recordingId = crypto.randomUUID();
    this.#candidate = options.workroom.makeFolder('candidate');
  }

  static async start(options: ActivityRecordOptions): Promise<ActivityRecord> {
    const run = new ActivityRecord(options, prepareProject(options));
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
    return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  get fault(): Fault | null {
    return this.#fault;
  }

  get window(): WindowSide | undefined {
    const boot = this.#product?.running.boot;
    if (!boot) return undefined;
    return {
      boot,
      ...(this.#options.openWindow ? { open: this.#options.openWindow } : {}),
      attach: async (surface) => {
        this.#surface = surface;
        await surface.ready();
      },
      fail: (error) => this.#fail(toFault(error, 'open the window')),
    };
  }

  /** What the run left, once it has ended: evidence beside the cassette. */
  get evidence(): { providerVersion: string | null; model: ModelRequest[]; files: { [name: string]: string } } {
    return { providerVersion: null, model: this.#modelLog, files: this.#files };
  }

  /** A scenario holds in the scripted model instead of waiting. */
  get model(): { holding: (hold: string) => Promise<void>; release: (hold: string) => void } {
    return { holding: async (hold) => this.#model?.holding(hold), release: (hold) => this.#model?.release(hold) };
  }

  programFor(provider: string): string {
    return provider;
  }

  // Checkpoints are made by the recorder while the scenario drives; it waits for what a person would see.
  async playTo(): Promise<Reached> {
    throw new Fault({ code: 'usage', message: 'Cannot play to a target while recording: checkpoints come from the recorder, an expectation of the page was needed' });
  }

  async nextCheckpoint(): Promise<Reached> {
    return this.playTo();
  }

  pause(): void {}
  resume(): void {}
  setSpeed(): void {}
  onDivergence(): void {}
  setShoot(): void {}
  ready(): void {}
  leave(): void {}

  changed(signal: AbortSignal): Promise<void> {
    return this.#change.next(signal);
  }

  sent(): Json[] {
    return [...this.#sent];
  }

  toolCalls(): ToolCall[] {
    return [];
  }

  approvals(): Json[] {
    return [];
  }

  /** No further intent, every turn at its end, the candidate written: then the run may be kept. */
  async settle(how: 'play' | 'judge'): Promise<void> {
    if (how === 'judge' || this.#isKept || this.#fault) return;
    try {
      const { defects } = await this.#window().seal();
      this.#status = await this.#recording().complete(defects);
      this.#sent = await this.#recording().sent();
      this.#isKept = true;
    } catch (error) {
      this.#fail(isFault(error) ? error : toFault(error, 'complete the recording'));
    }
  }

  /** Sealing needs the word of the scenario that all went well. */
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
    const { product, workroom, clock, startMs, facts, script } = this.#options;
    const { bridge } = product;
    if (!bridge) throw new Fault({ code: 'bridge_missing', message: `Cannot record case "${facts.case?.name ?? ''}": its drive is "activity", and product "${product.name}" has no bridge` });
    const modelEnv = script === null ? {} : await this.#openModel(script);
    const stateDir = join(workroom.makeFolder('state'), 'daemon');
    mkdirSync(stateDir, { recursive: true });
    const record = {
      recordingId: this.#recordingId,
      folder: this.#candidate,
      machine: { roots: [workroom.path], host: hostname(), user: userInfo().username },
      recordedWith: { playhead: playheadVersion(), platform: `${process.platform}-${process.arch}` },
      allow: allowedResidue(facts.case?.allow ?? []).map(({ method, rule }) => ({ method, rule })),
    };
    this.#product = await openProduct({ product, cwd: this.cwd, stateDir, env: this.env, workroom, clock, startMs }, (start) => bridge.record({ ...start, record, providers: this.#programs(modelEnv) }));
    void this.#product.died.then((why) => this.#fail(new Fault({ code: 'daemon_lost', message: `Cannot record on: the daemon of "${product.name}" has gone, ${why}` })));
  }

  async #openModel(script: string): Promise<{ [name: string]: string }> {
    const { workroom } = this.#options;
    const { model, env } = await openRecordEnvironment({ script, home: workroom.makeFolder('home'), workroom });
    this.#model = model;
    return env;
  }

  #programs(env: { [name: string]: string }): ProviderPrograms {
    const found: ProviderPrograms = {};
    for (const { id } of providers) {
      const real = realProgram(id, this.#options.programs[id]);
      if (real) found[id] = { command: [real.program], env: { PATH: real.path, ...env } };
    }
    if (Object.keys(found).length === 0) throw new Fault({ code: 'provider_missing', message: 'Cannot record: no real provider program was found, one was needed' });
    return found;
  }

  #fail(fault: Fault): void {
    if (this.#ended) return;
    this.#fault ??= fault;
    this.#change.announce();
  }

  #window(): SurfaceDriver {
    if (!this.#surface) throw new Fault({ code: 'window_not_ready', message: 'Cannot seal recording: it has no window, an open one was needed' });
    return this.#surface;
  }

  #recording(): RecordDaemon {
    if (!this.#product) throw new Fault({ code: 'product_not_started', message: 'Cannot complete recording: the product has not started' });
    return this.#product.running.daemon;
  }

  async #end(): Promise<Verdict> {
    const fail = (fault: Fault) => void (this.#fault ??= fault);
    const steps = [
      () => this.#product?.stop(),
      async () => (this.#modelLog = (await this.#model?.log()) ?? []),
      () => this.#model?.stop(),
      () => void (this.#files = readSmallFiles(this.cwd)),
      () => this.#seal(),
    ];
    await endInSteps(steps, fail);
    return this.verdict();
  }

  #seal(): void {
    const { target, facts } = this.#options;
    if (this.#fault || !this.#isKept || !this.#status) return;
    sealCassette({ candidate: this.#candidate, target, name: facts.case?.title ?? facts.cassette.name, recordingId: this.#recordingId, status: this.#status, allow: facts.case?.allow ?? [], canaries: machineCanaries() });
  }
}
