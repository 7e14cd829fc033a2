import { expect, test } from 'vitest';
import { cwdTokenOf } from './manifest.ts';
import { parseManifest } from './parse-manifest.ts';

const connection = { connectionId: 'connection-1', provider: 'desk', agentSessionId: 's', rootAgentSessionId: 's', launchOrdinal: 1, cwdToken: '${SESSION_CWD:s:1}', captureOrigin: 'process-start' };
const good = { schemaVersion: 4, projectionVersion: 1, status: 'complete', frameCount: 0, framesSha256: 'ab', connections: [connection] };
const known = (name: string) => name === 'desk';

const check = (change: object, found: string[]) => {
  const { issues } = parseManifest(JSON.stringify({ ...good, ...change }), known);
  expect(issues.map((issue) => `${issue.code} ${issue.path}`)).toEqual(found);
};
const withConnection = (change: object) => ({ connections: [{ ...connection, ...change }] });

test.each<[string, object, string[]]>([
  ['nothing changed', {}, []],
  ['unknown members', { extra: 1, ...withConnection({ extra: 1 }) }, []],
  ['no connections at all', { connections: [] }, []],
  ['another schema', { schemaVersion: 5 }, ['tape_schema_unsupported $.schemaVersion']],
  ['another projection', { projectionVersion: 2 }, ['tape_projection_unsupported $.projectionVersion']],
  ['no projection', { projectionVersion: undefined }, ['tape_projection_unsupported $.projectionVersion']],
  ['an incomplete tape', { status: 'incomplete' }, ['tape_incomplete $.status']],
  ['a count that is text', { frameCount: '0' }, ['manifest_invalid $.frameCount']],
  ['no hash', { framesSha256: '' }, ['manifest_invalid $.framesSha256']],
  ['no list', { connections: {} }, ['manifest_invalid $.connections']],
  ['a connection that is none', { connections: [null] }, ['manifest_invalid $.connections[0]']],
  ['a blank id', withConnection({ connectionId: ' ' }), ['manifest_invalid $.connections[0].connectionId']],
  ['an unregistered provider', withConnection({ provider: 'clerk' }), ['provider_unknown $.connections[0].provider']],
  ['ordinal zero', withConnection({ launchOrdinal: 0 }), ['launch_ordinal_invalid $.connections[0].launchOrdinal']],
  ["a gap in a stand-in's launches", { connections: [1, 3].map((n) => ({ ...connection, connectionId: `connection-${n}`, agentSessionId: 'wrap', launchOrdinal: n })) }, ['launch_ordinal_invalid $.connections[1].launchOrdinal']],
  ["a gap in another recorder's launches", withConnection({ launchOrdinal: 3 }), []],
  ['no origin', withConnection({ captureOrigin: undefined }), ['capture_origin_invalid $.connections[0].captureOrigin']],
  ['an end before the start', withConnection({ inputEndedAt: -1 }), ['manifest_invalid $.connections[0].inputEndedAt']],
  ['arguments that are no texts', withConnection({ argv: [1] }), ['manifest_invalid $.connections[0].argv']],
  ['the same connection twice', { connections: [connection, { ...connection, launchOrdinal: 2 }] }, ['connection_duplicate $.connections[1]']],
  ['the same launch twice', { connections: [connection, { ...connection, connectionId: 'connection-2', agentSessionId: ' s ' }] }, ['connection_duplicate $.connections[1]']],
])('parseManifest() with %s', (_title, change, found) => check(change, found));

test.each(['', '[]', 'null', '{'])('parseManifest() refuses %j', (text) => {
  const { manifest, issues } = parseManifest(text, known);
  expect([manifest, issues.map((issue) => issue.code)]).toEqual([null, ['manifest_invalid']]);
});

test('parseManifest() keeps unknown members', () => {
  expect(parseManifest(JSON.stringify({ ...good, extra: { a: 1 } }), known).manifest).toMatchObject({ extra: { a: 1 } });
});

test('cwdTokenOf() names session and ordinal', () => void expect(cwdTokenOf('s', 2)).toBe('${SESSION_CWD:s:2}'));
