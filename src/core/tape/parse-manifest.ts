/** Reading `provider/manifest.json`: what it says, and every finding that stands against it (cassette-contract 5.2, 5.3, 5.6). */

import type { Finding, Report } from '../issue.ts';
import { isObject, member, setMember, type Json, type JsonObject } from '../json/exact.ts';
import { integerAt, integerOf, isBlank, listAt, present, shown, textAt, trim } from '../json/read.ts';
import { tapeProjectionVersion, tapeSchemaVersion, wrapSessionId, type TapeConnection, type TapeManifest } from './manifest.ts';
import { membersOf, type Members } from './members.ts';

export const manifestFile = 'provider/manifest.json';

export type ReadManifest = {
  /** For players, with every member of its type whatever was wrong; `null` where it is no manifest. */
  manifest: TapeManifest | null;
  /** Those whose id is known, whatever else is wrong. */
  connections: Pick<TapeConnection, 'connectionId' | 'provider' | 'agentSessionId'>[];
  /** `undefined` where nothing can be compared with it. */
  frameCount: bigint | undefined;
  framesSha256: string | undefined;
};

/** Checks types and rules of the parsed manifest; nothing else checks its shape. */
export function parseManifest(value: Json, options: { isRegistered: (provider: string) => boolean; report: Report }): ReadManifest {
  const { report } = options;
  const members = membersOf(value, '$', placeOf(report));
  if (!isObject(value)) {
    report({ code: 'manifest_invalid', file: manifestFile, path: '$', is: `it is ${value === null ? 'null' : Array.isArray(value) ? 'a list' : shown(value)}`, needed: 'a tape manifest was needed' });
    return { manifest: null, connections: [], frameCount: undefined, framesSha256: undefined };
  }
  checkVersions(members);
  checkCounts(members, value, report);
  const frameCount = members.integer('frameCount');
  const framesSha256 = members.text('framesSha256');
  if ((framesSha256 ?? '') === '' && !members.isWrong('framesSha256'))
    members.refuse({ code: 'frames_sha256_mismatch', key: 'framesSha256', is: `it is ${shown(framesSha256)}`, needed: 'the SHA-256 of the frames was needed' });
  const list = members.list('connections') ?? [];
  if (list.length === 0 && !members.isWrong('connections')) members.refuse({ code: 'tape_connections_empty', key: 'connections', is: 'it lists none', needed: 'a connection was needed' });
  const connections = list.map((connection, i) => readConnection(connection, `$.connections[${i}]`, options));
  const add = (i: number, finding: Omit<Finding, 'file' | 'path'>, key = '') => report({ ...finding, file: manifestFile, path: `$.connections[${i}]${key}` });
  checkUnique(connections, add);
  checkGaps(connections, add);
  return {
    manifest: playable(value),
    connections: connections.flatMap((c) => (c?.connectionId === undefined ? [] : [{ connectionId: c.connectionId, provider: c.provider ?? '', agentSessionId: c.agentSessionId ?? '' }])),
    frameCount: frameCount ?? (members.isWrong('frameCount') ? undefined : 0n),
    framesSha256: framesSha256 === '' ? undefined : framesSha256,
  };
}

function checkVersions(members: Members): void {
  for (const [key, code, version] of [['schemaVersion', 'tape_schema_unsupported', tapeSchemaVersion], ['projectionVersion', 'tape_projection_unsupported', tapeProjectionVersion]] as const) {
    const found = members.integer(key);
    if (found !== BigInt(version) && !members.isWrong(key)) members.refuse({ code, key, is: `it is ${found ?? 'absent'}`, needed: `${version} was needed` });
  }
  const status = members.text('status');
  if (status !== 'complete' && !members.isWrong('status')) members.refuse({ code: 'tape_incomplete', key: 'status', is: `it is ${shown(status)}`, needed: '"complete" was needed' });
}

// Nobody reads these counts, but a reader that knows them stumbles over another type.
function checkCounts(members: Members, value: JsonObject, report: Report): void {
  for (const key of ['payloadBytes', 'storedBytes', 'maxFrameBytes']) members.integer(key);
  const limits = membersOf(members.object('limits'), '$.limits', placeOf(report));
  for (const key of ['maxFrameBytes', 'maxStoredBytes']) limits.integer(key);
  const byKind = members.object('framesByKind');
  if (!byKind) return;
  const kinds = membersOf(byKind, '$.framesByKind', placeOf(report));
  for (const kind of Object.keys(byKind)) {
    const counts = membersOf(kinds.object(kind), `$.framesByKind.${kind}`, placeOf(report));
    for (const key of ['frameCount', 'payloadBytes', 'storedBytes']) counts.integer(key);
  }
}

type ReadConnection = Partial<Pick<TapeConnection, 'connectionId' | 'provider' | 'agentSessionId'>> & {
  launchOrdinal?: bigint;
  /** What no two connections share; `null` where a part of it is not known. */
  launch: string | null;
};
type Add = (index: number, finding: Omit<Finding, 'file' | 'path'>, key?: string) => void;

function readConnection(connection: Json, path: string, { isRegistered, report }: { isRegistered: (provider: string) => boolean; report: Report }): ReadConnection | null {
  if (!isObject(connection)) {
    report({ code: 'manifest_invalid', file: manifestFile, path, is: `it is ${connection === null ? 'null' : Array.isArray(connection) ? 'a list' : shown(connection)}`, needed: 'a connection was needed' });
    return null;
  }
  const members = membersOf(connection, path, placeOf(report));
  const connectionId = nameAt(members, 'connectionId', 'manifest_invalid');
  // Neither reader of the reference asks for these.
  const [agentSessionId] = (['agentSessionId', 'rootAgentSessionId', 'cwdToken'] as const).map((key) => nameAt(members, key, 'connection_member_blank'));
  const provider = members.text('provider');
  if (!members.isWrong('provider') && !isRegistered(provider ?? ''))
    members.refuse({ code: 'provider_unknown', key: 'provider', is: `it is ${shown(provider)}`, needed: 'a registered provider was needed' });
  const launchOrdinal = members.integer('launchOrdinal');
  if ((launchOrdinal ?? 0n) === 0n && !members.isWrong('launchOrdinal'))
    members.refuse({ code: 'launch_ordinal_invalid', key: 'launchOrdinal', is: `it is ${launchOrdinal ?? 'absent'}`, needed: 'an integer from 1 was needed' });
  const origin = members.text('captureOrigin');
  if (origin !== 'process-start' && origin !== 'attached-live-connection' && !members.isWrong('captureOrigin'))
    members.refuse({ code: 'capture_origin_invalid', key: 'captureOrigin', is: `it is ${shown(origin)}`, needed: '"process-start" or "attached-live-connection" was needed' });
  checkOwn(connection, members);
  const isKnown = provider !== undefined && launchOrdinal !== undefined && !members.isWrong('agentSessionId');
  return {
    ...(connectionId === undefined ? {} : { connectionId }),
    ...(provider === undefined ? {} : { provider }),
    ...(agentSessionId === undefined ? {} : { agentSessionId }),
    ...(launchOrdinal === undefined ? {} : { launchOrdinal }),
    // JSON keeps the parts of a name apart, whatever they hold.
    launch: isKnown ? JSON.stringify([trim(agentSessionId ?? ''), trim(provider).toLowerCase(), String(launchOrdinal)]) : null,
  };
}

function nameAt(members: Members, key: string, code: 'manifest_invalid' | 'connection_member_blank'): string | undefined {
  const name = members.text(key);
  if (isBlank(name) && !members.isWrong(key)) members.refuse({ code, key, is: `it is ${shown(name)}`, needed: 'a name was needed' });
  return name;
}

// Members of ours: to others these names mean nothing, or something else.
function checkOwn(connection: JsonObject, members: Members): void {
  const [argv, inputEndedAt] = [present(connection, 'argv'), present(connection, 'inputEndedAt')];
  if (argv !== undefined && !isTexts(argv)) members.refuse({ code: 'stand_in_member_invalid', key: 'argv', is: `it is ${shown(argv)}`, needed: 'a list of strings was needed' });
  if (inputEndedAt !== undefined && countOf(inputEndedAt) === undefined)
    members.refuse({ code: 'stand_in_member_invalid', key: 'inputEndedAt', is: `it is ${shown(inputEndedAt)}`, needed: 'the number of a chunk was needed' });
}

function isTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function countOf(value: Json | undefined): number | undefined {
  const count = Number(integerOf(value) ?? Number.NaN);
  return count >= 0 && Number.isSafeInteger(count) ? count : undefined;
}

function checkUnique(connections: readonly (ReadConnection | null)[], add: Add): void {
  const ids = new Map<string, number>();
  const launches = new Map<string, number>();
  connections.forEach((c, i) => {
    if (c?.connectionId === undefined) return;
    const { launch } = c;
    const before = ids.get(c.connectionId) ?? (launch === null ? undefined : launches.get(launch));
    if (before !== undefined) add(i, { code: 'connection_duplicate', is: `it repeats the ${ids.has(c.connectionId) ? 'id' : 'launch'} of connection ${before}`, needed: 'unique connections and launches were needed' });
    ids.set(c.connectionId, i);
    if (launch !== null) launches.set(launch, i);
  });
}

// A stand-in numbers its launches without a gap; what other recorders leave out is theirs (cassette-contract 5.3).
function checkGaps(connections: readonly (ReadConnection | null)[], add: Add): void {
  const own = new Set(connections.filter((c) => c?.agentSessionId === wrapSessionId).map((c) => `${c?.provider} ${c?.launchOrdinal}`));
  connections.forEach((c, i) => {
    const ordinal = c?.launchOrdinal ?? 0n;
    if (c?.agentSessionId !== wrapSessionId || ordinal <= 1n || own.has(`${c.provider} ${ordinal - 1n}`)) return;
    add(i, { code: 'stand_in_member_invalid', is: `it is ${ordinal}, and there is no launch ${ordinal - 1n}`, needed: 'launches without a gap were needed' }, '.launchOrdinal');
  });
}

// Players count in floats; unknown members are kept. A null is as good as absent to them, and so is what has another type.
function playable(value: JsonObject): TapeManifest {
  const { recordedWith, ...contract } = withNumbers(value);
  const counts = Object.fromEntries((['frameCount', 'payloadBytes', 'storedBytes', 'maxFrameBytes'] as const).map((key) => [key, Number(integerAt(value, key) ?? 0n)]));
  const connections = (listAt(value, 'connections') ?? []).map(playableConnection);
  return { ...contract, ...counts, framesSha256: textAt(value, 'framesSha256') ?? '', ...(isOurs(recordedWith) ? { recordedWith } : {}), connections } as unknown as TapeManifest;
}

// A member of ours: what another writer means by the name is of no use to us.
function isOurs(recordedWith: Json | undefined): boolean {
  const provider = member(recordedWith, 'provider');
  return textAt(provider, 'name') !== undefined && typeof (present(provider, 'version') ?? '') === 'string';
}

// One for each of the list, so that their places are the same.
function playableConnection(connection: Json): TapeConnection {
  const { argv, inputEndedAt, ...rest } = isObject(connection) ? withNumbers(connection) : {};
  const text = (key: string) => textAt(connection, key) ?? '';
  const endedAt = countOf(inputEndedAt);
  return {
    ...rest,
    connectionId: text('connectionId'),
    provider: text('provider'),
    agentSessionId: text('agentSessionId'),
    rootAgentSessionId: text('rootAgentSessionId'),
    launchOrdinal: Number(integerAt(connection, 'launchOrdinal') ?? 0n),
    cwdToken: text('cwdToken'),
    captureOrigin: text('captureOrigin') === 'attached-live-connection' ? 'attached-live-connection' : 'process-start',
    ...(isTexts(argv) ? { argv } : {}),
    ...(endedAt === undefined ? {} : { inputEndedAt: endedAt }),
  };
}

function withNumbers(value: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key] as Json;
    if (item === null) continue;
    const integer = integerOf(item);
    setMember(copy, key, integer === undefined ? item : Number(integer));
  }
  return copy;
}

function placeOf(report: Report) {
  return { code: 'manifest_invalid', file: manifestFile, report } as const;
}
