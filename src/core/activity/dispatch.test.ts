import { expect, test } from 'vitest';
import { parseJson, type Json, type JsonObject } from '../json/exact.ts';
import type { ActivityEvent } from './event.ts';
import { waitsForIdle } from './idle-wait.ts';
import { isIntentReady, type SessionView } from './readiness.ts';
import { rebaseTimestamps } from './rebase-timestamps.ts';
import { dueAfterMs, playbackOrigin, shownDurationMs } from './timing.ts';

const checkRebase = (type: string, payload: JsonObject, occurredAtUnixMs: number, now: number, rebased: JsonObject) => {
  expect(rebaseTimestamps({ type, payload, occurredAtUnixMs }, now)).toEqual(rebased);
};

test.each<[string, string, JsonObject, number, number, JsonObject]>([
  ['moves the end of a cancel with its event', 'session/cancelRequested', { awaitingTurnExpiresAtUnixMs: 6000 }, 1000, 10_000, { awaitingTurnExpiresAtUnixMs: 15_000 }],
  ['leaves a cancel at least a millisecond', 'session/stopRequested', { awaitingTurnExpiresAtUnixMs: 5 }, 1000, 10_000, { awaitingTurnExpiresAtUnixMs: 10_001 }],
  ['moves the window of a submit', 'submit/requested', { requestedAtUnixMs: 5000, expiresAtUnixMs: 125_000, a: 1 }, 1, 900_000, { requestedAtUnixMs: 900_000, expiresAtUnixMs: 1_020_000, a: 1 }],
  ['never makes a window end before it begins', 'plan/feedbackRequested', { requestedAtUnixMs: 9, expiresAtUnixMs: 3 }, 1, 100, { requestedAtUnixMs: 100, expiresAtUnixMs: 100 }],
  ['needs both ends of a window', 'activation/requested', { requestedAtUnixMs: 9 }, 1, 100, { requestedAtUnixMs: 9 }],
  ['needs numbers', 'activation/requested', { requestedAtUnixMs: 9, expiresAtUnixMs: '12' }, 1, 100, { requestedAtUnixMs: 9, expiresAtUnixMs: '12' }],
  ['reads any spelling of a number', 'submit/requested', parseJson('{"requestedAtUnixMs":5.0,"expiresAtUnixMs":1e3}') as JsonObject, 1, 100, { requestedAtUnixMs: 100, expiresAtUnixMs: 1095 }],
  ['leaves every other payload alone', 'queue/removed', { requestedAtUnixMs: 5, expiresAtUnixMs: 9 }, 1, 100, { requestedAtUnixMs: 5, expiresAtUnixMs: 9 }],
])('rebaseTimestamps() %s', (_title, type, payload, occurred, now, rebased) => checkRebase(type, payload, occurred, now, rebased));

const session: SessionView = { runtimeStatus: null, goalControlStatus: null, activeTurn: null, turns: [], interactions: [], queuesSubmit: false };
const turn = (turnId: string, phase: string, outcome: string | null = null) => ({ turnId, phase, outcome });
const checkReady = (type: string, payload: JsonObject, view: Partial<SessionView> | null, isReady: boolean) => {
  expect(isIntentReady({ type, payload }, view === null ? null : { ...session, ...view })).toBe(isReady);
};

test.each<[string, string, JsonObject, Partial<SessionView> | null, boolean]>([
  ['lets a new activation pass', 'activation/requested', { mode: 'new' }, null, true],
  ['holds an existing activation until the session is known', 'activation/requested', { mode: 'existing' }, null, false],
  ['lets an existing activation pass then', 'activation/requested', { mode: 'existing' }, {}, true],
  ['holds settings until the session is known', 'session/settingsUpdateRequested', {}, null, false],
  ['lets settings pass then', 'session/settingsUpdateRequested', {}, {}, true],
  ['holds a goal without session', 'goal/controlRequested', {}, null, false],
  ['holds a goal while the runtime is blocked', 'goal/controlRequested', {}, { runtimeStatus: 'blocked' }, false],
  ['holds a goal while another is pending', 'goal/controlRequested', {}, { goalControlStatus: 'pending_create' }, false],
  ['lets a goal pass otherwise', 'goal/controlRequested', {}, { goalControlStatus: 'active', runtimeStatus: 'ready' }, true],
  ['holds an answer until its question is asked', 'interaction/responseRequested', { turnId: 't', requestId: 'r' }, { interactions: [{ turnId: 't', requestId: 'other', status: 'pending' }] }, false],
  ['holds an answer to what was answered', 'interaction/responseRequested', { turnId: 't', requestId: 'r' }, { interactions: [{ turnId: 't', requestId: 'r', status: 'resolved' }] }, false],
  ['lets an answer pass', 'interaction/responseRequested', { turnId: 't', requestId: 'r' }, { interactions: [{ turnId: 't', requestId: 'r', status: 'pending' }] }, true],
  ['holds a decision until its turn completed', 'plan/decisionRequested', { turnId: 't' }, { turns: [turn('t', 'settled', 'failed')] }, false],
  ['lets a decision pass', 'plan/decisionRequested', { turnId: 't' }, { turns: [turn('t', 'settled', 'completed')] }, true],
  ['holds a stop without turn', 'session/stopRequested', {}, {}, false],
  ['holds a stop of another turn', 'session/stopRequested', { turnId: 'u' }, { activeTurn: turn('t', 'running') }, false],
  ['holds a cancel of a settled turn', 'session/cancelRequested', { turnId: 't' }, { activeTurn: turn('t', 'settled') }, false],
  ['lets a cancel of any turn pass', 'session/cancelRequested', {}, { activeTurn: turn('t', 'running') }, true],
  ['holds a queued submit until it would be queued', 'submit/requested', { submitDiagnostics: { queued: true } }, {}, false],
  ['lets a queued submit pass then', 'submit/requested', { submitDiagnostics: { queued: true } }, { queuesSubmit: true }, true],
  ['holds a submit that was not queued while it would be', 'submit/requested', { submitDiagnostics: { queued: false } }, { queuesSubmit: true }, false],
  ['lets a submit pass that skips the queue', 'submit/requested', { routing: 'send_now', submitDiagnostics: { queued: false } }, { queuesSubmit: true }, true],
  ['lets a submit pass that says nothing', 'submit/requested', {}, { queuesSubmit: true }, true],
  ['lets everything else pass', 'queue/resumed', {}, null, true],
])('isIntentReady() %s', (_title, type, payload, view, isReady) => checkReady(type, payload, view, isReady));

type Waiting = Pick<ActivityEvent, 'kind' | 'type' | 'eventId' | 'payload'>;
const submit: Waiting = { kind: 'intent', type: 'submit/requested', eventId: 's', payload: {} };
const checkIdle = (event: Partial<Waiting>, effect: string | null, waits: boolean) => {
  expect(waitsForIdle({ ...submit, ...event }, effect === null ? [] : [{ kind: 'effect', type: effect, causedByEventId: 's' }])).toBe(waits);
};

test.each<[string, Partial<Waiting>, string | null, boolean]>([
  ['holds a submit that was sent', {}, 'queue/sendPrompt', true],
  ['holds a submit that activated', {}, 'session/activate', true],
  ['lets a submit pass that only canceled', {}, 'turn/cancel', false],
  ['lets a submit pass that nothing followed', {}, null, false],
  ['lets a submit pass that was queued', { payload: { submitDiagnostics: { queued: true } } }, 'queue/sendPrompt', false],
  ['lets a submit pass that skips the queue', { payload: { routing: 'immediate' } }, 'queue/sendPrompt', false],
  ['holds plan feedback always', { type: 'plan/feedbackRequested' }, null, true],
  ['lets other intents pass', { type: 'queue/resumed' }, 'queue/sendPrompt', false],
  ['holds a direct send', { kind: 'direct-stimulus', type: 'session.send' }, null, true],
  ['lets a steering send pass', { kind: 'direct-stimulus', type: 'session.send', payload: { guidance: 'steer' } }, null, false],
  ['lets a guiding send pass', { kind: 'direct-stimulus', type: 'session.send', payload: { guidance: true } }, null, false],
  ['lets effects pass', { kind: 'effect', type: 'session.send' }, null, false],
])('waitsForIdle() %s', (_title, event, effect, waits) => checkIdle(event, effect, waits));

test('waitsForIdle() counts effects of this event only', () => {
  expect(waitsForIdle(submit, [{ kind: 'effect', type: 'queue/sendPrompt', causedByEventId: 'other' }])).toBe(false);
});

test('a batch begins with the earliest first event, and every event keeps its distance', () => {
  expect([playbackOrigin([5000, 3000, 4000]), playbackOrigin([])]).toEqual([3000, null]);
  expect([dueAfterMs(5000, 3000), dueAfterMs(2000, 3000)]).toEqual([2000, 0]);
});

test.each<[number, number | null, number]>([
  [900, 5000, 4000],
  [9000, 5000, 9000],
  [0, 500, 0],
  [7, null, 7],
])('shownDurationMs() is the later of last frame (%s) and last event (%s)', (frameElapsedMsMax, eventTimeMax, duration) => {
  expect(shownDurationMs({ frameElapsedMsMax, eventTimeMax, createdAtUnixMs: 1000 })).toBe(duration);
});

test('rebaseTimestamps() does not change the payload that it was given', () => {
  const payload: { [key: string]: Json } = { requestedAtUnixMs: 1, expiresAtUnixMs: 2 };
  rebaseTimestamps({ type: 'submit/requested', payload, occurredAtUnixMs: 1 }, 50);
  expect(payload).toEqual({ requestedAtUnixMs: 1, expiresAtUnixMs: 2 });
});
