/** Matchers over a replay (interface.md, Playwright). `.not` and `.poll` are refused with a sentence that says what to use. */

import { expect as baseExpect, test as baseTest } from '@playwright/test';
import { includesJson } from '../../core/json/compare.ts';
import { member, type Json } from '../../core/json/exact.ts';
import { DivergenceError } from '../../core/verdict/divergence-error.ts';
import { layerNames, type Layer } from '../../core/verdict/divergence.ts';
import { sanitiseForTerminal } from '../../core/verdict/first-screen.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import { sessionKey } from './fixtures.ts';
import type { Replay } from './options.ts';
import type { Session } from './session.ts';

type Result = { pass: boolean; name: string; message: () => string; expected?: unknown; actual?: unknown };
type MatcherThis = { isNot: boolean; timeout: number };

const extended = baseExpect.extend({
  /** Plays to the end; all five layers, one step each. */
  async toReplayCleanly(received: Replay): Promise<Result> {
    const session = sessionOf(this, received, 'toReplayCleanly');
    const verdict = await session.finish();
    for (const layer of layerNames) await showLayer(layer, verdict);
    return judged('toReplayCleanly', session, verdict, layerNames);
  },

  /** Plays to the end; the transport layer alone. */
  async toDrainTransport(received: Replay): Promise<Result> {
    const session = sessionOf(this, received, 'toDrainTransport');
    return judged('toDrainTransport', session, await session.finish(), ['cassette', 'transport']);
  },

  /** The protocol layer so far. */
  async toMatchProtocol(received: Replay): Promise<Result> {
    return soFar('toMatchProtocol', sessionOf(this, received, 'toMatchProtocol'), 'protocol');
  },

  /** The effect layer so far. */
  async toMatchEffects(received: Replay): Promise<Result> {
    return soFar('toMatchEffects', sessionOf(this, received, 'toMatchEffects'), 'effect');
  },

  /** The state layer so far. */
  async toMatchState(received: Replay): Promise<Result> {
    return soFar('toMatchState', sessionOf(this, received, 'toMatchState'), 'state');
  },

  /** Some message that the product sent holds every member of `partial`. */
  async toHaveSent(received: Replay, partial: Json): Promise<Result> {
    const session = sessionOf(this, received, 'toHaveSent');
    const pass = await eventually(session, this.timeout, () => received.sent().some((message) => includesJson(message, partial)));
    return found('toHaveSent', pass, partial, received.sent(), 'The product has sent no message with these members');
  },

  /** A completed tool of that name, whose facts hold `partial`. */
  async toHaveCalledTool(received: Replay, name: string, partial: Json = {}): Promise<Result> {
    const session = sessionOf(this, received, 'toHaveCalledTool');
    const pass = await eventually(session, this.timeout, () => received.toolCalls().some((call) => call.name === name && includesJson(call.facts, partial)));
    return found('toHaveCalledTool', pass, { name, ...(partial as object) }, received.toolCalls(), `The provider has completed no tool "${name}" with these members`);
  },

  /** An approval request whose facts hold `partial`. */
  async toHaveAskedApproval(received: Replay, partial: Json = {}): Promise<Result> {
    const session = sessionOf(this, received, 'toHaveAskedApproval');
    const asked = () => session.run?.approvals() ?? [];
    const pass = await eventually(session, this.timeout, () => asked().some((facts) => includesJson(facts, partial)));
    return found('toHaveAskedApproval', pass, partial, asked(), 'The provider has asked for no approval with these members');
  },
});

// A matcher cannot tell that it is polled, so the value that is polled for is looked at.
const guardedPoll: typeof extended.poll = (actual, options) =>
  extended.poll(async () => {
    const value = await actual();
    if ((value as { [sessionKey]?: Session } | null)?.[sessionKey]) throw new Error('Cannot use expect.poll with a replay: its matchers wait by themselves, await expect(replay).toReplayCleanly() was needed');
    return value;
  }, options);

/** Playwright's `expect` with the matchers of a replay. */
export const expect: typeof extended = new Proxy(extended, { get: (target, key, receiver) => (key === 'poll' ? guardedPoll : (Reflect.get(target, key, receiver) as unknown)) });

function sessionOf(context: MatcherThis, received: unknown, matcher: string): Session {
  const session = (received as { [sessionKey]?: Session } | null)?.[sessionKey];
  if (!session) throw new Error(`Cannot use ${matcher}: it was given ${received === null ? 'null' : typeof received}, expect(replay).${matcher}() was needed`);
  if (context.isNot) throw new Error(`Cannot use .not.${matcher}: a clean replay has one meaning, read (await replay.finish()).divergence to expect a difference`);
  return session;
}

// Like every matcher of a page: it waits for its moment up to the limit of `expect`, and not beyond a divergence or the end of the run.
async function eventually(session: Session, limitMs: number, isFound: () => boolean): Promise<boolean> {
  const limit = AbortSignal.timeout(limitMs);
  while (!isFound()) {
    if (limit.aborted || !session.run || session.run.divergence || session.isSettled) return false;
    await session.run.changed(limit);
  }
  return true;
}

// A failed layer is a failed step; the matcher itself says why.
async function showLayer(layer: Layer, verdict: Verdict): Promise<void> {
  const isFailed = verdict.layers[layer].status === 'failed';
  await baseTest.step(stepTitle(layer, verdict), () => {
    if (isFailed) throw new Error(sanitiseForTerminal(verdict.divergence?.message ?? 'failed'));
  }, { box: true }).catch(() => {});
}

function stepTitle(layer: Layer, verdict: Verdict): string {
  const { status, checked, allowed } = verdict.layers[layer];
  const count = status === 'not_recorded' ? '' : `, ${checked} checked${allowed > 0 ? `, ${allowed} allowed` : ''}`;
  return `${layer}: ${status.replace('_', ' ')}${count}`;
}

function judged(name: string, session: Session, verdict: Verdict, layers: readonly Layer[]): Result {
  const { divergence, fault } = verdict;
  const failed = divergence && layers.includes(divergence.layer) ? divergence : null;
  const isReached = layers.every((layer) => ['passed', 'not_recorded'].includes(verdict.layers[layer].status));
  // In record mode there is nothing to compare with; the run came to its end.
  const pass = session.run?.mode === 'record' ? verdict.result === 'passed' : !fault && !failed && isReached;
  const text = failed ? new DivergenceError(failed, { caseName: session.caseName }).message : fault ? fault.message : `Cannot call this replay clean: ${divergence ? divergence.message : 'the end of the tape was not reached'}`;
  return { pass, name, message: () => text };
}

// What is not recorded cannot match: an assertion that checks nothing must not be green.
async function soFar(name: string, session: Session, layer: Layer): Promise<Result> {
  const verdict = await session.judge();
  const { divergence, fault } = verdict;
  const { status, checked } = verdict.layers[layer];
  const isRecording = session.run?.mode === 'record';
  const isRecorded = status !== 'not_recorded' || isRecording;
  const failed = divergence?.layer === layer || divergence?.layer === 'cassette' ? divergence : null;
  const text = failed
    ? new DivergenceError(failed, { caseName: session.caseName }).message
    : fault
      ? fault.message
      : isRecorded
        ? `Cannot match layer ${layer}: nothing of it was checked yet, a target behind something recorded on it was needed`
        : `Cannot match layer ${layer}: it is not recorded for this product, a layer of toReplayCleanly() with a count was needed`;
  return { pass: isRecorded && (checked > 0 || isRecording) && !failed && !fault, name, message: () => text };
}

function found(name: string, pass: boolean, expected: unknown, actual: readonly unknown[], text: string): Result {
  const shown = actual.map((item) => `  ${short(item)}`).slice(0, 12);
  return { pass, name, expected, actual, message: () => [`${text}:`, `  ${short(expected)}`, actual.length === 0 ? 'There was none.' : `There ${actual.length === 1 ? 'was' : 'were'}:`, ...shown].join('\n') };
}

function short(value: unknown): string {
  const method = member(value as Json, 'method');
  const text = JSON.stringify(value) ?? String(value);
  return `${typeof method === 'string' ? `${method} ` : ''}${text.length > 160 ? `${text.slice(0, 159)}…` : text}`;
}
