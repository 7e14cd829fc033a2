/** Reading `provider/manifest.json`: the manifest, or every issue that stands against it (cassette-contract 5.2, 5.3, 5.6). */

import type { IssueCode } from '../issue-catalogue.ts';
import { createIssue, type Issue } from '../issue.ts';
import { tapeProjectionVersion, tapeSchemaVersion, wrapSessionId, type TapeConnection, type TapeManifest } from './manifest.ts';

const file = 'provider/manifest.json';

export function parseManifest(text: string, hasProvider: (name: string) => boolean): { manifest: TapeManifest | null; issues: Issue[] } {
  const issues: Issue[] = [];
  const add = (code: IssueCode, path: string, is: string, needed: string) =>
    void issues.push(createIssue({ level: 'tape_load', code, file, path, is, needed }));
  let value: Record<string, unknown>;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new Error('no object');
    value = parsed as Record<string, unknown>;
  } catch {
    add('manifest_invalid', '$', 'the file is no JSON object', 'a tape manifest was needed');
    return { manifest: null, issues };
  }
  const shown = (key: string) => JSON.stringify(value[key]) ?? 'absent';
  if (value.schemaVersion !== tapeSchemaVersion) add('tape_schema_unsupported', '$.schemaVersion', `it is ${shown('schemaVersion')}`, `${tapeSchemaVersion} was needed`);
  if (value.projectionVersion !== tapeProjectionVersion)
    add('tape_projection_unsupported', '$.projectionVersion', `it is ${shown('projectionVersion')}`, `${tapeProjectionVersion} was needed`);
  if (value.status !== 'complete') add('tape_incomplete', '$.status', `it is ${shown('status')}`, '"complete" was needed');
  if (!Number.isSafeInteger(value.frameCount)) add('manifest_invalid', '$.frameCount', `it is ${shown('frameCount')}`, 'an integer was needed');
  if (typeof value.framesSha256 !== 'string' || value.framesSha256 === '')
    add('manifest_invalid', '$.framesSha256', `it is ${shown('framesSha256')}`, 'a SHA-256 in hex was needed');
  const connections = Array.isArray(value.connections) ? value.connections : [];
  if (!Array.isArray(value.connections)) add('manifest_invalid', '$.connections', `it is ${shown('connections')}`, 'a list was needed');
  connections.forEach((connection, i) => checkConnection(connection, `$.connections[${i}]`, hasProvider, add));
  checkUnique(connections as TapeConnection[], add);
  checkGaps(connections as TapeConnection[], add);
  const isUsable = !issues.some((issue) => issue.code === 'manifest_invalid');
  return { manifest: isUsable ? (value as unknown as TapeManifest) : null, issues };
}

type Add = (code: IssueCode, path: string, is: string, needed: string) => void;

function checkConnection(connection: unknown, path: string, hasProvider: (name: string) => boolean, add: Add): void {
  if (typeof connection !== 'object' || connection === null) return add('manifest_invalid', path, 'it is no object', 'a connection was needed');
  const c = connection as Record<string, unknown>;
  for (const key of ['connectionId', 'provider', 'agentSessionId', 'rootAgentSessionId', 'cwdToken'] as const)
    if (typeof c[key] !== 'string' || (c[key] as string).trim() === '')
      add('manifest_invalid', `${path}.${key}`, `it is ${JSON.stringify(c[key]) ?? 'absent'}`, 'a name was needed');
  if (typeof c.provider === 'string' && !hasProvider(c.provider))
    add('provider_unknown', `${path}.provider`, `it is ${JSON.stringify(c.provider)}`, 'a registered provider was needed');
  if (!Number.isSafeInteger(c.launchOrdinal) || (c.launchOrdinal as number) < 1)
    add('launch_ordinal_invalid', `${path}.launchOrdinal`, `it is ${JSON.stringify(c.launchOrdinal) ?? 'absent'}`, 'an integer from 1 was needed');
  if (c.captureOrigin !== 'process-start' && c.captureOrigin !== 'attached-live-connection')
    add('capture_origin_invalid', `${path}.captureOrigin`, `it is ${JSON.stringify(c.captureOrigin) ?? 'absent'}`, '"process-start" or "attached-live-connection" was needed');
  if (c.inputEndedAt !== undefined && (!Number.isSafeInteger(c.inputEndedAt) || (c.inputEndedAt as number) < 0))
    add('manifest_invalid', `${path}.inputEndedAt`, `it is ${JSON.stringify(c.inputEndedAt)}`, 'a chunk number was needed');
  if (c.argv !== undefined && !(Array.isArray(c.argv) && c.argv.every((arg) => typeof arg === 'string')))
    add('manifest_invalid', `${path}.argv`, 'it is no list of strings', 'the arguments were needed');
}

function checkUnique(connections: readonly TapeConnection[], add: Add): void {
  const seen = new Map<string, number>();
  connections.forEach((c, i) => {
    if (typeof c !== 'object' || c === null) return;
    for (const key of [`id ${c.connectionId}`, `launch ${String(c.agentSessionId).trim()} ${String(c.provider).trim()} ${c.launchOrdinal}`]) {
      const before = seen.get(key);
      if (before !== undefined) add('connection_duplicate', `$.connections[${i}]`, `it repeats connection ${before + 1} (${key})`, 'unique connections and launches were needed');
      seen.set(key, i);
    }
  });
}

// A stand-in numbers its launches without a gap; what other recorders leave out is theirs (cassette-contract 5.3).
function checkGaps(connections: readonly TapeConnection[], add: Add): void {
  const own = connections.filter((c) => typeof c === 'object' && c !== null && c.agentSessionId === wrapSessionId);
  for (const c of own) {
    const hasBefore = c.launchOrdinal <= 1 || own.some((other) => other.provider === c.provider && other.launchOrdinal === c.launchOrdinal - 1);
    if (Number.isSafeInteger(c.launchOrdinal) && !hasBefore)
      add('launch_ordinal_invalid', `$.connections[${connections.indexOf(c)}].launchOrdinal`, `it is ${c.launchOrdinal}, and there is no launch ${c.launchOrdinal - 1}`, 'launches without a gap were needed');
  }
}
