import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Findings } from '../issue.ts';
import { parseJson, type Json, type JsonObject } from '../json/exact.ts';
import { reportIncompleteIntents } from './check-cause.ts';
import { reportUnknownLanes } from './check-lanes.ts';
import { ActivityCheck } from './check.ts';

const activation: JsonObject = { schemaVersion: 7, kind: 'intent', type: 'activation/requested', eventId: 'a', correlationId: 'c', payload: { mode: 'new', cwd: '${REPLAY_CWD}' } };
const activated: JsonObject = { schemaVersion: 7, kind: 'effect', type: 'session/activate', eventId: 'b', correlationId: 'c', causedByEventId: 'a', payload: { outcome: 'succeeded' } };
const removal: JsonObject = { schemaVersion: 7, kind: 'intent', type: 'queue/removed', eventId: 'r', correlationId: 'p' };
const submit: JsonObject = { schemaVersion: 7, kind: 'intent', type: 'submit/requested', eventId: 's', correlationId: 'k', payload: {} };
const sent: JsonObject = { schemaVersion: 7, kind: 'effect', type: 'queue/sendPrompt', eventId: 't', correlationId: 'k', causedByEventId: 's', payload: { outcome: 'failed', errorCode: 'x' } };
const creation: JsonObject = { schemaVersion: 7, kind: 'direct-stimulus', type: 'session.create', eventId: 'd', payload: {} };
const send: JsonObject = { schemaVersion: 7, kind: 'direct-stimulus', type: 'session.send', eventId: 'e', correlationId: 'z' };
const stop: JsonObject = { schemaVersion: 7, kind: 'intent', type: 'session/stopRequested', eventId: 'x', correlationId: 'q', payload: {} };

/** Events in order; sequence and time follow unless given. A number stands for lines that could not be read. */
const run = (events: (Json | undefined)[]) => {
  const findings = new Findings();
  const activity = new ActivityCheck(findings.report);
  events.forEach((event, i) => {
    if (event === undefined) activity.unreadable();
    else activity.take(typeof event === 'object' && event !== null && !Array.isArray(event) ? { sequence: i + 1, occurredAtUnixMs: 1000 + i, ...event } : event, i + 1);
  });
  const timeline = activity.finish();
  reportIncompleteIntents(timeline, findings.report);
  return { timeline, findings, found: findings.all.map(({ code, line, path }) => `${code} ${line ?? '-'} ${path ?? '-'}`) };
};
const check = (events: (Json | undefined)[], found: string[]) => expect(run(events).found).toEqual(found);
const raw = (text: string) => parseJson(text) as Json;

test.each<[string, (Json | undefined)[]]>([
  ['an intent, its effect and a direct stimulus', [submit, sent, creation]],
  ['an activation with its effect', [activation, activated]],
  ['an optional intent and a stimulus', [removal, creation]],
  ['any number of effects for one intent', [submit, sent, { ...sent, eventId: 'u', type: 'turn/cancel' }]],
  ['a stimulus of an unknown type', [{ ...creation, type: 'anything' }]],
  ['equal times', [{ ...removal, occurredAtUnixMs: 5 }, { ...creation, occurredAtUnixMs: 5 }]],
  ['the scope members inside a payload', [{ ...creation, payload: { scopeId: 'w', workspaceId: 'w' } }]],
  ['scope members in another spelling', [{ ...creation, ScopeId: 'w', workspaceid: 'w' }]],
  ['unknown members, __proto__ among them', [raw('{"schemaVersion":7,"sequence":1,"kind":"direct-stimulus","type":"x","eventId":"1","occurredAtUnixMs":1,"y":1,"__proto__":{"kind":"effect"}}')]],
  ['null for every optional text of a stimulus but its cause', [{ ...creation, correlationId: null, agentSessionId: null }]],
  ['an effect without correlation beside an intent with one', [activation, { ...activated, correlationId: null }]],
  ['an effect with correlation beside an intent without one', [{ ...activation, correlationId: '' }, activated]],
  ['paths with `..` behind the token', [{ ...activation, payload: { cwd: '${REPLAY_CWD}/../x' } }, activated]],
  ['absolute paths in other events and at other places', [{ ...submit, payload: { cwd: '/home/a' } }, { ...sent }, { ...creation, payload: { cwd: 'a', note: '/home/a' } }]],
  ['integers that the shape check refuses', [{ ...creation, occurredAtUnixMs: raw('1.0'), schemaVersion: raw('7e0'), sequence: raw('1.0') }]],
  ['a sequence of negative zero, which the shape check refuses', [{ ...creation, sequence: raw('-0') }]],
  ['members of a wrong type, which are the shape check’s', [{ ...creation, kind: 1, type: 2, occurredAtUnixMs: 'x', payload: [], correlationId: 3, causedByEventId: 4 }]],
  ['a value that is no object, which is the shape check’s', [5, [], 'x']],
])('ActivityCheck accepts %s', (_title, events) => check(events, []));

test.each<[string, string, JsonObject]>([
  ['another schema version', 'activity_schema_unsupported 1 $.schemaVersion', { schemaVersion: 6 }],
  ['no schema version', 'activity_schema_unsupported 1 $.schemaVersion', { schemaVersion: null }],
  ['a first sequence of 2', 'activity_sequence_invalid 1 $.sequence', { sequence: 2 }],
  ['no sequence', 'activity_sequence_invalid 1 $.sequence', { sequence: null }],
  ['a sequence of 2^64-1', 'activity_sequence_invalid 1 $.sequence', { sequence: raw('18446744073709551615') }],
  ['an unknown kind', 'activity_kind_unknown 1 $.kind', { kind: 'stimulus' }],
  ['a padded kind', 'activity_kind_unknown 1 $.kind', { kind: ' direct-stimulus' }],
  ['no kind', 'activity_kind_unknown 1 $.kind', { kind: null }],
  ['a blank type', 'activity_type_blank 1 $.type', { type: ' \u0085' }],
  ['a blank id', 'activity_id_blank 1 $.eventId', { eventId: '' }],
  ['no id', 'activity_id_blank 1 $.eventId', { eventId: null }],
  ['a time of zero', 'activity_time_invalid 1 $.occurredAtUnixMs', { occurredAtUnixMs: 0 }],
  ['a time below zero', 'activity_time_invalid 1 $.occurredAtUnixMs', { occurredAtUnixMs: -1 }],
  ['no time', 'activity_time_invalid 1 $.occurredAtUnixMs', { occurredAtUnixMs: null }],
  ['a time beyond 2^53-1', 'activity_integer_unsafe 1 $.occurredAtUnixMs', { occurredAtUnixMs: raw('9007199254740993') }],
  ['a scope id', 'scope_field_present 1 $.scopeId', { scopeId: null }],
  ['a workspace id', 'scope_field_present 1 $.workspaceId', { workspaceId: 'w' }],
  ['a cause', 'cause_forbidden 1 $.causedByEventId', { causedByEventId: 'a' }],
  ['a blank cause', 'cause_blank 1 $.causedByEventId', { causedByEventId: ' ' }],
  ['a null cause', 'cause_blank 1 $.causedByEventId', { causedByEventId: null }],
  ['a padded type', 'activity_padding 1 $.type', { type: 'session.create ' }],
  ['a padded correlation', 'activity_padding 1 $.correlationId', { correlationId: '\tz' }],
  ['a null payload', 'payload_null 1 $.payload', { payload: null }],
])('ActivityCheck refuses a stimulus with %s', (_title, found, damage) => check([{ ...creation, ...damage }], [found]));

test.each<[string, string[], (Json | undefined)[]]>([
  ['null', ['activity_event_invalid 1 $'], [null]],
  ['no event at all', ['activity_empty - -'], []],
  ['a gap, once', ['activity_sequence_invalid 2 $.sequence'], [removal, { ...creation, sequence: 3 }, { ...send, sequence: 4 }]],
  ['one wrong sequence, once', ['activity_sequence_invalid 2 $.sequence'], [removal, { ...creation, sequence: 9 }, send]],
  ['a repeated sequence', ['activity_sequence_invalid 2 $.sequence'], [removal, { ...creation, sequence: 1 }, send]],
  ['a repeated id', ['activity_id_repeated 2 $.eventId'], [removal, { ...creation, eventId: 'r' }]],
  ['an id that repeats after trimming', ['activity_id_repeated 2 $.eventId'], [removal, { ...creation, eventId: ' r' }]],
  ['a time that goes back, once', ['activity_time_backward 2 $.occurredAtUnixMs'], [removal, { ...creation, occurredAtUnixMs: 3 }, { ...send, occurredAtUnixMs: 4 }]],
  ['an undeclared intent, without its effect', ['intent_unknown 1 $.type'], [{ ...submit, type: 'submit/other' }, sent]],
  ['an undeclared effect', ['effect_not_allowed 2 $.type'], [submit, { ...sent, type: 'queue/other' }]],
  ['an effect of another intent', ['effect_not_allowed 2 $.type'], [activation, { ...activated, type: 'turn/cancel' }]],
  ['an effect without cause', ['cause_missing 2 $.causedByEventId'], [activation, { ...activated, causedByEventId: ' ' }]],
  ['an effect that a stimulus caused', ['cause_not_earlier_intent 2 $.causedByEventId'], [creation, { ...sent, causedByEventId: 'd' }]],
  ['an effect that an effect caused', ['cause_not_earlier_intent 3 $.causedByEventId'], [submit, sent, { ...sent, eventId: 'u', causedByEventId: 't' }]],
  ['an effect that caused itself', ['cause_not_earlier_intent 1 $.causedByEventId'], [{ ...sent, causedByEventId: 't' }]],
  ['an effect before its intent', ['cause_not_earlier_intent 1 $.causedByEventId'], [activated, activation]],
  ['an effect of an unknown cause', ['cause_not_earlier_intent 2 $.causedByEventId'], [activation, { ...activated, causedByEventId: 'nobody' }]],
  ['another correlation than the cause', ['correlation_mismatch 2 $.correlationId'], [submit, { ...sent, correlationId: 'other' }]],
  ['an empty correlation beside that of the cause', ['correlation_blank 2 $.correlationId'], [submit, { ...sent, correlationId: '' }]],
  ['a padded cause', ['activity_padding 2 $.causedByEventId'], [submit, { ...sent, causedByEventId: 's ' }]],
  ['a cause whose id is padded', ['activity_padding 2 $.causedByEventId'], [{ ...submit, eventId: 's ' }, sent]],
  ['an effect without payload', ['effect_outcome_invalid 2 $.payload.outcome'], [submit, { ...sent, payload: undefined as unknown as Json }]],
  ['an effect without outcome', ['effect_outcome_invalid 2 $.payload.outcome'], [submit, { ...sent, payload: {} }]],
  ['an unknown outcome', ['effect_outcome_invalid 2 $.payload.outcome'], [submit, { ...sent, payload: { outcome: 'done' } }]],
  ['an effect with a null payload', ['payload_null 2 $.payload'], [submit, { ...sent, payload: null }]],
  ['an intent that requires an effect and has none', ['intent_effect_missing 1 $.eventId'], [activation]],
  ['a required effect that a stimulus stands in for', ['intent_effect_missing 1 $.eventId'], [activation, creation]],
  ['a send that repeats an earlier intent', ['stimulus_repeats_intent 2 $.correlationId'], [submit, { ...send, correlationId: 'k' }]],
  ['a send that repeats a later intent', ['stimulus_repeats_intent 1 $.correlationId'], [{ ...send, correlationId: 'k' }, submit]],
  ['a reserved member in the payload of an intent', ['payload_member_reserved 1 $.payload.type'], [{ ...submit, payload: { type: 'x' } }]],
  ['a made command without correlation', ['command_correlation_missing 1 $.correlationId'], [{ ...stop, correlationId: ' ' }]],
  ['a bound command without correlation', ['command_correlation_missing 1 $.correlationId'], [{ ...submit, correlationId: null, payload: { routing: 'send_now', clientSubmitId: 'k' } }]],
  ['two made commands of one correlation', ['command_correlation_repeated 2 $.correlationId'], [stop, { ...stop, eventId: 'y' }]],
  ['two bound commands of one correlation', ['command_correlation_repeated 2 $.correlationId'], [1, 2].map((n) => ({ ...removal, type: 'queue/sendNowRequested', eventId: `n${n}`, payload: { cancelCommandId: `c${n}` } }))],
])('ActivityCheck refuses %s', (_title, found, events) => check(events, found));

test('ActivityCheck blames no other event for a line that could not be read', () => {
  check([undefined, activated], []);
  check([activation, undefined], []);
});

test('ActivityCheck blames no other event for one whose kind, id or type is wrong', () => {
  check([activation, { ...activated, kind: 'effects' }], ['activity_kind_unknown 2 $.kind']);
  check([{ ...activation, kind: 'intents' }, activated], ['activity_kind_unknown 1 $.kind']);
  check([{ ...activation, eventId: '' }, activated], ['activity_id_blank 1 $.eventId']);
  check([activation, { ...activated, type: '' }], ['activity_type_blank 2 $.type']);
});

const places = ['$.payload.cwd', '$.payload.railPlacement.projectPath', '$.payload.railPlacement.sectionKey', '$.payload.railSectionKey'];
const payloadWith = (place: string, path: string): JsonObject => {
  const key = place.split('.').at(-1) as string;
  const value = key.endsWith('Key') ? `project:${path}` : path;
  return place.includes('railPlacement') ? { outcome: 'succeeded', railPlacement: { [key]: value } } : { outcome: 'succeeded', [key]: value };
};
const withPayload = (type: string, payload: JsonObject) => (type === 'session/activate' ? [activation, { ...activated, payload }] : type === 'session.create' ? [{ ...creation, payload }] : [{ ...activation, payload }, activated]);

test.each(['activation/requested', 'session.create', 'session/activate'].flatMap((type) => places.map((place) => [type, place])))('ActivityCheck refuses an absolute path left in %s at %s', (type, place) => {
  const line = type === 'session/activate' ? 2 : 1;
  for (const path of ['/home/someone/project', ' /x', 'file:///x', 'C:\\x', 'c:/x', '\\\\host\\share']) check(withPayload(type, payloadWith(place, path)), [`activity_path_absolute ${line} ${place}`]);
  for (const path of ['${REPLAY_CWD}', ' ${REPLAY_CWD} ', '${REPLAY_CWD}/a', 'a/b', '', 'C:']) check(withPayload(type, payloadWith(place, path)), []);
});

test('ActivityCheck leaves section keys alone that name no project, and values that are no texts', () => {
  check([{ ...activation, payload: { cwd: 3, railSectionKey: 'conversations', railPlacement: { sectionKey: '/x', projectPath: {} } } }, activated], []);
  check([{ ...activation, payload: { railPlacement: '/x', railSectionKey: null } }, activated], []);
});

test('ActivityCheck never shows a path of the recording machine', () => {
  expect(JSON.stringify(run([{ ...creation, payload: { cwd: '/home/someone' } }]).findings.all)).not.toContain('someone');
});

test('reportIncompleteIntents() names id, type and correlation', () => {
  expect(run([{ ...activation, eventId: 'ev-1', correlationId: 'co-1' }]).findings.all[0]?.is).toMatch(/"ev-1".*"activation\/requested".*"co-1"/);
});

test('ActivityCheck gives the timeline with ids as they were written', () => {
  const { timeline } = run([{ ...submit, eventId: ' s ' }, { ...sent, causedByEventId: ' s ' }]);
  expect([timeline.count, timeline.isWhole, timeline.hasLanes, timeline.events[1]]).toEqual([2, true, false, { line: 2, sequence: 2, kind: 'effect', type: 'queue/sendPrompt', eventId: 't', causedByEventId: ' s ', correlationId: 'k' }]);
});

test('ActivityCheck counts by sequence where lines are missing, and counts lines that could not be read', () => {
  expect(run([removal, { ...creation, sequence: 3 }, { ...send, sequence: 4 }]).timeline).toMatchObject({ count: 4, events: [{ sequence: 1 }, { sequence: 2 }, { sequence: 4 }] });
  expect(run([removal, undefined]).timeline).toMatchObject({ count: 2, isWhole: false });
});

const lane = (connectionId: string, chunkSeq: Json, unitIndex: Json = 1): JsonObject => ({ connectionId, chunkSeq, unitIndex });
const checkLanes = (lanes: Json, found: string[]) => check([{ ...removal, lanes }], found.map((path) => `lanes_invalid 1 ${path}`));

test.each<[string, Json, string[]]>([
  ['accepts empty vectors', { seen: [], accepted: [] }, []],
  ['accepts connections in order', { seen: [lane('a', 1)], accepted: [lane('a', 1, 2), lane('b', 3)] }, []],
  ['accepts places whose numbers are left out, and unknown members', { seen: [{ connectionId: 'a' }], accepted: [{ connectionId: 'a', x: 1 }], y: 1 }, []],
  ['accepts null lanes', null, []],
  ['refuses lanes that are no object', [], ['$.lanes']],
  ['refuses a missing vector', { seen: [] }, ['$.lanes.accepted']],
  ['refuses a null vector', { seen: null, accepted: [] }, ['$.lanes.seen']],
  ['refuses the vector of an effect', { seen: [], accepted: [], started: [] }, ['$.lanes.started']],
  ['refuses a place that is no object', { seen: [], accepted: [1] }, ['$.lanes.accepted[0]']],
  ['refuses a blank connection', { seen: [], accepted: [lane('', 1)] }, ['$.lanes.accepted[0].connectionId']],
  ['refuses a fraction', { seen: [], accepted: [lane('a', raw('1.0'))] }, ['$.lanes.accepted[0].chunkSeq']],
  ['refuses a negative zero', { seen: [], accepted: [lane('a', raw('-0'))] }, ['$.lanes.accepted[0].chunkSeq']],
  ['refuses a number below zero', { seen: [], accepted: [lane('a', 1, -1)] }, ['$.lanes.accepted[0].unitIndex']],
  ['refuses connections out of order', { seen: [], accepted: [lane('b', 1), lane('a', 1)] }, ['$.lanes.accepted[1].connectionId']],
  ['refuses a repeated connection', { seen: [], accepted: [lane('a', 1), lane('a', 2)] }, ['$.lanes.accepted[1].connectionId']],
  ['orders connections by their bytes', { seen: [], accepted: [lane('\u{1F600}', 1), lane('\uff61', 1)] }, ['$.lanes.accepted[1].connectionId']],
  ['refuses what was seen before it was received', { seen: [lane('a', 2)], accepted: [lane('a', 1, 9)] }, ['$.lanes.seen']],
  ['refuses a connection that was seen and never received', { seen: [lane('a', 1)], accepted: [] }, ['$.lanes.seen']],
])('the check of lanes %s', (_title, lanes, found) => checkLanes(lanes, found));

test('the check of lanes wants of an effect where its command began', () => {
  const lanes = { seen: [], accepted: [] };
  check([{ ...submit, lanes }, { ...sent, lanes: { started: [lane('a', 1)] } }], []);
  check([{ ...submit, lanes }, { ...sent, lanes }], ['lanes_invalid 2 $.lanes.seen']);
  check([{ ...submit, lanes }, { ...sent, lanes: {} }], ['lanes_invalid 2 $.lanes.started']);
});

test('reportUnknownLanes() names the first place of a connection that the tape does not have', () => {
  const { timeline, findings } = run([{ ...removal, lanes: { seen: [], accepted: [lane('a', 1), lane('b', 1)] } }, { ...creation, lanes: { seen: [lane('b', 1)], accepted: [lane('b', 1)] } }]);
  expect(timeline.hasLanes).toBe(true);
  reportUnknownLanes(timeline, new Set(), findings.report);
  expect(findings.all).toEqual([]);
  reportUnknownLanes(timeline, new Set(['a']), findings.report);
  expect(findings.all.map(({ code, line, path }) => `${code} ${line} ${path}`)).toEqual(['lanes_invalid 1 $.lanes.accepted[1].connectionId']);
});

test('ActivityCheck says a bounded number of times that a rule is broken', () => {
  const counts = new Map<string, number>();
  const activity = new ActivityCheck(({ code }) => void counts.set(code, (counts.get(code) ?? 0) + 1));
  for (let line = 1; line <= 5_000; line++) activity.take({}, line);
  expect([counts.size > 3, Math.max(...counts.values())]).toEqual([true, 1_000]);
});

test('ActivityCheck takes any values without throwing, and the same values twice alike', () => {
  const keys = ['schemaVersion', 'sequence', 'kind', 'type', 'eventId', 'correlationId', 'causedByEventId', 'payload', 'occurredAtUnixMs', 'lanes'];
  const anything = fc.oneof(fc.jsonValue(), fc.constantFrom('intent', 'effect', 'direct-stimulus', 'submit/requested', 'session/activate', 'e', 1, 7, '__proto__'));
  const event = fc.dictionary(fc.constantFrom(...keys), anything);
  fc.assert(
    fc.property(fc.array(fc.oneof(event, fc.jsonValue()), { maxLength: 6 }), (events) => {
      const values = JSON.parse(JSON.stringify(events)) as Json[];
      expect(run(values).found).toEqual(run(values).found);
    }),
  );
});
