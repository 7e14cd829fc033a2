import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, parseJson, type Json, type JsonObject } from '../json/exact.ts';
import { checkState } from './check.ts';
import { compareState } from './compare.ts';
import { buildRichState, buildState, placesOf } from './fixtures/states.ts';
import { mergeStates } from './merge.ts';
import { normaliseState } from './normalise.ts';
import { writeState } from './write.ts';

// Shrinking a whole state takes minutes; the seed and the first counterexample are enough.
const unshrunk = { endOnFailure: true };
const placeText = (names: readonly (string | number)[]) => names.map((name) => (typeof name === 'number' ? '#' : name)).join('/');

test('checkState() accepts every state of the generator', () => {
  fc.assert(fc.property(sampleState(), ({ state }) => checkState(state, { file: 'expected-state.json' }, (finding) => expect(finding).toBe(undefined))));
});

test('compareState() is insensitive to renaming ids on one side', () => {
  const renamed = (value: Json, ids: readonly string[]): Json => {
    if (Array.isArray(value)) return value.map((item) => renamed(item, ids));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, typeof child === 'string' && ids.includes(child) ? `other ${child}` : renamed(child, ids)]));
  };
  const sample = sampleState().chain(({ state, ids }) => fc.record({ state: fc.constant(state), ids: fc.subarray(ids) }));
  fc.assert(fc.property(sample, ({ state, ids }) => void expect(compareState(state, renamed(state, ids)).first).toBe(null)), unshrunk);
});

// Where the rules look away: the home of an id, places and times of the stream, two words for one change, and what is no file change.
const idHome = /\/(?:id|rootProviderTurnId|callId|operationId|attachmentId|requestId|toolCallId)$/;
const volatile = /(?:payload\/seq|desired\/startedAtUnixMs|observed\/durationMs|files\/#\/change)$/;
const fileList = /fileChanges\/files$/;
const freeObject = /(?:payload|payload\/body|semantics|output|metadata|desired|observed|lastEvidence)$/;

type Edit = { names: (string | number)[]; value: Json | undefined };

/** All single edits of one place that the comparison has to see. */
function editsOf(names: (string | number)[], value: Json): Edit[] {
  const place = placeText(names);
  if (names.length === 0 || volatile.test(place)) return [];
  const changed = typeof value === 'string' ? `${value} edited` : typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : Array.isArray(value) ? [...value, 'added'] : undefined;
  const edits: Edit[] = changed === undefined || idHome.test(place) || fileList.test(place) ? [] : [{ names, value: changed }];
  if (value !== false && typeof names.at(-1) === 'string' && !place.endsWith('toolCallId')) edits.push({ names, value: undefined });
  if (isObject(value) && freeObject.test(place)) edits.push({ names, value: { ...value, added: 1 } });
  return edits;
}

function edited(state: JsonObject, { names, value }: Edit): JsonObject {
  const copy = structuredClone(state);
  const owner = names.slice(0, -1).reduce<Json>((found, name) => (found as JsonObject)[name] as Json, copy) as JsonObject;
  const last = names.at(-1) as string;
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return copy;
}

test('compareState() sees every other single edit', () => {
  const sample = sampleState().chain(({ state }) => {
    const edits = placesOf(state).flatMap(({ names, value }) => editsOf(names, value));
    return fc.record({ state: fc.constant(state), edit: fc.constantFrom(...edits) });
  });
  fc.assert(fc.property(sample, ({ state, edit }) => void expect(compareState(state, edited(state, edit)).first).not.toBe(null)), { numRuns: 400, ...unshrunk });
});

test('compareState() names the place of an edited text', () => {
  const isText = ({ names, value }: Edit) => typeof value === 'string' && /\/(?:role|origin|agentTargetId|type|title|newString)$/.test(placeText(names));
  const sample = sampleState().chain(({ state }) => fc.record({ state: fc.constant(state), edit: fc.constantFrom(...placesOf(state).flatMap(({ names, value }) => editsOf(names, value)).filter(isText)) }));
  const pathOf = (names: readonly (string | number)[]) => names.reduce<string>((path, name) => path + (typeof name === 'number' ? `[${name}]` : `.${name}`), '$');
  fc.assert(fc.property(sample, ({ state, edit }) => void expect(compareState(state, edited(state, edit)).all.map(({ path }) => path)).toEqual([pathOf(edit.names)])), unshrunk);
});

/** States full of collisions: few words, names that the renaming itself uses, file changes of any kind. */
const oddState = fc.gen().map((gen) => {
  const name = () => gen(() => fc.constantFrom('', ' ', 'x', 'y', 'session:0', 'session:1', 'session:0/turn:0', 'session:0/interaction:0/toolCall', 'session:0/message:0/call'));
  const body = () => gen(() => fc.constantFrom('a', 'b\n', '\n', '', '@@ -1 +1 @@\n-a\n+b\n\n', '*** Begin Patch\n*** Add File: x\n+a', 'session:0', 5));
  const change = () => gen(() => fc.constantFrom('add', 'deleted', 'edit', 'odd', '', null));
  const several = (build: () => Json) => Array.from({ length: gen(() => fc.integer({ min: 0, max: 3 })) }, build);
  const file = () => {
    const members = gen(() => fc.subarray(['diff', 'patch', 'oldString', 'newText', 'content']));
    return { path: name(), change: change(), ...Object.fromEntries(members.map((member) => [member, body()])) };
  };
  const turn = () => ({ id: name(), rootProviderTurnId: name(), fileChanges: { files: several(file), coverage: name() } });
  const message = () => ({ id: name(), payload: { seq: 1, callId: name(), operationId: name(), content: several(() => ({ attachmentId: name() })), note: name() } });
  const interaction = () => ({ requestId: name(), input: { toolCall: { toolCallId: name() } } });
  const session = () => ({ id: name(), title: name(), turns: several(turn), messages: several(message), interactions: several(interaction), goal: { observed: { durationMs: 1, a: name() } } });
  return buildState(several(session), { workflows: several(() => ({ id: name(), issueIds: [name()] })), issues: several(() => ({ id: name(), tasks: several(() => ({ id: name() })) })) });
});

test('normaliseState() twice is once', () => {
  const isIdempotent = (state: Json) => {
    const once = normaliseState(state);
    expect(normaliseState(once)).toEqual(once);
  };
  fc.assert(fc.property(oddState, isIdempotent), { numRuns: 1000, ...unshrunk });
  fc.assert(fc.property(sampleState(), ({ state }) => isIdempotent(state)));
});

const draw = (prefix: string) => sampleState(prefix).map(({ state }) => state);

test('mergeStates() does not depend on the order of the states', () => {
  const batch = fc.tuple(draw('a'), draw('b'), draw('a')).chain(([first, second, third]) =>
    fc.record({ states: fc.constant([first, second, third, { ...second, workflows: first['workflows'] as Json, issues: third['issues'] as Json }]), order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }) }),
  );
  fc.assert(
    fc.property(batch, ({ states, order }) => {
      const picked = order.map((index) => states[index] as Json);
      expect(mergeStates(picked)).toEqual(mergeStates([...order].sort().map((index) => states[index] as Json)));
    }),
    unshrunk,
  );
});

test('mergeStates() of states that share nothing keeps everything, and a repeated state adds nothing', () => {
  fc.assert(
    fc.property(draw('a'), draw('b'), (first, second) => {
      const { merged } = mergeStates([first, second]);
      expect([merged?.agents.length, merged?.workflows.length]).toEqual([2, (first['workflows'] as Json[]).length + (second['workflows'] as Json[]).length]);
      expect(mergeStates([first, second, first])).toEqual({ merged, conflicts: [] });
    }),
  );
});

test('writeState() and parsing give the same state, with members that nobody knows', () => {
  fc.assert(
    fc.property(sampleState(), fc.jsonValue(), ({ state }, extra) => {
      const text = writeState({ ...state, extra: parseJson(JSON.stringify(extra)) as Json });
      const parsed = parseJson(text) as Json;
      expect(writeState(parsed)).toBe(text);
      expect(parsed).toEqual({ ...state, extra: parseJson(JSON.stringify(extra)) });
    }),
  );
});

test('checkState(), compareState() and mergeStates() take whatever JSON there is', () => {
  const places = placesOf(buildRichState()).filter(({ names }) => names.length > 0);
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 3 }), ({ names }, value) => {
      const state = edited(buildRichState(), { names, value: parseJson(JSON.stringify(value)) as Json });
      checkState(state, { file: 'initial-state.json' }, () => {});
      compareState(state, buildRichState());
      mergeStates([state, buildRichState()]);
    }),
    { numRuns: 1000 },
  );
});

// The random states

type Sample = { state: JsonObject; ids: string[] };

/** A random valid state, in normal form but for its ids, and all ids that it registers. `prefix` keeps the ids of two states apart. */
function sampleState(prefix = 'id'): fc.Arbitrary<Sample> {
  return fc.gen().map((gen) => {
    const ids: string[] = [];
    const mint = () => {
      ids.push(`${prefix}-${ids.length}`);
      return ids.at(-1) as string;
    };
    const list = (build: (index: number) => Json) => Array.from({ length: gen(() => fc.integer({ min: 0, max: 3 })) }, (_, index) => build(index));
    const any = () => gen(content);
    const text = () => gen(word);
    const flag = () => gen(fc.boolean);
    const sessions: JsonObject[] = [];
    for (let index = gen(() => fc.integer({ min: 1, max: 3 })); index > 0; index--) sessions.push(buildSession({ mint, list, any, text, flag, sessions }));
    const activations = list(() => ({ id: mint(), sessionId: sessions[0]?.['id'] as string, currentRevisionId: text(), currentRevision: 1, state: text(), source: text(), effect: 2, speed: 3 }));
    const issues = list(() => ({ id: mint(), title: text(), status: text(), tasks: list((position) => ({ id: mint(), title: text(), status: text(), priority: text(), position: position + 1 })) }));
    const workflows = list(() => ({ id: mint(), type: text(), triggerKind: text(), sourceSessionId: sessions[0]?.['id'] as string, sourceTurnId: text(), sourceToolCallId: text(), status: text(), currentRevisionId: text(), issueIds: [text()] }));
    const state = { schemaVersion: 1, agent: { rootSessionId: sessions[0]?.['id'] as string, sessions }, tuttiMode: { activations, turnSnapshots: [] }, workflows, issues };
    return { state, ids };
  });
}

type Source = { mint: () => string; list: (build: (index: number) => Json) => Json[]; any: () => Json; text: () => string; flag: () => boolean; sessions: JsonObject[] };

function buildSession({ mint, list, any, text, flag, sessions }: Source): JsonObject {
  const root = sessions[0]?.['id'];
  const lineage: JsonObject = root === undefined ? { kind: 'root' } : { kind: 'child', rootSessionId: root, parentSessionId: sessions.at(-1)?.['id'] as string };
  const turns = list((index) => ({ id: mint(), capabilityRefs: [], phase: 'settled', origin: text(), rootProviderTurnId: mint(), fileChanges: { files: [{ path: `f${index}`, change: 'added', newString: text() }] } })) as JsonObject[];
  const messages = list(() => {
    const id = mint();
    const payload = { audit: id, callId: mint(), operationId: mint(), content: [{ attachmentId: mint() }], body: any(), settings: { a: any() } };
    return { id, ...(turns[0] && { turnId: turns[0]['id'] as string }), role: text(), semantics: { a: any() }, payload: flag() ? { seq: 1, ...payload } : payload };
  });
  const interactions = list(() => ({ requestId: mint(), turnId: text(), kind: text(), status: text(), input: { toolCall: { toolCallId: mint() } }, output: { a: any() }, metadata: { a: any() } }));
  const goal = { desired: { a: any(), startedAtUnixMs: 1 }, observed: { a: any(), durationMs: 1 }, revision: 1, tombstoned: flag(), syncStatus: text(), lastEvidence: { a: any() } };
  return { id: mint(), ...lineage, agentTargetId: text(), provider: text(), providerSessionId: text(), settings: { a: text(), b: any() }, pinned: flag(), turns, messages, interactions, goal };
}

const words = fc.stringMatching(/^[a-z]{1,4}$/);
const word = () => words;

// Small JSON without nulls and zeros, which some places take for absent. Its names never look like paths.
const contents = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    words,
    fc.integer({ min: 1, max: 9 }),
    fc.constant(true),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'odd key', '\uff5e'), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const content = () => contents;
