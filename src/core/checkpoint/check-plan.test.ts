import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Findings } from '../issue.ts';
import { isObject, parseJson, setMember, writeJson, type Json, type JsonObject } from '../json/exact.ts';
import type { ActivityFactsLike } from './boundary.ts';
import { createCheckpoint, appendCheckpoint, createPlan } from './build.ts';
import { checkPlan, checkPublishedPlan, parsePlan, type PlanContext } from './check-plan.ts';
import { checkpointKinds, predicateTypes } from './kinds.ts';
import { planJson, writePlan } from './plan.ts';

// Bootstrap, an activity boundary behind an intent and its effect, a pending interaction and the end of the turn.
const plan = (): JsonObject => {
  const turn = () => ({ kind: 'turn', origin: { source: 'provider-observation', providerObservation: { connectionId: 'c1', chunkSeq: 4, unitIndex: 1, eventIndex: 1 } } });
  const cursor = (activity: number, c1: [number, number], c2: [number, number]) => ({
    activityEventSequence: activity,
    providerConnections: [{ connectionId: 'c1', chunkSeq: c1[0], unitIndex: c1[1] }, { connectionId: 'c2', chunkSeq: c2[0], unitIndex: c2[1] }],
  });
  const observed = (chunkSeq: number, type: string) => ({ source: 'provider-observation', position: { connectionId: 'c1', chunkSeq, unitIndex: 1, eventIndex: 1 }, unitKind: 'protocol-message', type, fingerprint: `sha256:${'a'.repeat(64)}` });
  const checkpoints: JsonObject[] = [
    { kind: 'replay.bootstrap', cursor: cursor(0, [0, 0], [0, 0]), trigger: { source: 'bootstrap' }, subjects: null, readiness: { all: [] } },
    { kind: 'session.ready', cursor: cursor(2, [2, 1], [0, 0]), trigger: { source: 'activity-boundary', afterActivityEventSequence: 2, boundaryKind: 'intent-effects' }, subjects: [{ kind: 'session', origin: { source: 'recording-root' } }], readiness: { all: [{ type: 'session.exists', subject: 0, equals: 'true' }] } },
    { kind: 'turn.working', cursor: cursor(3, [4, 1], [2, 1]), trigger: observed(4, 'turn.started'), subjects: [turn()], readiness: { all: [{ type: 'turn.phase', subject: 0, equals: 'working' }] } },
    { kind: 'turn.terminal', cursor: cursor(4, [9, 1], [2, 1]), trigger: observed(9, 'turn.completed'), subjects: [turn()], readiness: { all: [{ type: 'turn.status', subject: 0, equals: 'completed' }] } },
  ];
  return {
    schemaVersion: 2,
    cassetteSchemaVersion: 7,
    observationSchemaVersion: 2,
    checkpoints: checkpoints.map((checkpoint, index) => ({ id: `checkpoint-000${index}`, index, tags: [checkpoint.kind as Json, 'mine'], ...checkpoint })),
  };
};

const events: ActivityFactsLike[] = [
  { sequence: 1n, kind: 'intent', eventId: 'e1', causedByEventId: null },
  { sequence: 2n, kind: 'effect', eventId: 'e2', causedByEventId: 'e1' },
  { sequence: 3n, kind: 'intent', eventId: 'e3', causedByEventId: null },
  { sequence: 4n, kind: 'effect', eventId: 'e4', causedByEventId: 'e3' },
];
const known: PlanContext = { connectionIds: ['c1', 'c2'], events };
const unknown: PlanContext = { connectionIds: null, events: null };

type Edit = (document: JsonObject) => void;
/** Sets a member by its path below the checkpoints; `undefined` takes it out. */
const set = (path: string, value: Json | undefined): Edit => (document) => {
  const steps = path.split('.');
  const last = steps.pop() as string;
  const parent = steps.reduce<Json>((found, step) => (found as JsonObject)[step] as Json, document.checkpoints as Json) as JsonObject;
  if (value === undefined) delete parent[last];
  else setMember(parent, last, value);
};
const all = (...edits: Edit[]): Edit => (document) => edits.forEach((edit) => edit(document));
const swap = (path: string): Edit => (document) => {
  const list = path.split('.').reduce<Json>((found, step) => (found as JsonObject)[step] as Json, document.checkpoints as Json) as Json[];
  list.reverse();
};
const top = (key: string, value: Json): Edit => (document) => setMember(document, key, value);

const found = (value: Json, context: PlanContext) => {
  const findings = new Findings();
  const facts = checkPlan(value, context, findings.report);
  if (facts) checkPublishedPlan(facts, findings.report);
  return findings.all.map(({ code, file, path }) => `${code} ${path?.replace('$.checkpoints', '')}${file === 'checkpoint-plan.json' ? '' : ` in ${file}`}`);
};
const check = (edit: Edit, expected: string[], context = known) => {
  const document = plan();
  edit(document);
  // As a reader would get it, so that numbers beyond 2^53 keep their text.
  expect(found(parseJson(writeJson(document)) as Json, context)).toEqual(expected);
};
const c = (checkpoint: number, place: number) => `${checkpoint}.cursor.providerConnections.${place}`;

test.each<[string, Edit]>([
  ['as it is', () => {}],
  ['with an unknown member', set('1.more', { a: 1 })],
  ['with a first checkpoint of another kind', all(set('0.kind', 'queue.stable'), set('0.tags', ['queue.stable']))],
  ['with a bootstrap trigger later', set('1.trigger', { source: 'bootstrap' })],
  ['with an activity boundary that has a position', set('1.trigger.position', { connectionId: 'x' })],
  ['with a bootstrap that says other things', set('0.trigger.type', 'x')],
  ['without index 0', set('0.index', undefined)],
  ['with null for empty', all(set('1.readiness', null), set('1.subjects', null), set('0.trigger.position', null), set('0.readiness', { all: null }))],
  ['with a fingerprint in upper case', set('2.trigger.fingerprint', `sha256:${'A'.repeat(64)}`)],
  ['with a word that nobody knows', set('2.readiness.all.0.equals', 'whatever')],
  ['with a connection that comes later', all(set('0.cursor.providerConnections', [{ connectionId: 'c1', chunkSeq: 0, unitIndex: 0 }]))],
  ['with a trigger before its cursor', set('3.trigger.position.chunkSeq', 5)],
  ['with a trigger in chunk 0', set('3.trigger.position.chunkSeq', 0)],
  ['with a boundary behind the last event', all(set('3.trigger', { source: 'activity-boundary', afterActivityEventSequence: 4, boundaryKind: 'single-event' }))],
])('checkPlan() accepts a plan %s', (_title, edit) => check(edit, []));

test.each<[string, Edit, string[]]>([
  ['schema version 1', top('schemaVersion', 1), ['plan_schema_unsupported $.schemaVersion']],
  ['no schema version', top('schemaVersion', null), ['plan_schema_unsupported $.schemaVersion']],
  ['another cassette version', top('cassetteSchemaVersion', 6), ['plan_schema_unsupported $.cassetteSchemaVersion']],
  ['another observation version', top('observationSchemaVersion', 1), ['plan_schema_unsupported $.observationSchemaVersion']],
  ['no checkpoints', top('checkpoints', []), ['plan_empty ']],
  ['null for checkpoints', top('checkpoints', null), ['plan_empty ']],
  ['null for a checkpoint', top('checkpoints', [null]), ['plan_invalid [0]']],
  ['a wrong id', set('1.id', 'checkpoint-1'), ['checkpoint_id_invalid [1].id']],
  ['no id', set('1.id', null), ['checkpoint_id_invalid [1].id']],
  ['a repeated id', set('2.id', 'checkpoint-0001'), ['checkpoint_id_invalid [2].id']],
  ['a wrong index', set('1.index', 7), ['checkpoint_index_invalid [1].index']],
  ['no index', set('2.index', undefined), ['checkpoint_index_invalid [2].index']],
  ['a checkpoint taken out', (document) => void (document.checkpoints as Json[]).splice(1, 1), ['checkpoint_index_invalid [1].index']],
  ['an unknown kind', all(set('1.kind', 'turn.unknown'), set('1.tags', ['turn.unknown'])), ['checkpoint_kind_unknown [1].kind']],
  ['no kind', set('1.kind', undefined), ['checkpoint_kind_unknown [1].kind']],
  ['a kind named like a member of every object', all(set('1.kind', 'constructor'), set('1.tags', ['constructor'])), ['checkpoint_kind_unknown [1].kind']],
  ['tags without the kind', set('1.tags', ['mine']), ['checkpoint_tag_missing [1].tags']],
  ['no tags', set('1.tags', null), ['checkpoint_tag_missing [1].tags']],
  ['an activity part that goes back', set('3.cursor.activityEventSequence', 1), ['cursor_activity_backward [3].cursor.activityEventSequence']],
  ['a boundary whose activity part goes back', all(set('2.trigger', { source: 'activity-boundary', afterActivityEventSequence: 2, boundaryKind: 'single-event' }), set('2.cursor.activityEventSequence', 1)), ['cursor_activity_backward [2].cursor.activityEventSequence']],
  ['a blank connection', set(`${c(2, 1)}.connectionId`, ' '), ['cursor_connection_order [2].cursor.providerConnections[1].connectionId']],
  ['a repeated connection', set(`${c(2, 1)}.connectionId`, 'c1'), ['cursor_connection_order [2].cursor.providerConnections[1].connectionId']],
  ['a repeated connection that is behind', set(`${c(3, 1)}.connectionId`, 'c1'), ['cursor_connection_order [3].cursor.providerConnections[1].connectionId']],
  ['connections in another order', swap('2.cursor.providerConnections'), ['cursor_connection_order [2].cursor.providerConnections[1].connectionId']],
  ['an unknown connection', set(`${c(2, 0)}.connectionId`, 'c9'), ['cursor_connection_unknown [2].cursor.providerConnections[0].connectionId']],
  ['a padded connection', set(`${c(2, 1)}.connectionId`, 'c2 '), ['cursor_connection_unknown [2].cursor.providerConnections[1].connectionId']],
  ['a connection that is gone', set('2.cursor.providerConnections', [{ connectionId: 'c1', chunkSeq: 4, unitIndex: 1 }]), ['cursor_connection_dropped [2].cursor.providerConnections']],
  ['the connection of its trigger gone', set('2.cursor.providerConnections', [{ connectionId: 'c2', chunkSeq: 2, unitIndex: 1 }]), ['cursor_connection_dropped [2].cursor.providerConnections']],
  ['null for connections', set('0.cursor.providerConnections', null), ['cursor_connections_null [0].cursor.providerConnections']],
  ['null for connections later', set('2.cursor.providerConnections', null), ['cursor_connections_null [2].cursor.providerConnections', 'cursor_connection_dropped [2].cursor.providerConnections']],
  ['a chunk that goes back', set(`${c(3, 1)}.chunkSeq`, 1), ['cursor_provider_backward [3].cursor.providerConnections[1]']],
  ['a unit that goes back', set(`${c(3, 1)}.unitIndex`, 0), ['cursor_provider_backward [3].cursor.providerConnections[1]']],
  ['the lane of its trigger that goes back', set(`${c(3, 0)}.chunkSeq`, 1), ['cursor_provider_backward [3].cursor.providerConnections[0]']],
  ['an equal cursor', (document) => void ((document.checkpoints as JsonObject[])[3]!.cursor = (document.checkpoints as JsonObject[])[2]!.cursor as Json), ['cursor_unchanged [3].cursor']],
  ['no cursor at the bootstrap', set('0.cursor', null), ['cursor_connections_null [0].cursor.providerConnections']],
  ['no cursor later', set('2.cursor', undefined), ['plan_invalid [2].cursor']],
  ['a cursor behind the events', set('3.cursor.activityEventSequence', 5), ['cursor_beyond_events [3].cursor.activityEventSequence']],
  ['a boundary whose cursor is behind the events', set('1.cursor.activityEventSequence', 500), ['boundary_sequence_invalid [1].trigger.afterActivityEventSequence', 'cursor_beyond_events [1].cursor.activityEventSequence']],
  ['no trigger', set('2.trigger', null), ['trigger_source_unknown [2].trigger']],
  ['an unknown source', set('2.trigger.source', 'observation'), ['trigger_source_unknown [2].trigger.source']],
  ['a first trigger that is no bootstrap', set('0.trigger.source', 'activity-boundary'), ['checkpoint_zero_not_bootstrap [0].trigger.source']],
  ['a first trigger of no source', set('0.trigger', {}), ['trigger_source_unknown [0].trigger.source']],
  ['a bootstrap with a position', set('0.trigger.position', {}), ['trigger_bootstrap_invalid [0].trigger.position']],
  ['a bootstrap behind an event', set('0.trigger.afterActivityEventSequence', 1), ['trigger_bootstrap_invalid [0].trigger.afterActivityEventSequence']],
  ['a boundary that is not its cursor', set('1.trigger.afterActivityEventSequence', 1), ['boundary_sequence_invalid [1].trigger.afterActivityEventSequence']],
  ['a boundary at 0', set('1.trigger.afterActivityEventSequence', undefined), ['boundary_sequence_invalid [1].trigger.afterActivityEventSequence']],
  ['an unknown boundary kind', set('1.trigger.boundaryKind', 'batch'), ['boundary_kind_unknown [1].trigger.boundaryKind']],
  ['no boundary kind', set('1.trigger.boundaryKind', null), ['boundary_kind_unknown [1].trigger.boundaryKind']],
  ['another source without its members', set('2.trigger', { source: 'activity-boundary' }), ['boundary_sequence_invalid [2].trigger.afterActivityEventSequence']],
  ['a boundary behind the events', all(set('3.trigger', { source: 'activity-boundary', afterActivityEventSequence: 9, boundaryKind: 'single-event' }), set('3.cursor.activityEventSequence', 9)), ['boundary_beyond_events [3].trigger.afterActivityEventSequence']],
  ['a boundary between an intent and its effect', all(set('1.trigger.afterActivityEventSequence', 1), set('1.cursor.activityEventSequence', 1)), ['boundary_splits_effect [1].trigger.afterActivityEventSequence']],
  ['no position', set('2.trigger.position', null), ['trigger_position_invalid [2].trigger.position']],
  ['no event index', set('2.trigger.position.eventIndex', 0), ['trigger_position_invalid [2].trigger.position.eventIndex']],
  ['a position without a connection', set('2.trigger.position.connectionId', ''), ['trigger_position_invalid [2].trigger.position.connectionId']],
  ['no type', set('2.trigger.type', ' '), ['trigger_type_blank [2].trigger.type']],
  ['an unknown unit kind', set('2.trigger.unitKind', 'line'), ['trigger_unit_kind_unknown [2].trigger.unitKind']],
  ['a malformed fingerprint', set('2.trigger.fingerprint', 'sha256:abc'), ['fingerprint_invalid [2].trigger.fingerprint']],
  ['no fingerprint', set('2.trigger.fingerprint', undefined), ['fingerprint_invalid [2].trigger.fingerprint']],
  ['another source without any member', set('1.trigger', { source: 'provider-observation' }), ['trigger_position_invalid [1].trigger.position']],
  ['a trigger behind its cursor', set('2.trigger.position.unitIndex', 2), ['trigger_beyond_cursor [2].trigger.position']],
  ['a trigger on a connection that the cursor lacks', set('2.trigger.position.connectionId', 'c3'), ['trigger_beyond_cursor [2].trigger.position.connectionId']],
  ['a subject that is no address', set('2.subjects.0.kind', 'thing'), ['address_invalid [2].subjects[0].kind']],
  ['null for a subject', set('1.subjects', [null]), ['address_invalid [1].subjects[0]']],
  ['a repeated subject', (document) => void ((document.checkpoints as JsonObject[])[2]!.subjects as Json[]).push(((document.checkpoints as JsonObject[])[2]!.subjects as Json[])[0] as Json), ['subject_repeated [2].subjects[1]']],
  ['an unknown predicate', set('2.readiness.all.0.type', 'turn.done'), ['predicate_type_unknown [2].readiness.all[0].type']],
  ['null for a predicate', set('2.readiness.all', [null]), ['predicate_type_unknown [2].readiness.all[0]']],
  ['a subject that is not there', set('2.readiness.all.0.subject', 1), ['predicate_subject_invalid [2].readiness.all[0].subject']],
  ['a subject below 0', set('2.readiness.all.0.subject', -1), ['predicate_subject_invalid [2].readiness.all[0].subject']],
  ['nothing to compare with', set('2.readiness.all.0.equals', '\u3000'), ['predicate_equals_blank [2].readiness.all[0].equals']],
  ['an end that is none', (document) => void (document.checkpoints as Json[]).pop(), ['last_checkpoint_not_terminal [2].kind']],
])('checkPlan() and checkPublishedPlan() refuse %s', (_title, edit, expected) => check(edit, expected));

const wrong: Json[] = ['x', 5, true, ['a'], { a: 1 }];
test.each(['0.cursor', '2.cursor', '2.cursor.activityEventSequence', '2.cursor.providerConnections', '2.cursor.providerConnections.0', `${c(2, 0)}.connectionId`, `${c(2, 0)}.chunkSeq`, '2.trigger', '2.trigger.source', '2.trigger.position', '2.trigger.type', '2.trigger.fingerprint', '1.trigger.afterActivityEventSequence', '2.subjects', '2.subjects.0', '2.subjects.0.origin', '2.readiness', '2.readiness.all', '2.readiness.all.0', '2.readiness.all.0.equals', '2.tags', '2.kind', '2.id', '2.index', '2'])('checkPlan() says nothing about a wrong type at %s', (path) => {
  const original = path.split('.').reduce<Json>((at, step) => (at as JsonObject)[step] as Json, plan().checkpoints as Json);
  for (const value of wrong.filter((candidate) => typeof candidate !== typeof original || Array.isArray(candidate) !== Array.isArray(original))) check(set(path, value), []);
});

const renamed = (place: number) => set(`${c(3, place)}.connectionId`, 'c9');
test.each<[string, PlanContext, string]>([
  ['with connections in the tape', known, 'cursor_connection_unknown [3].cursor.providerConnections[1].connectionId'],
  ['without connections in the tape', { connectionIds: [], events }, 'cursor_connection_dropped [3].cursor.providerConnections'],
  ['with an unknown tape', { connectionIds: null, events }, 'cursor_connection_dropped [3].cursor.providerConnections'],
  ['with padded connections in the tape', { connectionIds: [' c1 ', 'c2', 'c9'], events }, 'cursor_connection_dropped [3].cursor.providerConnections'],
])('checkPlan() reports a renamed connection once, %s', (_title, context, expected) => check(renamed(1), [expected], context));

test('checkPlan() lets any connection pass where the tape has none', () => check(() => {}, [], { connectionIds: [], events }));

test.each([null, []])('checkPlan() asks nothing about events that are not known: %j', (list) => {
  check(all(set('1.trigger.afterActivityEventSequence', 1), set('1.cursor.activityEventSequence', 1)), [], { ...known, events: list });
  check(set('3.cursor.activityEventSequence', 500), [], { ...known, events: list });
});

test('checkPlan() compares ids of events as they are written', () => {
  const padded = events.map((event) => (event.eventId === 'e2' ? { ...event, causedByEventId: ' e1' } : event));
  check(all(set('1.trigger.afterActivityEventSequence', 1), set('1.cursor.activityEventSequence', 1)), [], { ...known, events: padded });
});

test('checkPlan() reads cursors to 2^64-1', () => {
  const raised = (text: string) => (parseJson(writeJson(plan()).replace('"activityEventSequence":4', `"activityEventSequence":${text}`)) ?? null);
  expect(found(raised('18446744073709551615'), unknown)).toEqual([]);
  expect(found(raised('18446744073709551616'), unknown)).toEqual([]);
});

test('checkPlan() orders connections by bytes', () => {
  const named = (names: [string, string]) => (document: JsonObject) => [0, 1, 2, 3].forEach((i) => names.forEach((name, place) => set(`${c(i, place)}.connectionId`, name)(document)));
  const triggers = (name: string) => all(set('2.trigger.position.connectionId', name), set('3.trigger.position.connectionId', name));
  check(all(named(['\uff5e', '\u{1f600}']), triggers('\uff5e')), [], unknown);
  check(all(named(['\u{1f600}', '\uff5e']), triggers('\u{1f600}')), [0, 1, 2, 3].map((i) => `cursor_connection_order [${i}].cursor.providerConnections[1].connectionId`), unknown);
});

test('checkPlan() takes null for a plan without members, and leaves other types to the shape check', () => {
  expect(found(null, unknown)).toHaveLength(4);
  expect([found('x', unknown), found([], unknown), found(1, unknown)]).toEqual([[], [], []]);
});

test('checkPlan() stays quick with very many boundaries that part very many effects', () => {
  const many = 20_000;
  const lane = Array.from({ length: many }, (_, i): ActivityFactsLike => ({ sequence: BigInt(i + 1), kind: i === many - 1 ? 'effect' : 'intent', eventId: `e${i}`, causedByEventId: i === many - 1 ? 'e0' : null }));
  const checkpoints = Array.from({ length: many }, (_, i): JsonObject => ({ id: `checkpoint-${String(i).padStart(4, '0')}`, index: i, kind: 'queue.stable', tags: ['queue.stable'], cursor: { activityEventSequence: i, providerConnections: [] }, trigger: i === 0 ? { source: 'bootstrap' } : { source: 'activity-boundary', afterActivityEventSequence: i, boundaryKind: 'single-event' }, subjects: [], readiness: { all: [] } }));
  let count = 0;
  checkPlan({ ...plan(), checkpoints }, { connectionIds: null, events: lane }, ({ code }) => void (count += code === 'boundary_splits_effect' ? 1 : 0));
  expect(count).toBe(many - 1);
});

test('parsePlan() gives back what writePlan() wrote, whatever is in it', () => {
  const value = parsePlan(plan());
  expect(parsePlan(parseJson(writePlan(value!)) as Json)).toEqual(value);
  expect(writePlan(value!)).toBe(writePlan(parsePlan(planJson(value!))!));
});

test('checkPlan() takes any edit, and accepts again what it accepted and wrote', () => {
  const paths = (value: Json, path: string): string[] => [path, ...Object.entries(typeof value === 'object' && value !== null ? value : {}).flatMap(([key, child]) => paths(child as Json, `${path}.${key}`))];
  const places = (plan().checkpoints as Json[]).flatMap((checkpoint, i) => paths(checkpoint, String(i)));
  const value = fc.oneof(fc.constantFrom<Json>(null, 0, 1, 2, 4, 9, 'c1', 'c2', '', ' ', [], {}, true), fc.jsonValue() as fc.Arbitrary<Json>);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...places), value), { minLength: 1, maxLength: 3 }), (edits) => {
      const document = plan();
      for (const [path, edited] of edits) {
        const steps = path.split('.');
        const parent = steps.slice(0, -1).reduce<Json | undefined>((at, step) => (isObject(at) || Array.isArray(at) ? (at as JsonObject)[step] : undefined), document.checkpoints as Json);
        if (isObject(parent) || Array.isArray(parent)) setMember(parent as JsonObject, steps.at(-1) as string, edited);
      }
      const accepted = found(document, known).length === 0 && parsePlan(document);
      if (accepted) expect(found(parseJson(writePlan(accepted)) as Json, known)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('parsePlan() gives nothing for what is broken', () => {
  const broken = plan();
  set('2.trigger.unitKind', 'x')(broken);
  expect([parsePlan(broken), parsePlan(null)]).toEqual([null, null]);
});

const beyond = (key: string) => parseJson(key === 'natural' ? '-0' : '9223372036854775808') as Json;
test.each<[string, Edit]>([
  ['a version of the plan', top('schemaVersion', beyond('integer'))],
  ['a version of the cassette', top('cassetteSchemaVersion', beyond('integer'))],
  ['an index', set('2.index', beyond('integer'))],
  ['the subject of a predicate', set('2.readiness.all.0.subject', beyond('integer'))],
  ['a boundary below its type', set('1.trigger.afterActivityEventSequence', beyond('natural'))],
])('checkPlan() leaves %s beyond its type to the shape check', (_title, edit) => check(edit, []));

test('checkPlan() names five connections that are gone, and how many more', () => {
  const document = plan();
  const place = (connectionId: string) => ({ connectionId, chunkSeq: 0, unitIndex: 0 });
  set('0.cursor.providerConnections', ['c1', 'c2', ...Array.from({ length: 3_000 }, (_, i) => `d${String(i).padStart(4, '0')}`)].map(place))(document);
  const findings = new Findings();
  checkPlan(document, unknown, findings.report);
  expect(findings.all.map(({ path, is }) => `${path} ${is}`)).toEqual(['$.checkpoints[1].cursor.providerConnections "d0000", "d0001", "d0002", "d0003", "d0004" and 2995 more are not in it any more']);
});

test('checkPlan() stays quick with very many cursors that have a blank connection', () => {
  const cpuMs = (count: number) => {
    const places = (i: number) => ['', ...[1, 2, 3, 4].map((n) => `c${i}-${n}`)].map((connectionId) => ({ connectionId, chunkSeq: 1, unitIndex: 1 }));
    const checkpoints = Array.from({ length: count }, (_, i): JsonObject => ({ kind: 'queue.stable', cursor: { activityEventSequence: i, providerConnections: places(i) }, trigger: { source: 'bootstrap' } }));
    const before = process.cpuUsage();
    checkPlan({ ...plan(), checkpoints }, unknown, () => {});
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  cpuMs(500);
  expect(cpuMs(4_000)).toBeLessThan(2_000);
});

test('writePlan() writes every member, also empty lists', () => {
  expect(writePlan(createPlan())).toBe(`{
  "schemaVersion": 2,
  "cassetteSchemaVersion": 7,
  "observationSchemaVersion": 2,
  "checkpoints": [
    {
      "id": "checkpoint-0000",
      "index": 0,
      "kind": "replay.bootstrap",
      "tags": [
        "replay.bootstrap"
      ],
      "cursor": {
        "activityEventSequence": 0,
        "providerConnections": []
      },
      "trigger": {
        "source": "bootstrap"
      },
      "subjects": [],
      "readiness": {
        "all": []
      }
    }
  ]
}
`);
});

test('a plan may have more than 10,000 checkpoints', () => {
  let long = createPlan();
  const boundary = (sequence: bigint) => createCheckpoint({ kind: 'queue.stable', cursor: { activityEventSequence: sequence, providerConnections: [] }, trigger: { source: 'activity-boundary', afterActivityEventSequence: sequence, boundaryKind: 'single-event' }, subjects: [], predicates: [] });
  long = { checkpoints: [...long.checkpoints, ...Array.from({ length: 10_000 }, (_, i) => ({ ...appendCheckpoint(createPlan(), boundary(BigInt(i + 1))).checkpoints[1]!, index: i + 1, id: `checkpoint-${String(i + 1).padStart(4, '0')}` }))] };
  expect(long.checkpoints.at(-1)?.id).toBe('checkpoint-10000');
  expect(found(planJson(long), unknown)).toEqual(['last_checkpoint_not_terminal [10000].kind']);
});

test('the vocabularies have the size that the contract says', () => {
  const kinds = Object.entries(checkpointKinds);
  expect([kinds.length, kinds.filter(([, { isTerminal }]) => isTerminal).length, Object.keys(predicateTypes).length]).toEqual([29, 7, 14]);
  expect(isObject(plan())).toBe(true);
});
