/** One test's run inside Playwright: page, pictures, attachments, and the verdict that teardown always settles. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Page, TestInfo } from '@playwright/test';
import { Fault } from '../../core/fault.ts';
import type { Divergence } from '../../core/verdict/divergence.ts';
import { DivergenceError } from '../../core/verdict/divergence-error.ts';
import { escapeJsonText, sanitiseForTerminal } from '../../core/verdict/first-screen.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import { refusedCassetteError, type OpenedRun } from '../../runner/main.ts';
import type { RecordRun } from '../../runner/record-run.ts';
import type { Run, WindowSide } from '../../runner/run.ts';
import type { RunCheckpoint } from '../../core/case/checkpoints.ts';
import type { ActivityRecord } from '../../runner/activity/record.ts';
import { loadInspect, type Inspect } from './inspect-hook.ts';
import { watchPage } from './picture.ts';
import { createSurface } from './surface.ts';

export type SessionOptions = {
  screenshots: 'checkpoints' | 'failure' | 'off';
  caseName: string;
  /** How long a window with a bridge may take until it is ready. */
  windowMs: number;
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
  async adoptPage(page: Page): Promise<void> {
    if (this.#page === page) return;
    this.#page = page;
    this.#camera = watchPage(page);
    const { run } = this;
    if (!run) return;
    if (this.#options.screenshots === 'checkpoints') run.setShoot((checkpoint) => this.#shoot(checkpoint));
    const { window, url } = run;
    if (window) this.#inspect = await loadInspect(this.#opened.facts.case?.folder ?? '');
    if (window) await this.#openWindow(page, { window, url });
    else if (url !== null) await page.goto(url);
    run.ready();
  }

  // What keeps the window from being ready is the verdict's fault, and not a failure of the test alone.
  async #openWindow(page: Page, { window, url }: { window: WindowSide; url: string | null }): Promise<void> {
    const { isAttached, windowMs } = this.#options;
    try {
      // Electron's own preload script has given it, and the page is open.
      if (!isAttached) await page.exposeBinding('desktopBoot', () => window.boot);
      if (!isAttached && url !== null) await openAddress(page, { url, windowMs });
      await window.attach(createSurface(page, { readyMs: windowMs }));
    } catch (error) {
      window.fail(error);
      throw error;
    }
  }

  async #shoot(checkpoint: RunCheckpoint): Promise<string | null> {
    const page = this.#page;
    if (page && this.#inspect) await this.#inspect({ page, checkpoint });
    return this.#picture(`${checkpoint.id} ${checkpoint.name}.png`);
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
  judge(): Verdict {
    return this.#open().verdict();
  }

  get isAbandoned(): boolean {
    return this.#abandoned !== null;
  }

  /** While the page is still there: the end of the spec stands for the last activity (design ruling 7). */
  async settle(): Promise<void> {
    if (!this.run || this.#isSettled || this.#abandoned !== null) return;
    this.#isSettled = true;
    await this.run.settle(this.#testInfo.errors.length > 0 ? 'judge' : 'play');
  }

  /** Ends everything, attaches the verdict, and puts what went wrong first. */
  async end(): Promise<void> {
    await this.settle();
    await this.#closing;
    // A failed run is never sealed (stand-in c18).
    if (this.run?.mode === 'record' && this.#testInfo.errors.length > 0) (this.run as RecordRun | ActivityRecord).keep(false);
    const verdict = this.run ? await this.run.end() : (this.#opened as Extract<OpenedRun, { state: 'refused' }>).verdict;
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
    } catch {
      return null; // The page went away meanwhile; the verdict does not depend on pictures.
    }
  }

  // Pending actions of the spec fail at once instead of waiting for their own limits (stand-in c1).
  async #stopPage(divergence: Divergence): Promise<void> {
    const page = this.#page;
    if (!page || page.isClosed()) return;
    if (this.#options.screenshots !== 'off') await this.#picture('divergence.png');
    // The spec may wait on another page of the same window than the one we gave it.
    await Promise.all(page.context().pages().map((each) => each.close({ reason: `${stopMark}: ${sanitiseForTerminal(divergence.message)}` }).catch(() => {})));
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
