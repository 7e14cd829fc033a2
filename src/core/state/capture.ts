/** What makes a captured state portable: tokens for folders, and nothing that only the recording runtime made (cassette-contract 7.5). */

import { isObject, type Json, type JsonObject } from '../json/exact.ts';
import { isBlank, listAt, objectAt, textAt, trim } from '../json/read.ts';
import { cwdToken, homeToken } from '../portable-path.ts';
import { belowFolder, isTokenPath } from './path.ts';
import { mapMember, mapPaths, mapProjectKey, mapRows, mapSessions, isToolCall } from './places.ts';
import { withoutPlanOperation } from './plan-decision.ts';
import { withoutRuntimeFolders } from './tool-call.ts';
import { rowsAt } from './walk.ts';

/** What the recording machine knows. */
export type CaptureFacts = {
  /** A path made absolute and clean, with symlinks resolved where its folder exists. */
  normalisePath: (path: string) => string;
  /** The product's state folder, absolute. */
  stateFolder: string;
  /** The name of a provider's isolated home, asked by provider or agent target; `null` where it is not registered. */
  homeFolderOf: (providerOrTarget: string) => string | null;
};

/** A portable copy of a captured state. Without a folder of the root session nothing is changed (7.5). */
export function projectState(state: Json, facts: CaptureFacts): Json {
  const root = rootFolder(state);
  if (isBlank(root)) return state;
  const project = createProjection(facts.normalisePath(root ?? ''), facts);
  return mapSessions(state, (session, place) => {
    const captured = mapSession(session, facts);
    const projected = mapPaths(captured, place, project);
    return hasOwnProjectKey(session, facts) ? mapProjectKey(projected, (path) => project(path)) : projected;
  });
}

function rootFolder(state: Json): string | undefined {
  const agent = objectAt(state, 'agent');
  const root = rowsAt(agent, 'sessions').find(({ row }) => textAt(row, 'id') === textAt(agent, 'rootSessionId'));
  return textAt(root?.row, 'cwd');
}

// Note: the reference takes a token for a relative path, so that its projection is not the same when done twice; here it is.
function createProjection(root: string, { normalisePath }: CaptureFacts): (path: string) => string {
  return (path) => {
    if (isTokenPath(path) || path === '') return path;
    const below = belowFolder(normalisePath(path), root);
    return below === null ? path : below === '' ? cwdToken : `${cwdToken}/${below}`;
  };
}

function hasOwnProjectKey(session: JsonObject, { normalisePath }: CaptureFacts): boolean {
  const [kind, path, key] = ['railSectionKind', 'railProjectPath', 'railSectionKey'].map((name) => textAt(session, name) ?? '') as [string, string, string];
  if (trim(kind) !== 'project' || path === '' || !key.startsWith('project:')) return false;
  const keyPath = key.slice('project:'.length);
  return keyPath === path || (keyPath !== '' && normalisePath(keyPath) === normalisePath(path));
}

function mapSession(session: JsonObject, facts: CaptureFacts): JsonObject {
  const turns = mapRows(session, 'turns', withoutWatermark);
  const messages = mapRows(turns, 'messages', (message) => {
    const neutral = withoutPlanOperation(message);
    return isToolCall(message) ? mapMember(neutral, 'payload', (payload) => mapToolCall(payload, session, facts)) : neutral;
  });
  return mapRows(messages, 'interactions', (interaction) => mapMember(interaction, 'input', withoutRuntimeFolders));
}

function mapToolCall(payload: Json, session: JsonObject, facts: CaptureFacts): Json {
  const home = providerHome(session, facts);
  const output = home === null ? payload : mapMember(payload, 'output', (value) => mapImages(value, (path) => imageToken(path, home, facts)));
  return mapMember(output, 'input', withoutRuntimeFolders);
}

/** Frames that come behind a cancellation race with it: whether a last message was found is chance. */
function withoutWatermark(turn: JsonObject): JsonObject {
  if (trim(textAt(turn, 'outcome') ?? '') !== 'canceled' || !isObject(turn['completedCommand'])) return turn;
  const { completedCommand, ...rest } = turn;
  const { finalAssistantMessageId: _id, finalAssistantMessageResolved: _resolved, ...kept } = completedCommand as JsonObject;
  return Object.keys(kept).length === 0 ? rest : mapMember(turn, 'completedCommand', () => kept);
}

// A target may be shared by providers, so the provider decides; the target only where no provider is named.
function providerHome(session: JsonObject, { stateFolder, homeFolderOf, normalisePath }: CaptureFacts): string | null {
  const id = trim(textAt(session, 'id') ?? '');
  const provider = trim(textAt(session, 'provider') ?? '');
  const folder = homeFolderOf(provider || trim(textAt(session, 'agentTargetId') ?? ''));
  return folder === null || !isSafeSegment(id) ? null : normalisePath([stateFolder, 'agent', 'runs', id, folder].join('/'));
}

function isSafeSegment(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && !/[/\\]/.test(text);
}

function mapImages(output: Json, change: (path: string) => string): Json {
  const one = mapMember(output, 'savedPath', (path) => (typeof path === 'string' ? change(path) : path));
  return listAt(output, 'savedPaths') ? mapMember(one, 'savedPaths', (paths) => (paths as Json[]).map((path) => (typeof path === 'string' ? change(path) : path))) : one;
}

function imageToken(path: string, home: string, { normalisePath }: CaptureFacts): string {
  const below = isTokenPath(path) || path === '' ? null : belowFolder(normalisePath(path), home);
  return below?.startsWith('generated_images/') ? `${homeToken}/${below}` : path;
}
