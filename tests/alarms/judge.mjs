/** What one nested test has to have come to. */
import assert from 'node:assert/strict';

/** A verdict as one line: layer and code, place, path. */
export function describeVerdict(verdict) {
  if (!verdict) return 'no verdict';
  const { fault, divergence, result } = verdict;
  if (fault) return `fault/${fault.code}`;
  if (!divergence) return result;
  const { layer, code, position, path } = divergence;
  return `${layer}/${code}${placeOf(position)}${path ? `, ${path}` : ''}`;
}

function placeOf(position) {
  if (!position) return '';
  if ('file' in position) return ` at ${position.file}:${position.line}`;
  if ('activitySequence' in position) return ` at event ${position.activitySequence}`;
  return ` at ${position.connectionId}, chunk ${position.chunkSeq}`;
}

export function assertGreen(test, { layers = ['cassette', 'protocol', 'transport'] } = {}) {
  assert.ok(test, 'the test did not run');
  assert.deepEqual([describeVerdict(test.verdict), test.status, test.errors], ['passed', 'passed', []]);
  for (const layer of layers) assert.equal(test.verdict.layers[layer].status, 'passed', layer);
}

/** `quietMs` is what a green test of this kind takes on a machine of its own; `since: 'moved'` counts from the last checkpoint. */
export function assertRed(test, { expected, within = null, stallMs, paceMs = 0, quietMs = paceMsMax, since = 'start' }) {
  assert.ok(test, 'the test did not run');
  const { verdict, status, errors } = test;
  assert.equal(describeVerdict(verdict), expected);
  assert.equal(status, 'failed');
  const { message } = verdict.divergence ?? verdict.fault;
  assert.match(message, /^Cannot .+: .+/);
  assert.ok(isTold(errors[0] ?? '', message), `the first error is not the verdict's:\n${errors[0]}\n${message}`);
  assertInTime(test, { within, stallMs, since, slowMs: slownessOf(paceMs, quietMs) });
}

// The clock of a verdict starts before product and browser do.
function assertInTime({ verdict, durationMs }, { within, stallMs, since, slowMs }) {
  const { detectedAtMs } = verdict;
  const lastMovedMs = Math.max(0, ...verdict.checkpoints.map((checkpoint) => checkpoint.wallMs));
  const atMost = (ms, limitMs, what) => assert.ok(ms <= limitMs + slowMs, `${what} after ${Math.round(ms)} ms, at most ${Math.round(limitMs + slowMs)} were allowed`);
  switch (within) {
    case 'sent':
      atMost(detectedAtMs - (since === 'moved' ? lastMovedMs : 0), sentMsMax, 'it was found');
      return atMost(durationMs - detectedAtMs, sentMsMax, 'the test ended');
    case 'missing':
      return atMost((detectedAtMs ?? verdict.durationMs) - lastMovedMs, stallMs + missingMsMax + (lastMovedMs === 0 ? bootMsMax : 0), 'it was found');
    case 'outside':
      return atMost(verdict.durationMs, stallMs + missingMsMax + bootMsMax + outsideMsMax, 'it was found');
    case 'body':
      return atMost(detectedAtMs - lastMovedMs, Math.max(stallMs, bodyMsMax) + missingMsMax + (lastMovedMs === 0 ? bootMsMax : 0), 'it was found');
    case 'end':
      return atMost(durationMs - detectedAtMs, sentMsMax, 'the test ended');
    default:
      // Refused before anything started.
      return atMost(durationMs, sentMsMax, 'the test ended');
  }
}

/** The median time of the green tests of a run. */
export function paceOf(tests) {
  const times = tests.filter((test) => test.verdict?.result === 'passed').map((test) => test.verdict.durationMs).sort((a, b) => a - b);
  return times[times.length >> 1] ?? 0;
}

// The bounds hold on two cores of our own; where somebody else works on them too, green tests take longer by as much.
const slownessOf = (paceMs, quietMs) => Math.max(0, 2 * (paceMs - quietMs));
const paceMsMax = 1_000;

// A first screen breaks what is too long for its lines, and leaves out what is too long for itself.
function isTold(error, message) {
  const [told, needed] = [error, message].map(letters);
  const [shown] = error.split('\n\n').map(letters);
  return told.startsWith(needed) || (shown.length > screenLettersMin && needed.startsWith(shown));
}

const letters = (text) => text.replace(/^(Error|DivergenceError|Fault): /, '').replace(/\s+/g, '');
const screenLettersMin = 100;

const sentMsMax = 2_000;
const missingMsMax = 1_000;
// A real CLI needs a second to start and to end.
const outsideMsMax = 3_000;
// How long `specs/replay-only.ts` lets an action of its page wait.
const bodyMsMax = 2_000;
// Product and browser, where nothing on the tape says when the session was up.
const bootMsMax = 2_000;
