/** `cassette.json` against its contract (cassette-contract 0.4, 1.1 to 1.3, 1.6 steps 1 to 3). */

import type { BlobFacts } from '../blobs/facts.ts';
import type { IssueCode } from '../issue-catalogue.ts';
import type { Report } from '../issue.ts';
import { isObject, type Json, type JsonObject } from '../json/exact.ts';
import { isBlank, listAt, present, shown, textAt, trim } from '../json/read.ts';
import { checkFiles, type Inventory } from './check-files.ts';
import { cassetteModes, composerDefaultNames, type CassetteMode, type ComposerDefaults, type ManifestFacts } from './manifest.ts';
import { nameCodePointsMax, normalizeCassetteName } from './name.ts';
import { cassettePolicy } from './policy.ts';
import { zeroInteger, zeroText } from '../json/zero.ts';

export type ManifestContext = {
  /** The id that was asked for; `null` asks for none. */
  expectedId: string | null;
  /** Whether a state format is registered. */
  formats: (name: string) => boolean;
  /** What the blob manifest lists; `null` where it could not be read. */
  blobs: readonly BlobFacts[] | null;
};

/** Reports everything that stands against a manifest; `null` where no inventory is left to hold the folder against. */
export function checkCassetteManifest(value: Json, context: ManifestContext, report: Report): ManifestFacts | null {
  const say: Say = (code, path, is, needed) => report({ code, file: cassettePolicy.files.cassetteManifest.path, path, is, needed });
  if (value !== null && !isObject(value)) return null;
  checkSchema(value, say);
  if (value === null) return null;
  checkScope(value, say);
  checkIdentities(value, context.expectedId, say);
  checkStateFormat(value, context.formats, say);
  checkTexts(value, say);
  checkNumbers(value, say);
  const composerDefaults = checkPrerequisites(value, say);
  const mode = checkMode(value, say);
  const inventory = inventoryOf(value, { mode, blobs: context.blobs }, say, report);
  if (inventory) checkTotalBytes(value, inventory, say);
  return inventory?.isWhole ? factsOf({ value, mode, composerDefaults, inventory }) : null;
}

type Say = (code: IssueCode, path: string, is: string, needed: string) => void;

function checkSchema(value: JsonObject | null, say: Say): void {
  const version = zeroInteger(value, 'schemaVersion');
  if (version !== null && version !== BigInt(cassettePolicy.schemaVersion))
    say('cassette_schema_unsupported', '$.schemaVersion', `the schema version is ${shown(present(value, 'schemaVersion'))}`, `${cassettePolicy.schemaVersion} was needed`);
}

// The names are exact and the value does not matter, not even null (15.12).
function checkScope(value: JsonObject, say: Say): void {
  for (const key of ['scopeId', 'workspaceId']) if (Object.hasOwn(value, key)) say('scope_field_present', `$.${key}`, `the manifest has a member "${key}"`, 'a cassette names no workspace');
}

function checkIdentities(value: JsonObject, expectedId: string | null, say: Say): void {
  for (const key of ['id', 'sourceRecordingId', 'rootAgentSessionId']) {
    const text = zeroText(value, key);
    if (text !== null && isBlank(text)) say('cassette_identity_blank', `$.${key}`, `it is ${shown(present(value, key))}`, 'an id was needed');
  }
  const id = zeroText(value, 'id');
  if (expectedId !== null && id !== null && !isBlank(id) && id !== expectedId) say('cassette_id_mismatch', '$.id', `the id is ${shown(id)}`, `${shown(expectedId)} was asked for`);
}

function checkStateFormat(value: JsonObject, formats: ManifestContext['formats'], say: Say): void {
  const format = zeroText(value, 'stateFormat');
  if (format !== null && (format === '' || !formats(format))) say('state_format_unknown', '$.stateFormat', `the state format is ${shown(present(value, 'stateFormat'))}`, 'a registered one was needed');
}

function checkTexts(value: JsonObject, say: Say): void {
  const name = zeroText(value, 'name');
  if (name !== null && normalizeCassetteName(name) === null) say('cassette_name_invalid', '$.name', `the name is ${shown(present(value, 'name'))}`, `1 to ${nameCodePointsMax} characters were needed`);
  if (zeroText(value, 'agentTargetId') === '') say('agent_target_empty', '$.agentTargetId', 'the agent target is empty', 'a target was needed');
}

function checkNumbers(value: JsonObject, say: Say): void {
  const createdAt = zeroInteger(value, 'createdAtUnixMs');
  if (createdAt !== null && createdAt <= 0n) say('created_at_invalid', '$.createdAtUnixMs', `the time is ${shown(present(value, 'createdAtUnixMs'))}`, 'a time above 0 was needed');
  const max = zeroInteger(value, 'maxTotalBytes');
  if (max !== null && max !== BigInt(cassettePolicy.limits.maxCassetteBytes))
    say('max_total_bytes_invalid', '$.maxTotalBytes', `the limit is ${shown(present(value, 'maxTotalBytes'))}`, `exactly ${cassettePolicy.limits.maxCassetteBytes} was needed`);
}

// An absent object is one finding, not one for each of its members; a wrongly typed one is the shape check's.
function checkPrerequisites(value: JsonObject, say: Say): ComposerDefaults {
  const defaults: ComposerDefaults = { model: '', permissionModeId: '', reasoningEffort: '', speed: '' };
  let holder: Json = value;
  let path = '$';
  for (const key of ['replayPrerequisites', 'composerDefaults']) {
    const next = present(holder, key);
    path = `${path}.${key}`;
    if (next === undefined) say('prerequisites_invalid', path, 'it is absent', 'the composer defaults were needed');
    if (!isObject(next)) return defaults;
    holder = next;
  }
  for (const key of composerDefaultNames) {
    const text = zeroText(holder, key);
    if (text === null) continue;
    defaults[key] = trim(text);
    if (defaults[key] === '') say('prerequisites_invalid', `${path}.${key}`, `it is ${shown(present(holder, key))}`, 'a value was needed');
    else if (defaults[key] !== text) say('prerequisites_padded', `${path}.${key}`, `it is ${shown(text)}`, 'no white space around it was expected');
  }
  return defaults;
}

function checkMode(value: JsonObject, say: Say): CassetteMode | null {
  const text = zeroText(value, 'mode');
  const mode = cassetteModes.find((known) => known === text) ?? null;
  if (text !== null && mode === null) say('mode_invalid', '$.mode', `the mode is ${shown(present(value, 'mode'))}`, `${cassetteModes.join(' or ')} was needed`);
  return mode;
}

function inventoryOf(value: JsonObject, context: { mode: CassetteMode | null; blobs: readonly BlobFacts[] | null }, say: Say, report: Report): Inventory | null {
  if (present(value, 'files') === undefined) say('cassette_invalid', '$.files', 'the inventory is absent', 'a list of files was needed');
  const entries = listAt(value, 'files');
  return entries ? checkFiles(entries, context, report) : null;
}

function checkTotalBytes(value: JsonObject, { sumBytes }: Inventory, say: Say): void {
  const total = zeroInteger(value, 'totalBytes');
  if (total !== null && sumBytes !== null && total !== sumBytes) say('total_bytes_mismatch', '$.totalBytes', `the total is ${shown(present(value, 'totalBytes'))}`, `the inventory adds up to ${sumBytes}`);
}

function factsOf(options: { value: JsonObject; mode: CassetteMode | null; composerDefaults: ComposerDefaults; inventory: Inventory }): ManifestFacts {
  const { value, mode, composerDefaults, inventory } = options;
  const text = (key: string): string => textAt(value, key) ?? '';
  return {
    id: text('id'),
    name: trim(text('name')),
    sourceRecordingId: text('sourceRecordingId'),
    mode,
    rootAgentSessionId: text('rootAgentSessionId'),
    agentTargetId: text('agentTargetId'),
    stateFormat: text('stateFormat'),
    totalBytes: Number(zeroInteger(value, 'totalBytes') ?? 0n),
    createdAtUnixMs: Number(zeroInteger(value, 'createdAtUnixMs') ?? 0n),
    prerequisites: { composerDefaults },
    files: inventory.files,
    refusedPaths: inventory.refusedPaths,
  };
}
