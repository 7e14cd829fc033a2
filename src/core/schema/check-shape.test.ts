import { expect, test } from 'vitest';
import type { Finding } from '../issue.ts';
import { parseJson, type Json } from '../json/exact.ts';
import { checkShape, type ShapeName } from './check-shape.ts';

const found = (document: ShapeName, text: string) => {
  const findings: Finding[] = [];
  const isRight = checkShape(document, parseJson(text) as Json, { file: 'f', line: 7 }, (finding) => findings.push(finding));
  expect(isRight).toBe(findings.length === 0);
  return findings;
};
const check = (document: ShapeName, text: string, expected: string[]) => expect(found(document, text).map(({ code, path }) => `${code} ${path}`)).toEqual(expected);

test.each<[string, ShapeName, string, string[]]>([
  ['takes a null document for one without members', 'cassette', 'null', []],
  ['requires nothing', 'state', '{}', []],
  ['takes null for absent, at every depth', 'plan', '{"schemaVersion":null,"checkpoints":[null,{"cursor":null,"tags":[null],"trigger":{"position":null},"readiness":{"all":null}}]}', []],
  ['lets unknown members stand', 'blobManifest', '{"more":1,"blobs":[{"size":1.5}]}', []],
  ['looks into no free object', 'activityEvent', '{"payload":{"schemaVersion":1.0,"kind":7}}', []],
  ['leaves lanes to their own check', 'activityEvent', '{"lanes":7}', []],
  ['leaves our own members alone', 'cassette', '{"recordedWith":7}', []],
  ['refuses a list for a document', 'cassette', '[]', ['cassette_invalid $']],
  ['refuses a number for a document', 'journalEntry', '1.0', ['journal_invalid $']],
  ['refuses a text for an integer', 'activityEvent', '{"sequence":"1"}', ['activity_event_invalid $.sequence']],
  ['refuses a list for an object', 'activityEvent', '{"payload":[]}', ['activity_event_invalid $.payload']],
  ['refuses a long number for an object', 'activityEvent', '{"payload":18446744073709551615}', ['activity_event_invalid $.payload']],
  ['refuses a long number for a text', 'activityEvent', '{"type":18446744073709551615}', ['activity_event_invalid $.type']],
  ['refuses an object for a list', 'plan', '{"checkpoints":{"0":{}}}', ['plan_invalid $.checkpoints']],
  ['names the place in nested lists', 'plan', '{"checkpoints":[{},{"subjects":[{},{"origin":{"providerObservation":{"unitIndex":true}}}]}]}', ['plan_invalid $.checkpoints[1].subjects[1].origin.providerObservation.unitIndex']],
  ['names the place in a shared definition', 'journalEntry', '{"observations":[{"position":{"eventIndex":[]}}],"commitCorrelations":[{"confirmed":"yes"}]}', ['journal_invalid $.observations[0].position.eventIndex', 'journal_invalid $.commitCorrelations[0].confirmed']],
  ['reports every wrong member', 'blobManifest', '{"schemaVersion":[],"blobs":[{"kind":1,"sizeBytes":"2"},3]}', ['blob_manifest_invalid $.schemaVersion', 'blob_manifest_invalid $.blobs[0].kind', 'blob_manifest_invalid $.blobs[0].sizeBytes', 'blob_manifest_invalid $.blobs[1]']],
  ['refuses a text in a list of objects', 'state', '{"agent":{"sessions":["s"]}}', ['state_invalid $.agent.sessions[0]']],
  ['refuses a number in a list of texts', 'state', '{"workflows":[{"issueIds":["a",1]}]}', ['state_invalid $.workflows[0].issueIds[1]']],
  ['refuses a text for a flag', 'state', '{"agent":{"sessions":[{"pinned":"no"}]}}', ['state_invalid $.agent.sessions[0].pinned']],
  ['is not led astray by __proto__', 'cassette', '{"__proto__":{"id":7},"id":"a"}', []],
])('checkShape() %s', (_title, document, text, expected) => check(document, text, expected));

test.each<[string, string, boolean]>([
  ['0', 'sequence', true],
  ['9007199254740992', 'sequence', true],
  ['9007199254740993', 'sequence', true],
  ['18446744073709551615', 'sequence', true],
  ['18446744073709551616', 'sequence', false],
  ['18446744073709552000', 'sequence', false],
  ['1e3', 'sequence', false],
  ['1.0', 'sequence', false],
  ['1.5', 'sequence', false],
  ['1e+21', 'sequence', false],
  ['1e400', 'sequence', false],
  ['-1', 'sequence', false],
  ['-0', 'sequence', false],
  ['9'.repeat(1_000_000), 'sequence', false],
  ['-0', 'occurredAtUnixMs', true],
  ['-1', 'occurredAtUnixMs', true],
  ['9223372036854775807', 'occurredAtUnixMs', true],
  ['9223372036854775808', 'occurredAtUnixMs', false],
  ['9223372036854776000', 'occurredAtUnixMs', false],
  ['-9223372036854775808', 'occurredAtUnixMs', true],
  ['-9223372036854775809', 'occurredAtUnixMs', false],
  ['-1.0', 'occurredAtUnixMs', false],
])('checkShape() judges the integer %.30s of %s', (text, member, isInteger) => {
  check('activityEvent', `{"${member}":${text}}`, isInteger ? [] : [`integer_invalid $.${member}`]);
});

test.each<[string, string]>([
  ['{"sequence":1e3}', 'it is 1e3, an integer from 0 to 2^64-1, in digits alone, was needed'],
  ['{"sequence":"12"}', 'it is the text "12", an integer from 0 to 2^64-1, in digits alone, was needed'],
  ['{"sequence":"sk-secret"}', 'it is a text of 9 characters, an integer from 0 to 2^64-1, in digits alone, was needed'],
  ['{"payload":"1234"}', 'it is a text of 4 characters, an object was needed'],
  ['{"payload":[1,2]}', 'it is a list of 2, an object was needed'],
  ['{"type":{}}', 'it is an object, a text was needed'],
])('checkShape() says what is and what was needed: %s', (text, sentence) => {
  const [finding] = found('activityEvent', text);
  expect(`${finding?.is}, ${finding?.needed}`).toBe(sentence);
  expect(finding).toMatchObject({ file: 'f', line: 7 });
});
