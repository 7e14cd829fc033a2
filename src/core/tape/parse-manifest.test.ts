import { expect, test } from 'vitest';
import { Findings } from '../issue.ts';
import { parseJson } from '../json/exact.ts';
import { cwdTokenOf } from './manifest.ts';
import { parseManifest } from './parse-manifest.ts';

const connection = { connectionId: 'connection-1', provider: 'desk', agentSessionId: 's', rootAgentSessionId: 's', launchOrdinal: 1, cwdToken: '${SESSION_CWD:s:1}', captureOrigin: 'process-start' };
const good = { schemaVersion: 4, projectionVersion: 1, status: 'complete', frameCount: 0, framesSha256: 'ab', connections: [connection] };

const check = (change: object, found: string[]) => {
  const { findings } = read(JSON.stringify({ ...good, ...change }));
  expect(findings).toEqual(found);
};
const read = (text: string) => {
  const findings = new Findings();
  const result = parseManifest(parseJson(text) ?? null, { isRegistered: (name) => name === 'desk', report: findings.report });
  return { ...result, findings: findings.all.map((finding) => `${finding.code} ${finding.path}`) };
};
const withConnection = (change: object) => ({ connections: [{ ...connection, ...change }] });

test.each<[string, object, string[]]>([
  ['nothing changed', {}, []],
  ['unknown members', { extra: 1, ...withConnection({ extra: 1 }) }, []],
  ['no connections at all', { connections: [] }, ['tape_connections_empty $.connections']],
  ['no list of connections', { connections: null }, ['tape_connections_empty $.connections']],
  ['another schema', { schemaVersion: 5 }, ['tape_schema_unsupported $.schemaVersion']],
  ['another projection', { projectionVersion: 2 }, ['tape_projection_unsupported $.projectionVersion']],
  ['no projection', { projectionVersion: undefined }, ['tape_projection_unsupported $.projectionVersion']],
  ['an incomplete tape', { status: 'incomplete' }, ['tape_incomplete $.status']],
  ['a count that is text', { frameCount: '0' }, ['manifest_invalid $.frameCount']],
  ['no hash', { framesSha256: '' }, ['frames_sha256_mismatch $.framesSha256']],
  ['a hash that is null', { framesSha256: null }, ['frames_sha256_mismatch $.framesSha256']],
  ['a hash that is a number', { framesSha256: 1 }, ['manifest_invalid $.framesSha256']],
  ['a version that is text', { schemaVersion: '4' }, ['manifest_invalid $.schemaVersion']],
  ['a status that is a number', { status: 1 }, ['manifest_invalid $.status']],
  ['counts of other types', { payloadBytes: '1', storedBytes: -1, maxFrameBytes: null, limits: { maxFrameBytes: 1.5, maxStoredBytes: {} } }, ['manifest_invalid $.payloadBytes', 'integer_invalid $.storedBytes', 'integer_invalid $.limits.maxFrameBytes', 'manifest_invalid $.limits.maxStoredBytes']],
  ['limits that are a list', { limits: [] }, ['manifest_invalid $.limits']],
  ['kinds that are no counts', { framesByKind: { stdout: { frameCount: '1' }, exit: 7, other: null } }, ['manifest_invalid $.framesByKind.stdout.frameCount', 'manifest_invalid $.framesByKind.exit']],
  ['no list', { connections: {} }, ['manifest_invalid $.connections']],
  ['a connection that is none', { connections: [null] }, ['manifest_invalid $.connections[0]']],
  ['a blank id', withConnection({ connectionId: ' ' }), ['manifest_invalid $.connections[0].connectionId']],
  ['an unregistered provider', withConnection({ provider: 'clerk' }), ['provider_unknown $.connections[0].provider']],
  ['no provider', withConnection({ provider: undefined }), ['provider_unknown $.connections[0].provider']],
  ['a provider that is a number', withConnection({ provider: 1 }), ['manifest_invalid $.connections[0].provider']],
  ['no ordinal', withConnection({ launchOrdinal: null }), ['launch_ordinal_invalid $.connections[0].launchOrdinal']],
  ['an ordinal below zero', withConnection({ launchOrdinal: -1 }), ['integer_invalid $.connections[0].launchOrdinal']],
  ['an ordinal that is text', withConnection({ launchOrdinal: '1' }), ['manifest_invalid $.connections[0].launchOrdinal']],
  ['an origin that nobody knows', withConnection({ captureOrigin: 'Process-Start' }), ['capture_origin_invalid $.connections[0].captureOrigin']],
  ['an origin that is a number', withConnection({ captureOrigin: 1 }), ['manifest_invalid $.connections[0].captureOrigin']],
  ['one connection repeated whole', { connections: [connection, connection] }, ['connection_duplicate $.connections[1]']],
  ['ordinal zero', withConnection({ launchOrdinal: 0 }), ['launch_ordinal_invalid $.connections[0].launchOrdinal']],
  ["a gap in a stand-in's launches", { connections: [1, 3].map((n) => ({ ...connection, connectionId: `connection-${n}`, agentSessionId: 'wrap', launchOrdinal: n })) }, ['stand_in_member_invalid $.connections[1].launchOrdinal']],
  ["a gap in another recorder's launches", withConnection({ launchOrdinal: 3 }), []],
  ['no origin', withConnection({ captureOrigin: undefined }), ['capture_origin_invalid $.connections[0].captureOrigin']],
  ['an end before the start', withConnection({ inputEndedAt: -1 }), ['stand_in_member_invalid $.connections[0].inputEndedAt']],
  ['an end that is text', withConnection({ inputEndedAt: '1' }), ['stand_in_member_invalid $.connections[0].inputEndedAt']],
  ['an end with a fraction', withConnection({ inputEndedAt: 1.5 }), ['stand_in_member_invalid $.connections[0].inputEndedAt']],
  ['arguments that are no texts', withConnection({ argv: [1] }), ['stand_in_member_invalid $.connections[0].argv']],
  ['arguments that are no list', withConnection({ argv: 'x' }), ['stand_in_member_invalid $.connections[0].argv']],
  ['members of a stand-in that are null', withConnection({ argv: null, inputEndedAt: null }), []],
  ['no session', withConnection({ agentSessionId: undefined }), ['connection_member_blank $.connections[0].agentSessionId']],
  ['a blank session', withConnection({ agentSessionId: '\u00a0' }), ['connection_member_blank $.connections[0].agentSessionId']],
  ['a null root', withConnection({ rootAgentSessionId: null }), ['connection_member_blank $.connections[0].rootAgentSessionId']],
  ['no token of its folder', withConnection({ cwdToken: '' }), ['connection_member_blank $.connections[0].cwdToken']],
  ['a session that is a number', withConnection({ agentSessionId: 1 }), ['manifest_invalid $.connections[0].agentSessionId']],
  ['no id', withConnection({ connectionId: undefined }), ['manifest_invalid $.connections[0].connectionId']],
  ['two providers that are numbers', { connections: [1, 2].map((n) => ({ ...connection, connectionId: `connection-${n}`, provider: n })) }, ['manifest_invalid $.connections[0].provider', 'manifest_invalid $.connections[1].provider']],
  ['two sessions that are numbers', { connections: [1, 2].map((n) => ({ ...connection, connectionId: `connection-${n}`, agentSessionId: n })) }, ['manifest_invalid $.connections[0].agentSessionId', 'manifest_invalid $.connections[1].agentSessionId']],
  ['the same connection twice', { connections: [connection, { ...connection, launchOrdinal: 2 }] }, ['connection_duplicate $.connections[1]']],
  ['the same launch twice', { connections: [connection, { ...connection, connectionId: 'connection-2', agentSessionId: ' s ' }] }, ['connection_duplicate $.connections[1]']],
])('parseManifest() with %s', (_title, change, found) => check(change, found));

test.each(['[]', 'null', '7', '"x"'])('parseManifest() refuses %j', (text) => {
  expect(read(text)).toEqual({ manifest: null, connections: [], frameCount: undefined, framesSha256: undefined, findings: ['manifest_invalid $'] });
});

test.each<[string, string[]]>([
  ['4.0', ['integer_invalid $.schemaVersion']],
  ['4e0', ['integer_invalid $.schemaVersion']],
  ['-0', ['integer_invalid $.schemaVersion']],
  ['18446744073709551615', ['tape_schema_unsupported $.schemaVersion']],
  ['18446744073709551616', ['integer_invalid $.schemaVersion']],
])('parseManifest() with the schema version %s', (number, found) => {
  expect(read(JSON.stringify(good).replace('"schemaVersion":4', `"schemaVersion":${number}`)).findings).toEqual(found);
});

test('parseManifest() tells ordinals apart that a float would not', () => {
  const text = JSON.stringify({ ...good, connections: [connection, { ...connection, connectionId: 'connection-2' }] });
  const numbered = (first: string, second: string) => text.replace('"launchOrdinal":1', `"launchOrdinal":${first}`).replace('"launchOrdinal":1,', `"launchOrdinal":${second},`);
  expect(read(numbered('9007199254740993', '9007199254740992')).findings).toEqual([]);
  expect(read(numbered('18446744073709551615', '18446744073709551615')).findings).toEqual(['connection_duplicate $.connections[1]']);
});

test.each(['1.0', '1e400', '{"toString":1}', '[]', 'true'])('parseManifest() gives players members of their types where each is %s', (odd) => {
  const text = JSON.stringify({ ...good, payloadBytes: 1, connections: [1, { ...connection, argv: ['x'], inputEndedAt: 1, extra: 1 }] });
  const spoilt = ['connectionId', 'provider', 'agentSessionId', 'rootAgentSessionId', 'launchOrdinal', 'cwdToken', 'captureOrigin', 'argv', 'inputEndedAt', 'frameCount', 'payloadBytes', 'framesSha256'].reduce((all, key) => all.replace(new RegExp(`"${key}":(?:"[^"]*"|[^,}]*)`), () => `"${key}":${odd}`), text);
  const empty = { connectionId: '', provider: '', agentSessionId: '', rootAgentSessionId: '', launchOrdinal: 0, cwdToken: '', captureOrigin: 'process-start' };
  const { manifest } = read(spoilt);
  const { argv: _argv, ...spoiltConnection } = manifest?.connections[1] ?? {};
  expect(manifest).toMatchObject({ frameCount: 0, payloadBytes: 0, framesSha256: '', connections: [empty, {}] });
  expect(spoiltConnection).toEqual({ ...empty, extra: 1 });
});

test.each(['1.0', '1e400', '{"toString":1}'])('parseManifest() finds one thing wrong with the provider %s', (odd) => {
  expect(read(JSON.stringify(good).replace('"desk"', odd)).findings).toEqual(['manifest_invalid $.connections[0].provider']);
});

test('parseManifest() keeps unknown members, and only its own idea of who recorded', () => {
  expect(read(JSON.stringify({ ...good, extra: { a: 1 }, recordedWith: { provider: { name: 'desk' } } })).manifest).toMatchObject({ extra: { a: 1 }, recordedWith: {} });
  expect(read(JSON.stringify({ ...good, recordedWith: 'a camera' })).manifest).not.toHaveProperty('recordedWith');
  expect(read(JSON.stringify({ ...good, recordedWith: { provider: { name: 'desk', version: { toString: 1 } } } })).manifest).not.toHaveProperty('recordedWith');
});

test('cwdTokenOf() names session and ordinal', () => void expect(cwdTokenOf('s', 2)).toBe('${SESSION_CWD:s:2}'));
