import fc from 'fast-check';
import { expect, test } from 'vitest';
import { line, Raw, writeDraft, type Files, type Members, type Value } from '../../../fixtures/cassettes/draft.ts';
import { asCandidate, shapes } from '../../../fixtures/cassettes/shapes.ts';
import { writeActivityLine } from '../../../src/core/activity/write-line.ts';
import { replaceManifestName } from '../../../src/core/cassette/replace-name.ts';
import { entityAddressKey, parseAddress, rootAddress, type EntityAddress } from '../../../src/core/checkpoint/address.ts';
import { parsePlan } from '../../../src/core/checkpoint/check-plan.ts';
import { observationFingerprint } from '../../../src/core/checkpoint/fingerprint.ts';
import { writePlan } from '../../../src/core/checkpoint/plan.ts';
import { checkBlobManifest } from '../../../src/core/blobs/check-manifest.ts';
import { writeBlobManifest, type BlobEntry } from '../../../src/core/blobs/references.ts';
import { firstDifference } from '../../../src/core/json/compare.ts';
import { readJson } from '../../../src/core/json/document.ts';
import { isObject, member, parseJson, setMember, writeJson, type Json, type JsonObject } from '../../../src/core/json/exact.ts';
import { writeGoDocument, writeGoJson } from '../../../src/core/json/go-text.ts';
import { integerOf } from '../../../src/core/json/read.ts';
import { checkEntry } from '../../../src/core/journal/check-entry.ts';
import { writeJournalEntry } from '../../../src/core/journal/entry.ts';
import { mergeJournalEntry } from '../../../src/core/journal/merge.ts';
import { compareState } from '../../../src/core/state/compare.ts';
import { mergeStates } from '../../../src/core/state/merge.ts';
import { writeState } from '../../../src/core/state/write.ts';
import { parseChunkLine, writeChunkLine, type Chunk } from '../../../src/core/tape/chunk.ts';
import { parseManifest } from '../../../src/core/tape/parse-manifest.ts';

// The same cases in every run; a failure of fast-check prints the seed and the path that play it again.
fc.configureGlobal({ seed: 20_270_402 });

// parse after write

const name = fc.oneof(fc.constantFrom('__proto__', 'constructor', '10', '2', '', 'name', 'x-note', 'a.b', '"', '\\', '<&>', '\u2028', '🌷', '\uff5e'), fc.string({ unit: 'grapheme', maxLength: 5 }));
const text = fc.oneof(fc.constantFrom('', ' ', '<script>&amp;', '\u2028\u2029', '\\u003c', '\\\\u2028', '\\ud800', '\\', '"', '\0\u001f\u007f', '🌷', '"name":"x"', 'x'.repeat(300)), fc.string({ unit: 'grapheme' }));
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom('18446744073709551615', '-9223372036854775808', '9007199254740993', '1.0', '1e3', '1E+2', '-0', '0.10', '1e400', `1${'0'.repeat(60)}`, '1.7976931348623157e308').map((spelled) => new Raw(spelled)),
  fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map((n) => new Raw(String(n))),
);
const anyValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.constant(null), fc.boolean(), number, text, fc.array(tie('value'), { maxLength: 4 }), fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((members): Members => Object.fromEntries(members) as Members)),
})).value;

const documents = shapes.flatMap((shape) => [...writeDraft(asCandidate(shape.make())), ...writeDraft(shape.make())].flatMap(([path, bytes]) => textsOf(path, bytes)));

/** Each document of a file, by the kind it is of. */
function textsOf(path: string, bytes: Buffer): { kind: string; text: string }[] {
  if (path.endsWith('.jsonl')) return String(bytes).split('\n').filter((one) => one.trim() !== '').map((one) => ({ kind: path, text: one }));
  return path.endsWith('.json') ? [{ kind: path, text: String(bytes) }] : [];
}

const kinds = [...new Set(documents.map(({ kind }) => kind))];
const read = (source: string): Json => readJson(Buffer.from(source), { file: 'x' }, () => {}) as Json;
const objectsIn = (value: Json): JsonObject[] => (Array.isArray(value) ? value.flatMap(objectsIn) : isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : []);

/** A document of a shape with members that nobody knows, at any depth. */
function grown(kind: string): fc.Arbitrary<Json> {
  const own = documents.filter((one) => one.kind === kind);
  return fc.record({ source: fc.constantFrom(...own), grafts: fc.array(fc.record({ place: fc.nat(), name, value: anyValue }), { minLength: 1, maxLength: 4 }) }).map(({ source, grafts }) => {
    const value = read(source.text);
    for (const graft of grafts) {
      const objects = objectsIn(value);
      setMember(objects[graft.place % objects.length] as JsonObject, graft.name, read(line(graft.value)));
    }
    return value;
  });
}

test('the shapes hold every kind of document', () =>
  expect([...kinds].sort()).toEqual(['.recording/observation-journal.jsonl', 'activity-events.jsonl', 'blobs/manifest.json', 'cassette.json', 'checkpoint-plan.json', 'expected-state.json', 'initial-state.json', 'provider/frames.jsonl', 'provider/manifest.json']));

test('readJson() of any written value gives its exact spelling back', () => {
  fc.assert(fc.property(anyValue, (value) => void expect(writeJson(read(line(value)))).toBe(line(value))), { numRuns: 2_000 });
});

test.each(['9007199254740993', '1487705963601238000', '1487705963601238016', '18446744073709551615', '-9223372036854775808'])('the integer %s is read as it was written', (written) => expect(integerOf(read(written))).toBe(BigInt(written)));

test('every integer is read as it was written, and nothing else is one', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(1n << 70n), max: 1n << 70n }), fc.nat(20), (drawn, zeros) => {
      // Round ones have a float that is spelled alike.
      const integer = (drawn / 10n ** BigInt(zeros)) * 10n ** BigInt(zeros);
      expect(integerOf(read(String(integer)))).toBe(integer);
      for (const other of [`${integer}.0`, `${integer}e0`, `"${integer}"`]) expect(integerOf(read(other))).toBe(undefined);
    }),
    { numRuns: 2_000 },
  );
});

test.each(kinds)('a document is the same after it was written and read, with members that nobody knows: %s', (kind) => {
  const isLine = kind.endsWith('.jsonl');
  const write = (value: Json) => (kind.endsWith('state.json') ? writeState(value) : isLine ? writeGoJson(value) : writeGoDocument(value));
  fc.assert(
    fc.property(grown(kind), (value) => {
      const written = write(value);
      const again = read(written);
      expect(firstDifference(value, again)).toBe(null);
      // Also the order of the members, which a comparison by names does not see.
      expect(writeJson(again)).toBe(writeJson(value));
      expect(write(again)).toBe(written);
      if (isLine) expect(written).not.toContain('\n');
    }),
    { numRuns: 300 },
  );
});

test('an activity line keeps every member but the empty ones that may be left out', () => {
  const optional = new Set(['correlationId', 'causedByEventId', 'agentSessionId']);
  const isEmpty = (key: string, value: Json | undefined) => value === null || (value === '' && optional.has(key));
  fc.assert(
    fc.property(grown('activity-events.jsonl'), (event) => {
      const written = writeActivityLine(event as JsonObject);
      const again = read(written);
      const known = ['schemaVersion', 'sequence', 'kind', 'type', 'eventId', ...optional, 'payload', 'occurredAtUnixMs'];
      for (const key of Object.keys(event as JsonObject)) {
        const before = member(event, key);
        const after = member(again, key);
        if (known.includes(key) && isEmpty(key, before)) expect(after).toBe(undefined);
        else expect(firstDifference(before, after)).toBe(null);
      }
      expect(Object.keys(again as JsonObject).filter((key) => !Object.hasOwn(event as JsonObject, key))).toEqual([]);
      expect(writeActivityLine(again as JsonObject)).toBe(written);
    }),
    { numRuns: 300 },
  );
});

test('another name changes nothing else of a manifest, whatever members it has', () => {
  fc.assert(
    fc.property(grown('cassette.json'), text, (manifest, other) => {
      // Another type is no name, and no manifest either.
      if (typeof member(manifest, 'name') !== 'string') setMember(manifest as JsonObject, 'name', 'A greeting');
      const bytes = replaceManifestName(Buffer.from(writeGoDocument(manifest)), other);
      const expected = read(writeJson(manifest)) as JsonObject;
      setMember(expected, 'name', other);
      expect(writeJson(read(String(bytes)))).toBe(writeJson(expected));
    }),
    { numRuns: 500 },
  );
});

// Typed values

const u64 = fc.oneof(fc.bigInt({ min: 1n, max: (1n << 64n) - 1n }), fc.bigInt({ min: 1n, max: 20n }), fc.constantFrom((1n << 64n) - 1n, 1n << 63n, (1n << 53n) + 1n));
// Not blank and not padded, which the rules refuse.
const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((one) => `w${one}w`);
const place = fc.record({ connectionId: word, chunkSeq: u64, unitIndex: u64, eventIndex: u64 });
const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
const address: fc.Arbitrary<EntityAddress> = fc.oneof(
  fc.constant(rootAddress),
  fc.record({ kind: fc.constantFrom('session', 'turn', 'message', 'tool-call', 'interaction', 'goal', 'attachment'), discriminator: fc.option(word, { nil: undefined }), origin: fc.oneof(
    fc.record({ source: fc.constant('initial-state'), initialStatePath: word.map((one) => `/${one}`) }),
    fc.record({ source: fc.constant('activity-event'), activityEventSequence: u64 }),
    fc.record({ source: fc.constant('provider-observation'), providerObservation: place }),
  ) }).map(({ discriminator, ...one }) => ({ ...one, ...(discriminator === undefined ? {} : { discriminator }) }) as EntityAddress),
);

const plans = documents.filter(({ kind }) => kind === 'checkpoint-plan.json').map(({ text: one }) => parsePlan(read(one))).filter((plan) => plan !== null);

test('a plan is the same after it was written and read', () => {
  expect(plans.length).toBeGreaterThan(50);
  const changed = fc.record({ plan: fc.constantFrom(...plans), subjects: fc.uniqueArray(address, { selector: entityAddressKey, maxLength: 4 }), type: word, tags: fc.array(word, { maxLength: 3 }), digest: hex }).map(({ plan, subjects, type, tags, digest }) => ({
    checkpoints: plan.checkpoints.map((one) => ({
      ...one,
      tags: [...one.tags, ...tags],
      subjects,
      predicates: one.predicates.flatMap((predicate) => (subjects.length === 0 ? [] : [{ ...predicate, subject: subjects.length - 1, equals: type }])),
      trigger: one.trigger.source === 'provider-observation' ? { ...one.trigger, type, fingerprint: `sha256:${digest}` } : one.trigger,
    })),
  }));
  fc.assert(fc.property(changed, (plan) => void expect(parsePlan(read(writePlan(plan)))).toEqual(plan)), { numRuns: 300 });
});

const entry = fc.record({ position: place, unitKind: fc.constantFrom('protocol-message' as const, 'mapped-stderr-message' as const, 'process-exit' as const), observations: fc.uniqueArray(fc.record({ eventIndex: u64, type: word, digest: hex, address }), { selector: (one) => one.eventIndex, maxLength: 3 }), correlations: fc.uniqueArray(fc.record({ id: word, kind: word, expected: word, confirmed: fc.boolean(), transactionId: fc.oneof(fc.constant(''), word) }), { selector: (one) => one.id, maxLength: 3 }) }).map(({ position: { eventIndex: _eventIndex, ...unit }, unitKind, observations, correlations }) => {
  const seen = observations.map(({ eventIndex, type, digest, address: of }) => ({ position: { ...unit, eventIndex }, type, fingerprint: `sha256:${digest}`, address: of }));
  return { position: unit, unitKind, observations: seen, commitCorrelations: seen.length === 0 ? [] : correlations.map((one) => ({ ...one, address: (seen[0] as (typeof seen)[number]).address, observationPosition: (seen[0] as (typeof seen)[number]).position, observationFingerprint: (seen[0] as (typeof seen)[number]).fingerprint })) };
});

const readEntry = (written: string) => {
  const findings: object[] = [];
  const { entry: found } = checkEntry(read(written), 1, (finding) => void findings.push(finding));
  expect(findings).toEqual([]);
  return found;
};

test('a journal entry is the same after it was written and read', () => {
  fc.assert(fc.property(entry, (one) => void expect(readEntry(writeJournalEntry(one))).toEqual(one)), { numRuns: 500 });
});

test('a journal entry that is merged with itself stays, and two parts of one give the same facts in any order', () => {
  const sorted = (merged: ReturnType<typeof mergeJournalEntry>) => {
    if (!('entry' in merged)) return merged;
    const lines = (list: readonly object[]) => list.map((one) => JSON.stringify(one, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).sort();
    return [lines(merged.entry.observations), lines(merged.entry.commitCorrelations)];
  };
  fc.assert(
    fc.property(entry, fc.nat(3), fc.nat(3), (whole, from, to) => {
      expect(mergeJournalEntry(whole, whole)).toEqual({ entry: whole });
      const part = { ...whole, observations: whole.observations.slice(from), commitCorrelations: whole.commitCorrelations.slice(0, to) };
      const rest = { ...whole, observations: whole.observations.slice(0, from + 1), commitCorrelations: whole.commitCorrelations.slice(Math.max(0, to - 1)) };
      expect(sorted(mergeJournalEntry(part, rest))).toEqual(sorted(mergeJournalEntry(rest, part)));
    }),
  );
});

test('a blob manifest is the same after it was written and read', () => {
  const types = [['image/png', '.png'], ['image/jpeg', '.jpg'], ['image/webp', '.webp']] as const;
  const segment = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 <&>_.-]{0,8}[A-Za-z0-9]$/);
  const entries = fc.uniqueArray(fc.record({ type: fc.constantFrom(...types), sha256: hex, sizeBytes: fc.integer({ min: 1, max: 20_000_000 }), agentSessionId: segment, named: segment, isImage: fc.boolean() }), { selector: (one) => `${one.agentSessionId} ${one.named}`, maxLength: 5 }).map((list) =>
    list.map(({ type: [mimeType, extension], named, isImage, ...one }): BlobEntry => (isImage ? { ...one, mimeType, kind: 'agent-generated-image', relativePath: `generated_images/${named}${extension}` } : { ...one, mimeType, kind: 'agent-prompt-attachment', attachmentId: named })));
  fc.assert(
    fc.property(entries, (list) => {
      const findings: object[] = [];
      const facts = checkBlobManifest(read(writeBlobManifest(list)), (finding) => void findings.push(finding));
      expect(findings).toEqual([]);
      expect(facts).toEqual(list.map((one, index) => ({ attachmentId: null, relativePath: null, ...one, index })));
    }),
    { numRuns: 300 },
  );
});

test('a chunk is the same after it was written and read', () => {
  const count = fc.oneof(fc.maxSafeInteger().map(Math.abs), fc.integer({ min: 0, max: 20 }));
  const chunk = fc.record({ connectionId: text, chunkSeq: count, globalSeq: count, elapsedMs: count, kind: fc.constantFrom('outbound', 'stdout', 'stderr', 'exit'), data: fc.uint8Array({ maxLength: 200 }), exitCode: fc.integer(), message: fc.option(text) }).map(({ data, exitCode, message, ...one }) => ({
    ...one, data: Buffer.from(data), exitCode: one.kind === 'exit' ? exitCode : null, message: message === '' ? null : message,
  }) as Chunk);
  fc.assert(
    fc.property(chunk, (one) => {
      const again = parseChunkLine(writeChunkLine(one));
      expect(typeof again === 'string' ? again : { ...again, data: Buffer.from(again.data).toString('hex') }).toEqual({ ...one, data: one.data.toString('hex') });
    }),
    { numRuns: 1_000 },
  );
});

test('a tape manifest is the same after it was written and read', () => {
  const own = documents.filter(({ kind }) => kind === 'provider/manifest.json').map(({ text: one }) => read(one));
  const manifestOf = (value: Json) => parseManifest(value, { isRegistered: () => true, report: () => {} }).manifest;
  for (const value of own) {
    const manifest = manifestOf(value);
    if (manifest === null) continue;
    expect(manifestOf(read(`${JSON.stringify(manifest, null, 2)}\n`))).toEqual(manifest);
  }
});

// Fingerprints and keys

/** The same value with every object's members in another order. */
const turned = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(turned);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value).reverse()) setMember(copy, key, turned(value[key] as Json));
  return copy;
};

test('fingerprints and address keys do not depend on the order of members, nor on members that nobody knows', () => {
  fc.assert(
    fc.property(address, word, fc.dictionary(word, fc.oneof(word, u64)), (one, type, stable) => {
      const json = read(entityAddressKey(one));
      const other = parseAddress(turned({ ...(json as JsonObject), 'x-note': 1, origin: { ...(member(json, 'origin') as JsonObject), 'x-note': { a: null } } })) as EntityAddress;
      expect(entityAddressKey(other)).toBe(entityAddressKey(one));
      const changed = Object.fromEntries(Object.entries(stable).reverse());
      expect(observationFingerprint({ stable: changed, address: other, type })).toBe(observationFingerprint({ type, address: one, stable }));
    }),
    { numRuns: 500 },
  );
});

test('another type, address or stable member is another fingerprint', () => {
  const observation = fc.record({ type: word, address, stable: fc.dictionary(fc.constantFrom('status', 'turnPhase', 'attachmentCount'), word) });
  const sameText = (a: unknown, b: unknown) => writeOf(a) === writeOf(b);
  const writeOf = (value: unknown) => JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? `${one}n` : typeof one === 'object' && one !== null && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one));
  fc.assert(fc.property(observation, observation, (a, b) => void expect(observationFingerprint(a) === observationFingerprint(b)).toBe(sameText(a, b))), { numRuns: 500 });
});

// States of the shapes

const states = distinct(shapes.flatMap((shape) => {
  const files: Files = writeDraft(shape.make());
  return ['initial-state.json', 'expected-state.json'].flatMap((path) => (files.has(path) ? [read(String(files.get(path)))] : []));
}));

function distinct(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [writeJson(value), value])).values()];
}

type Spot = { keys: (string | number)[]; value: Json };
function spotsOf(value: Json, keys: (string | number)[] = []): Spot[] {
  const below: [string | number, Json][] = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return [{ keys, value }, ...below.flatMap(([key, child]) => spotsOf(child, [...keys, key]))];
}

const idPlace = /^agent\/sessions\/#\/(id|turns\/#\/(id|rootProviderTurnId)|messages\/#\/(id|payload\/(operationId|callId|content\/#\/attachmentId))|interactions\/#\/(requestId|input\/toolCall\/toolCallId))$|^(tuttiMode\/activations|workflows|issues|issues\/#\/tasks)\/#\/id$/;
const placeOf = ({ keys }: Spot): string => keys.map((key) => (typeof key === 'number' ? '#' : key)).join('/');
const idsOf = (state: Json): string[] => [...new Set(spotsOf(state).filter((spot) => idPlace.test(placeOf(spot))).map(({ value }) => value as string))];

function renamed(value: Json, ids: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((item) => renamed(item, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, typeof child === 'string' && ids.includes(child) ? `other-${child}` : renamed(child, ids)]));
}

test('comparison is blind to the names of ids, in every state of the shapes', () => {
  expect(states.length).toBeGreaterThan(8);
  for (const state of states) {
    const ids = idsOf(state);
    for (const some of [ids, ...ids.map((id) => [id])]) expect(compareState(state, renamed(state, some)).first).toBe(null);
  }
});

// Where the contract looks away (7.4, 7.6): members that nobody knows, and the sequence and times of a stream.
const unseen = /(^|\/)(x-note|recordedWith)(\/|$)|payload\/seq$|(desired|observed)\/(startedAtUnixMs|durationMs)$/;
const isZero = (value: Json) => value === null || value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);

test('comparison sees every other single edit, in every state of the shapes', () => {
  let count = 0;
  for (const state of states) {
    for (const spot of spotsOf(state)) {
      if (spot.keys.length === 0 || unseen.test(placeOf(spot))) continue;
      for (const value of editsOf(spot)) {
        count++;
        expect(compareState(state, edited(state, spot.keys, value)).first, `${spot.keys.join('/')} as ${JSON.stringify(value)}`).not.toBe(null);
      }
    }
  }
  expect(count).toBeGreaterThan(500);
});

/** Other values of one place; `undefined` takes it away. */
function editsOf(spot: Spot): (Json | undefined)[] {
  const { keys, value } = spot;
  const own: (Json | undefined)[] = [];
  // An id alone may have any name; where something else holds the same text, that place sees the edit.
  if (typeof value === 'string' && !idPlace.test(placeOf(spot))) own.push(`${value} edited`);
  if (typeof value === 'number') own.push(value + 1);
  if (typeof value === 'boolean') own.push(!value);
  if (Array.isArray(value)) own.push([...value, value[0] ?? {}]);
  if (!isZero(value) && typeof keys.at(-1) === 'string') own.push(undefined);
  if (Array.isArray(value) && value.length > 1 && writeJson(value) !== writeJson([...value].reverse()) && !isOnlyIds(value)) own.push([...value].reverse());
  return own;
}

// Rows that differ in their ids alone are the same rows in another order.
function isOnlyIds(rows: readonly Json[]): boolean {
  const bare = rows.map((row) => (isObject(row) ? writeJson(Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'id'))) : writeJson(row)));
  return rows.every(isObject) && new Set(bare).size === 1;
}

function edited(state: Json, keys: readonly (string | number)[], value: Json | undefined): Json {
  const copy = read(writeJson(state));
  const owner = keys.slice(0, -1).reduce<Json>((found, key) => (found as JsonObject)[key] as Json, copy) as JsonObject;
  const last = keys.at(-1) as string;
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return copy;
}

test('merging two states of the shapes does not depend on their order, and a state that comes again adds nothing', () => {
  for (const a of states) {
    expect(mergeStates([a, a])).toEqual(mergeStates([a]));
    for (const b of states) {
      const merged = mergeStates([a, b]);
      const other = mergeStates([b, a]);
      expect(other.merged).toEqual(merged.merged);
      expect(other.conflicts.map(({ path }) => path)).toEqual(merged.conflicts.map(({ path }) => path));
      expect(mergeStates([a, b, a, b]).merged).toEqual(merged.merged);
      if (merged.merged === null) expect(merged.conflicts.length).toBeGreaterThan(0);
    }
  }
});

test('a merge of three states of the shapes is refused, or the same, in any order', () => {
  const three = fc.record({ picked: fc.array(fc.constantFrom(...states), { minLength: 2, maxLength: 4 }), order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }) });
  fc.assert(
    fc.property(three, ({ picked, order }) => {
      const shuffled = order.flatMap((index) => (index < picked.length ? [picked[index] as Json] : []));
      expect(mergeStates(shuffled)).toEqual(mergeStates(picked));
    }),
  );
});

test('parseJson() and the writers agree about every text of the shapes', () => {
  for (const { text: one } of documents) expect(writeJson(parseJson(writeGoJson(parseJson(one) as Json)) as Json)).toBe(writeJson(parseJson(one) as Json));
});
