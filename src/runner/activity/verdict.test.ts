import { expect, test } from 'vitest';
import { Fault } from '../../core/fault.ts';
import { createDivergence } from '../../core/verdict/divergence.ts';
import { checkpoint, emptyStatus } from './fixtures/lane-desk.ts';
import { buildActivityVerdict, type ActivityVerdictOptions } from './verdict.ts';

const checkpoints = [checkpoint(0, { kind: 'replay.bootstrap' }), checkpoint(1, { name: 'greeted' })];
const status = { ...emptyStatus, counts: { matched: 7, absorbed: 2, delivered: 11, connections: 1 } };
const complete: ActivityVerdictOptions = {
  facts: { case: null, cassette: { id: 'c', name: 'main', dir: 'cases/watering/cassettes/main', manifestSha256: '0'.repeat(64) }, product: { name: 'desk', version: null }, drive: 'activity', surface: 'chromium', timing: 'instant', browser: null },
  fileCount: 6, status, divergence: null, fault: null, isReached: true, playedCount: 4, reachedCount: 2, stateNodes: 30, checkpoints, shots: new Map([['checkpoint-0001', { attachment: 'greeted.png', playbackMs: 5, wallMs: 9 }]]), recordedWith: null, durationMs: 100, detectedAtMs: null,
};
const diverged = (layer: 'effect' | 'protocol' | 'state') => createDivergence({ layer, code: 'command_missing', message: 'A command is missing', next: ['playhead show <cassette>'] });
const build = (change: Partial<ActivityVerdictOptions>) => buildActivityVerdict({ ...complete, ...change });

test('buildActivityVerdict() counts what was checked on all five layers', () => {
  expect(build({})).toMatchObject({
    result: 'passed',
    layers: {
      cassette: { status: 'passed', checked: 6, allowed: 0 },
      effect: { status: 'passed', checked: 4, allowed: 0 },
      protocol: { status: 'passed', checked: 7, allowed: 2 },
      transport: { status: 'passed', checked: 12, allowed: 0 },
      state: { status: 'passed', checked: 32, allowed: 0 },
    },
    checkpoints: [
      { id: 'checkpoint-0000', name: 'replay.bootstrap', index: 0, kind: 'replay.bootstrap', attachment: null, playbackMs: 0, wallMs: 0 },
      { id: 'checkpoint-0001', name: 'greeted', index: 1, kind: 'turn.terminal', attachment: 'greeted.png', playbackMs: 5, wallMs: 9 },
    ],
    launches: { expected: 1, arrived: 1, refused: 0 },
  });
});

const fault = new Fault({ code: 'window_lost', message: 'Cannot play on' });
test.each<[string, Partial<ActivityVerdictOptions>, string, string[]]>([
  ['a divergence', { divergence: diverged('protocol'), isReached: false }, 'failed', ['passed', 'not_reached', 'failed', 'not_reached', 'not_reached']],
  ['a fault', { fault, isReached: false }, 'faulted', ['passed', 'not_reached', 'not_reached', 'not_reached', 'not_reached']],
  ['a fault behind a divergence', { fault, divergence: diverged('effect') }, 'faulted', ['passed', 'not_reached', 'not_reached', 'not_reached', 'not_reached']],
  ['an end that was not reached', { isReached: false }, 'failed', ['passed', 'not_reached', 'not_reached', 'not_reached', 'not_reached']],
  ['a product that never started', { status: null, isReached: false, fault }, 'faulted', ['passed', 'not_reached', 'not_reached', 'not_reached', 'not_reached']],
])('buildActivityVerdict() of %s is no green', (_title, change, result, statuses) => {
  const verdict = build(change);
  expect([verdict.result, Object.values(verdict.layers).map(({ status }) => status)]).toEqual([result, statuses]);
  expect([verdict.fault?.code ?? null, verdict.divergence === null]).toEqual([change.fault?.code ?? null, Boolean(change.fault) || !change.divergence]);
});

test.each<[string, Partial<ActivityVerdictOptions>, object | null]>([
  ['the last one that was reached', { reachedCount: 2 }, { id: 'checkpoint-0001', name: 'greeted' }],
  ['none where none was reached', { reachedCount: 0 }, null],
  ['its own where it has one', { divergence: { ...diverged('state'), checkpoint: { id: 'checkpoint-0000', name: 'replay.bootstrap' } } }, { id: 'checkpoint-0000', name: 'replay.bootstrap' }],
])('buildActivityVerdict() tells behind which checkpoint it diverged: %s', (_title, change, expected) => {
  const { divergence } = build({ divergence: diverged('state'), ...change });
  expect(divergence?.checkpoint).toEqual(expected);
  expect(divergence?.next).toEqual(['playhead show cases/watering/cassettes/main']);
});
