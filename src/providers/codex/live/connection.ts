/**
 * One connection to Codex and its only reader. Order for each unit: decode, report, resume whoever awaited the message, complete
 * the unit, which may park (desktop-order b3). The reader never waits for a send.
 */

import type { ActivitySink } from '../../../core/agent/report.ts';
import { RuntimeError } from '../../../core/agent/runtime.ts';
import type { SessionRef } from '../../../core/agent/views.ts';
import type { JsonObject } from '../../../core/json/exact.ts';
import { limits } from '../../../core/limits.ts';
import type { Clock, InputUnit, ProcessConnection, ProcessFrame } from '../../../core/ports.ts';
import { encodeMessage, FrameDecoder, idKey, type DecodedUnit, type ServerMessage } from './codec.ts';
import { endOfProcess } from './reduce-turn.ts';
import { reduce } from './reduce.ts';
import { Reporter } from './reporter.ts';
import { emptyState, findTurn, hasRows, unchanged, type Effect, type Reduced, type SessionState } from './session-state.ts';
import { Waiters, type Answer, type TurnEnd } from './waiters.ts';

/** Registers what an answer will mean, under the key of its request. */
export type Prepare = (state: SessionState, idKey: string) => SessionState;

export type CodexConnectionOptions = {
  ref: SessionRef;
  process: ProcessConnection;
  sink: ActivitySink;
  clock: Clock;
  log: (text: string) => void;
  /** A resumed session is published already. */
  isPublished: boolean;
};

export class CodexConnection {
  readonly ref: SessionRef;
  readonly #options: CodexConnectionOptions;
  readonly #decoder: FrameDecoder;
  readonly #stop = new AbortController();
  readonly #waiters = new Waiters();
  readonly #reporter: Reporter;
  readonly #reading: Promise<void>;
  #sending: Promise<void> = Promise.resolve();
  #lastId = 0;
  #closing: Promise<void> | null = null;
  #isCanonicalKept = false;
  /** Its exit was read, and may not be stored yet. */
  #hasExited = false;
  /** Changed by each message, and by what is sent. */
  state: SessionState = emptyState;

  constructor(options: CodexConnectionOptions) {
    this.ref = options.ref;
    this.#options = options;
    const { ref, sink, isPublished } = options;
    this.#reporter = new Reporter({ ref, sink, isPublished, onRefused: (error) => this.#log(`a report was refused: ${textOf(error)}`), onEnded: (turnIds) => this.#waiters.endSaving(turnIds, true) });
    this.#decoder = new FrameDecoder((what) => this.#log(what));
    this.#reading = this.#read();
  }

  get isLive(): boolean {
    return !this.#hasExited && !this.#waiters.isLost && this.#closing === null;
  }

  /** Releases the first unit that has something to report, and with it all behind it. */
  publish(): void {
    this.#reporter.publish();
  }

  /** `prepare` runs before an answer can come. `sent` rejects where the message did not leave. */
  request(method: string, params: JsonObject, prepare?: Prepare): { sent: Promise<void>; answer: Promise<Answer> } {
    const id = ++this.#lastId;
    const key = idKey(id);
    if (prepare) this.state = prepare(this.state, key);
    const answer = this.#waiters.awaitAnswer(key);
    const sent = this.send({ method, id, params });
    sent.catch(() => this.#waiters.forget(key));
    return { sent, answer };
  }

  /** Messages leave in the order of these calls. */
  send(message: JsonObject): Promise<void> {
    const sent = this.#sending.then(() => this.#options.process.send(encodeMessage(message)));
    this.#sending = sent.catch(() => {});
    return sent;
  }

  /** Resolves when the turn runs, has ended, or nobody will learn of it. */
  whenBegun(turnId: string): Promise<void> {
    const turn = findTurn(this.state, turnId);
    return turn && !turn.hasBegun ? this.#waiters.awaitBegin(turnId) : Promise.resolve();
  }

  /** Resolves when the turn's end is committed, or when nobody will learn of it. */
  whenEnded(turnId: string): Promise<TurnEnd> {
    return this.#waiters.awaitEnd(turnId, this.state.ended.has(turnId));
  }

  /** Tells the store again what it refused and a turn cannot do without. */
  retryReports(): Promise<void> {
    return this.#reporter.retry();
  }

  /** Ends the process: its input first, then as its transport ends one. With `isCanonicalKept` its end changes no row. */
  close({ isCanonicalKept }: { isCanonicalKept: boolean }): Promise<void> {
    this.#isCanonicalKept ||= isCanonicalKept;
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { process } = this.#options;
    this.publish();
    if (!this.#waiters.isLost) process.closeInput?.();
    await this.#readToEnd();
    await process.close().catch((error: unknown) => this.#log(`the process could not be closed: ${textOf(error)}`));
    // What came before the end is read still; a recorded frame that is not due yet never is.
    await this.#readToEnd();
    this.#stop.abort();
    await this.#readToEnd();
    await this.retryReports();
  }

  /** Waits for the reader, but not for long: it may be parked, and closing is what releases it. */
  #readToEnd(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(limits.readerEndMs, resolve);
    void this.#reading.then(() => {
      cancel();
      resolve();
    });
    return promise;
  }

  async #read(): Promise<void> {
    for (;;) {
      const frame = await this.#receive();
      if (!frame) break;
      for (const unit of this.#decoder.take(frame)) await this.#handle(unit);
      if (frame.kind === 'exit') break;
    }
    await this.#endWithoutUnit();
    this.#waiters.lose();
  }

  async #receive(): Promise<ProcessFrame | null> {
    try {
      return await this.#options.process.recv(this.#stop.signal);
    } catch (error) {
      this.#log(`the connection broke: ${textOf(error)}`);
      return null;
    }
  }

  async #handle({ unit, message }: DecodedUnit): Promise<void> {
    const { state, rows, effects } = this.#reduce(message);
    this.state = state;
    this.#hasExited ||= message.kind === 'exit';
    const ended = effects.flatMap((effect) => (effect.kind === 'turn-ended' ? [effect.turnId] : []));
    this.#waiters.beginSaving(ended);
    const isSilent = message.kind === 'exit' && this.#isCanonicalKept;
    const isSaved = await this.#reporter.report({ unit, rows: isSilent ? {} : rows, endedTurnIds: ended });
    this.#waiters.endSaving(ended, isSaved);
    if (!isSaved) this.#waiters.fail();
    for (const effect of effects) this.#perform(effect);
    await this.#complete(unit);
  }

  // A message that breaks us is passed over: a unit that is never completed would hold its lane for ever.
  #reduce(message: ServerMessage): Reduced {
    try {
      return reduce(this.state, message);
    } catch (error) {
      return unchanged(this.state, { kind: 'note', text: `a message could not be read: ${textOf(error)}` });
    }
  }

  async #complete(unit: InputUnit): Promise<void> {
    try {
      await this.#options.process.completeProviderInputUnit?.(unit);
    } catch (error) {
      this.#log(`a unit could not be completed: ${textOf(error)}`);
    }
  }

  #perform(effect: Effect): void {
    switch (effect.kind) {
      case 'answer':
        return this.#waiters.answer(effect.id, { kind: 'result', result: effect.result });
      case 'refusal':
        return this.#waiters.answer(effect.id, { kind: 'error', error: effect.error });
      case 'turn-begun':
        return this.#waiters.begin(effect.turnId);
      case 'turn-ended':
        return this.#waiters.end(effect.turnId, 'settled');
      case 'reply':
        return void this.send(effect.message).catch((error: unknown) => this.#log(`an answer did not leave: ${textOf(error)}`));
      case 'note':
        return this.#log(effect.text);
    }
  }

  // A pipe that broke without an exit: the turn ends all the same, though by no message.
  async #endWithoutUnit(): Promise<void> {
    const { state, rows } = endOfProcess(this.state, 'the connection to Codex was lost');
    this.state = state;
    if (hasRows(rows) && !this.#isCanonicalKept) await this.#reporter.report({ unit: null, rows, endedTurnIds: [] });
  }

  #log(text: string): void {
    this.#options.log(`codex ${this.ref.agentSessionId}: ${text}`);
  }
}

/** What failed, as a `RuntimeError` of this code; one is kept as it is. */
export function toRuntimeError(error: unknown, code: string): RuntimeError {
  return error instanceof RuntimeError ? error : new RuntimeError(code, textOf(error), { cause: error });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
