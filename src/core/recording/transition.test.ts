import { expect, test } from 'vitest';
import { isActive, type Recording, type RecordingStatus } from './recording.ts';
import { transitionRecording, type RecordingChange } from './transition.ts';

const recording = (status: RecordingStatus, change: Partial<Recording> = {}): Recording => ({
  id: 'r',
  name: 'n',
  cassetteId: null,
  scopeId: 's',
  agentTargetId: 'local:codex',
  replayPrerequisites: { composerDefaults: { model: '', permissionModeId: '', reasoningEffort: '', speed: '' } },
  mode: 'create-session',
  rootAgentSessionId: null,
  status,
  errorCode: null,
  errorMessage: null,
  createdAtUnixMs: 1,
  recordingAtUnixMs: null,
  stoppedAtUnixMs: null,
  updatedAtUnixMs: 1,
  ...change,
});
const statuses: RecordingStatus[] = ['preparing', 'ready', 'recording', 'finalizing', 'complete', 'failed', 'canceled', 'incomplete'];
const enough = { atUnixMs: 9, rootAgentSessionId: 'root', cassetteId: 'c', errorCode: ' code ', errorMessage: ' why ' };
const check = (from: RecordingStatus, change: RecordingChange, had: Partial<Recording> = {}) => {
  const result = transitionRecording(recording(from, had), change);
  return result.ok ? result.value : result.refusal.code;
};

test('transitionRecording() leads from preparing to complete, stamps each time once and takes the cassette', () => {
  const steps: RecordingChange[] = [
    { to: 'ready', atUnixMs: 2 },
    { to: 'recording', atUnixMs: 3, rootAgentSessionId: 'root' },
    { to: 'finalizing', atUnixMs: 4 },
    { to: 'complete', atUnixMs: 5, cassetteId: 'c' },
  ];
  const last = steps.reduce((current, step) => {
    const result = transitionRecording(current, step);
    return result.ok ? result.value : current;
  }, recording('preparing'));
  expect(last).toMatchObject({ status: 'complete', rootAgentSessionId: 'root', cassetteId: 'c', recordingAtUnixMs: 3, stoppedAtUnixMs: 4, updatedAtUnixMs: 5 });
  expect(isActive(last.status)).toBe(false);
});

const ways = ['preparing>ready', 'preparing>recording', 'ready>recording', 'recording>finalizing', 'finalizing>complete', ...['preparing', 'ready', 'recording', 'finalizing'].flatMap((from) => ['failed', 'canceled', 'incomplete'].map((to) => `${from}>${to}`))];
test('transitionRecording() knows these ways and no other, and staying is always one', () => {
  const found = statuses.flatMap((from) => statuses.filter((to) => from !== to && typeof check(from, { ...enough, to }) === 'object').map((to) => `${from}>${to}`));
  expect(found.toSorted()).toEqual(ways.toSorted());
  for (const status of statuses) expect(check(status, { to: status, atUnixMs: 0 })).toEqual(recording(status));
});

test.each<[string, RecordingStatus, RecordingChange]>([
  ['completion without a cassette', 'finalizing', { to: 'complete', atUnixMs: 9 }],
  ['completion with a blank cassette', 'finalizing', { to: 'complete', atUnixMs: 9, cassetteId: ' ' }],
  ['recording without a root session', 'ready', { to: 'recording', atUnixMs: 9 }],
  ['a time of zero', 'preparing', { to: 'ready', atUnixMs: 0 }],
  ['a time that is none', 'preparing', { to: 'ready', atUnixMs: Number.NaN }],
  ['a failure without code', 'recording', { to: 'failed', atUnixMs: 9, errorMessage: 'why' }],
  ['an interruption without message', 'recording', { to: 'incomplete', atUnixMs: 9, errorCode: 'code', errorMessage: '\t' }],
])('transitionRecording() refuses %s', (_title, from, change) => expect(check(from, change)).toBe('recording_state_invalid'));

test('transitionRecording() keeps a stamp that is there, trims the code, keeps the message, and clears both on every other way', () => {
  expect(check('ready', { to: 'recording', atUnixMs: 9 }, { rootAgentSessionId: 'root', recordingAtUnixMs: 4 })).toMatchObject({ recordingAtUnixMs: 4, updatedAtUnixMs: 9 });
  expect(check('recording', { ...enough, to: 'failed' })).toMatchObject({ errorCode: 'code', errorMessage: ' why ' });
  expect(check('recording', { to: 'canceled', atUnixMs: 9 }, { errorCode: 'x', errorMessage: 'y' })).toMatchObject({ errorCode: null, errorMessage: null });
});

test('isActive() is true of the four statuses before an end', () => expect(statuses.filter(isActive)).toEqual(['preparing', 'ready', 'recording', 'finalizing']));
