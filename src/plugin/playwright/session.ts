/** One test's run inside Playwright: page, pictures, attachments, and the verdict that teardown always settles. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Frame, Page, TestInfo } from '@playwright/test';
import type { WindowBoot } from '../../core/agent/wire.ts';
import { Fault } from '../../core/fault.ts';
import { limits } from '../../core/limits.ts';
import { createDivergence, type Divergence } from '../../core/verdict/divergence.ts';
import { DivergenceError } from '../../core/verdict/divergence-error.ts';
import { escapeJsonText, sanitiseForTerminal } from '../../core/verdict/first-screen.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import { endsWithin } from '../../core/within.ts';
import { refusedCassetteError, type OpenedRun } from '../../runner/main.ts';
import type { RecordRun } from '../../runner/record-run.ts';
import type { Run, WindowSide } from '../../runner/run.ts';
import type { RunCheckpoint } from '../../core/case/checkpoints.ts';
import type { ActivityRecord } from '../../runner/activity/record.ts';
import { nodeClock } from '../../runner/clock.ts';
import { loadInspect, type Inspect } from './inspect-hook.ts';
import { watchPage } from './picture.ts';
import { createSurface } from './surface.ts';

export type SessionOptions = {
  screenshots: 'checkpoints' | 'failure' | 'off';
  caseName: string;
  /** How long a window with a bridge may take until it is ready. */
  windowMs: number;
  /** How long one action of `inspect.ts` may take. */
  stallMs: number;
  /** The window was started by us and has its page already (Electron). */
  isAttached?: boolean;
};

export class Session {
  readonly run: Run | null;
  readonly caseName: string;
  readonly #opened: OpenedRun;
  readonly #testInfo: TestInfo;
  readonly #options: SessionOptions;
  #page: Page | null = null;
  #camera: ReturnType<typeof watchPage> | null = null;
  #inspect: Inspect | null = null;
  #closing: Promise<void> = Promise.resolve();
  #abandoned: string | null = null;
  #isSettled = false;

  constructor(opened: OpenedRun, testInfo: TestInfo, options: SessionOptions) {
    this.#opened = opened;
    this.#testInfo = testInfo;
    this.#options = options;
    this.run = opened.state === 'open' ? opened.run : null;
    this.caseName = options.caseName;
    this.run?.onDivergence((divergence) => (this.#closing = this.#stopPage(divergence)));
  }

  get cassetteName(): string {
    return this.#opened.facts.cassette.name;
  }

  /** Gives the test at least the recorded session at its pace, and boot (interface.md, Teardown). A recording plays against no tape. */
  raiseLimit(): void {
    const testInfo = this.#testInfo;
    if (testInfo.timeout === 0) return;
    const { facts } = this.#opened;
    const speed = facts.timing === 'instant' ? Infinity : facts.timing === 'recorded' ? 1 : facts.timing;
    const playMs = this.#opened.state === 'open' ? this.#opened.durationMs / speed : 0;
    const neededMs = playMs + limits.productStartMs + this.#options.windowMs + (this.run?.mode === 'record' ? limits.replaySlackMs : 0);
    testInfo.setTimeout(Math.max(facts.case?.timeoutMs ?? testInfo.timeout, neededMs));
  }

  get page(): Page {
    if (!this.#page) throw new Fault({ code: 'usage', message: 'Cannot use replay.page: the test does not ask for the page fixture, test("…", async ({ page, replay }) => …) was needed' });
    return this.#page;
  }

  /** What the test fails with where it was refused before anything started. */
  get refusal(): Error | null {
    if (this.#opened.state === 'open') return null;
    return this.#opened.error ?? refusedCassetteError(this.#opened);
  }

  /** The window, once; a product with a bridge gets its boot before the page opens. */
  async adoptPage(page: Page, ended: Promise<string> | null = null): Promise<void> {
    if (this.#page === page) return;
    this.#page = page;
    this.#camera = watchPage(page);
    const { run } = this;
    if (!run) return;
    if (this.#options.screenshots === 'checkpoints') run.setShoot((checkpoint) => this.#shoot(checkpoint));
    const { window, url } = run;
    if (window) await this.#openWindow(page, { window, url, ended });
    else if (url !== null) await page.goto(url);
    run.ready();
  }

  // What keeps the window from being ready is the verdict's fault, and not a failure of the test alone.
  async #openWindow(page: Page, { window, url, ended }: { window: WindowSide; url: string | null; ended: Promise<string> | null }): Promise<void> {
    const { isAttached, windowMs, screenshots } = this.#options;
    try {
      if (this.run?.mode === 'replay' && screenshots === 'checkpoints') this.#inspect = await loadInspect(this.#opened.facts.case?.folder ?? '');
      // Electron's own preload script has given it, and the page is open.
      if (!isAttached) await page.exposeBinding('desktopBoot', ({ frame }) => bootFor(frame, { boot: window.boot, url }));
      if (!isAttached && url !== null) await openAddress(page, { url, windowMs });
      await window.attach(createSurface(page, { readyMs: windowMs, ended }));
    } catch (error) {
      window.fail(error);
      throw error;
    }
  }

  async #shoot(checkpoint: RunCheckpoint): Promise<string | null> {
    const page = this.#page;
    if (page && this.#inspect) await this.#inspectPage(this.#inspect, { page, checkpoint });
    return this.#picture(`${checkpoint.id} ${checkpoint.name}.png`);
  }

  // What the hook looks for and does not find is missing from the window; without an end it would be nobody's.
  async #inspectPage(inspect: Inspect, { page, checkpoint }: { page: Page; checkpoint: RunCheckpoint }): Promise<void> {
    const { stallMs } = this.#options;
    page.setDefaultTimeout(stallMs);
    try {
      const isOver = await endsWithin(Promise.resolve(inspect({ page, checkpoint })), limits.inspectStalls * stallMs, nodeClock);
      if (!isOver) throw new Error(`its inspect.ts did not end within ${limits.inspectStalls * stallMs} ms`);
    } catch (error) {
      const { id, name } = checkpoint;
      const why = stripVTControlCharacters((error as Error).message).split('\n').map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('Call log')).map((line) => line.replace(/^- /, '')).slice(0, 2).join(' ');
      throw new DivergenceError(createDivergence({ layer: 'state', code: 'not_shown', checkpoint: { id, name }, message: `Cannot show checkpoint "${name}" as inspect.ts does: ${why}, a window that lets it was needed` }), { caseName: this.caseName });
    } finally {
      page.setDefaultTimeout(this.#testInfo.project.use.actionTimeout ?? 0);
    }
  }

  abandon(reason: string): void {
    this.#abandoned = reason;
    this.run?.leave();
    this.#testInfo.annotations.push({ type: 'abandoned', description: reason });
  }

  async finish(): Promise<Verdict> {
    const run = this.#open();
    await run.settle('play');
    this.#isSettled = true;
    return run.verdict();
  }

  /** The verdict without playing on. */
  async judge(): Promise<Verdict> {
    const run = this.#open();
    await run.catchUp?.();
    return run.verdict();
  }

  /** It was played to its end or judged: nothing more is to come. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  get isAbandoned(): boolean {
    return this.#abandoned !== null;
  }

  /** While the page is still there: the end of the spec stands for the last activity (design ruling 7). */
  async settle(): Promise<void> {
    if (!this.run || this.#abandoned !== null) return;
    if (this.#isSettled) return this.#closing;
    this.#isSettled = true;
    await this.run.settle(this.#testInfo.errors.length > 0 ? 'judge' : 'play');
    // The picture of a divergence needs a page that is still there.
    await this.#closing;
  }

  /** Ends everything, attaches the verdict, and puts what went wrong first. */
  async end(): Promise<void> {
    await this.settle();
    await this.#closing;
    // A failed run is never sealed (stand-in c18).
    if (this.run?.mode === 'record' && this.#testInfo.errors.length > 0) (this.run as RecordRun | ActivityRecord).keep(false);
    const verdict = this.run ? this.#withLimit(await this.run.end()) : (this.#opened as Extract<OpenedRun, { state: 'refused' }>).verdict;
    await this.#attachVerdict(this.#withScenario(verdict));
    if (this.run?.mode === 'record') await this.#attachJson('recording.json', (this.run as RecordRun | ActivityRecord).evidence);
    const error = this.#errorOf(verdict);
    const { quarantine } = this.#opened.facts.case ?? {};
    // A quarantined case still runs and still says what is wrong; until its day it does not fail the run.
    if (quarantine && (error || this.#testInfo.errors.length > 0)) this.#testInfo.fail(true, `quarantined until ${quarantine.until}: ${quarantine.reason}`);
    if (error) this.#putFirst(error);
  }

  #open(): Run {
    if (!this.run) throw this.refusal ?? new Error('the replay was refused');
    return this.run;
  }

  async #picture(name: string): Promise<string | null> {
    if (!this.#page || this.#page.isClosed() || !this.#camera) return null;
    try {
      const { body, isQuiet } = await this.#camera.take();
      await this.#testInfo.attach(name, { body, contentType: 'image/png' });
      if (!isQuiet) this.#testInfo.annotations.push({ type: 'picture', description: `${name} was taken while the page still changed` });
      return name;
    } catch (error) {
      // The page went away meanwhile; the verdict does not depend on pictures.
      this.#testInfo.annotations.push({ type: 'picture', description: `${name} could not be taken: ${firstLineOf(error)}` });
      return null;
    }
  }

  // Pending actions of the spec fail at once instead of waiting for their own limits (stand-in c1).
  async #stopPage(divergence: Divergence): Promise<void> {
    const page = this.#page;
    if (!page || page.isClosed()) return;
    if (this.#options.screenshots !== 'off') await this.#picture('divergence.png');
    const reason = `${stopMark}: ${sanitiseForTerminal(divergence.message)}`;
    // A window of Electron ends with its last page, and its trace with it: there the context goes as a whole (desktop-order b11).
    if (this.#options.isAttached) return page.context().close({ reason }).catch(() => {});
    // The spec may wait on another page of the same window than the one we gave it.
    await Promise.all(page.context().pages().map((each) => each.close({ reason }).catch(() => {})));
  }

  async #attachVerdict(verdict: Verdict): Promise<void> {
    const body = await this.#attachJson('verdict.json', verdict);
    const folder = process.env.PLAYHEAD_VERDICTS;
    if (folder) writeFileSync(join(folder, `${this.#testInfo.testId}-${this.#testInfo.repeatEachIndex}.json`), body);
  }

  // On disk first: a run that is killed now has it still.
  async #attachJson(name: string, value: unknown): Promise<string> {
    const body = `${escapeJsonText(JSON.stringify(value, null, 2))}\n`;
    const path = this.#testInfo.outputPath(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, body);
    await this.#testInfo.attach(name, { body, contentType: 'application/json' });
    return body;
  }

  // Who records from the command line sees no test: the verdict says why nothing was sealed.
  #withScenario(verdict: Verdict): Verdict {
    const { case: of } = this.#opened.facts;
    const [error] = this.#testInfo.errors;
    if (this.run?.mode !== 'record' || !error || !of || of.drive === 'spec' || verdict.fault || verdict.divergence) return verdict;
    const why = stripVTControlCharacters(error.message ?? '').split('\n')[0]?.replace(/^\w*Error: /, '') ?? '';
    return { ...verdict, fault: { code: 'scenario_failed', message: `Cannot finish scenario of "${of.name}": ${why}`, next: [`playhead record ${of.name}`] } };
  }

  // A test that ran out of time loses its window by that alone.
  #withLimit(verdict: Verdict): Verdict {
    if (verdict.fault?.code !== 'window_lost' || this.#testInfo.status !== 'timedOut') return verdict;
    const last = verdict.checkpoints.at(-1);
    const where = last ? `after checkpoint "${last.name}"` : 'before its first checkpoint';
    const [what, awaited] = [this.run?.mode === 'record' ? 'recording' : 'replay', this.run?.awaited ?? null];
    const { code, message, next } = new Fault({ code: 'test_timeout', message: `Cannot finish ${what} of "${this.caseName}": the ${this.#testInfo.timeout} ms of the test were over ${where}, the end of it was needed${awaited === null ? '' : `; awaited was: ${awaited}`}` });
    return { ...verdict, fault: { code, message, next } };
  }

  #errorOf(verdict: Verdict): Error | null {
    // A launch of no test is nobody's tape; leaving this one unfinished does not excuse it.
    if (this.#abandoned !== null && !verdict.divergence && verdict.fault?.code !== 'launch_unregistered') return null;
    if (!this.run) return this.refusal;
    if (verdict.divergence) return new DivergenceError(verdict.divergence, { caseName: this.caseName });
    if (verdict.fault) return new Fault({ code: verdict.fault.code as Fault['code'], message: verdict.fault.message, next: verdict.fault.next });
    return verdict.result === 'passed' || this.#testInfo.errors.length > 0 ? null : new Error('Cannot call this replay clean: the end of the tape was not reached');
  }

  #putFirst(error: Error): void {
    const { errors } = this.#testInfo;
    // Errors that only say that the page was stopped follow from ours.
    const others = errors.filter((other) => !isConsequence(other.message ?? '', error));
    if (errors.length === 0) throw error;
    errors.splice(0, errors.length, { message: error.message, stack: error.stack ?? error.message }, ...others);
  }
}

/** The window's own page alone gets its token: no frame in it, and no other place it might have gone to (design rulings 16, 17). */
function bootFor(frame: Frame, { boot, url }: { boot: WindowBoot; url: string | null }): WindowBoot {
  if (frame.parentFrame() || url === null || new URL(frame.url()).origin !== new URL(url).origin) throw new Error('Cannot give the boot of the window: another page asks for it, its own was needed');
  return boot;
}

async function openAddress(page: Page, { url, windowMs }: { url: string; windowMs: number }): Promise<void> {
  try {
    await page.goto(url, { timeout: windowMs });
  } catch (error) {
    throw new Fault({ code: 'window_not_ready', message: `Cannot use the window: ${firstLineOf(error)}, an answer within ${windowMs} ms was needed`, cause: error });
  }
}

const firstLineOf = (error: unknown) => (error as Error).message.split('\n')[0] ?? '';

function isConsequence(message: string, error: Error): boolean {
  return message.includes(stopMark) || message.includes(error.message.split('\n')[0] ?? error.message) || (error instanceof DivergenceError && /Target (page|closed)|has been closed/.test(message));
}

const stopMark = 'Playhead stopped the page';
