/** Where a state may hold a path of the project folder: the bindings, file changes and tool calls (cassette-contract 7.5). */

import { isObject, setMember, type Json, type JsonObject } from '../json/exact.ts';
import { textAt } from '../json/read.ts';
import { projectKeyPrefix } from './path.ts';
import { mapTexts } from './walk.ts';

export type ChangePath = (path: string, place: string) => string;
export type SessionChange = (session: JsonObject, place: string) => JsonObject;

/** A copy with every session changed. */
export function mapSessions(state: Json, change: SessionChange): Json {
  return mapMember(state, 'agent', (agent) => mapRows(agent, 'sessions', (session, index) => change(session, `$.agent.sessions[${index}]`)));
}

/** A copy of a session with every path changed that may lie in the project folder, each with its place; the project key is apart. */
export function mapPaths(session: JsonObject, place: string, change: ChangePath): JsonObject {
  const turns = mapRows(mapFolders(session, place, change), 'turns', (turn, index) => mapMember(turn, 'fileChanges', (changes) => mapPathTexts(changes, `${place}.turns[${index}].fileChanges`, change)));
  const messages = mapRows(turns, 'messages', (message, index) =>
    isToolCall(message) ? mapMember(message, 'payload', (payload) => mapPathTexts(payload, `${place}.messages[${index}].payload`, change)) : message,
  );
  return mapRows(messages, 'interactions', (interaction, index) => mapMember(interaction, 'input', (input) => mapPathTexts(input, `${place}.interactions[${index}].input`, change)));
}

export function isToolCall(message: Json): boolean {
  return textAt(message, 'kind') === 'tool_call';
}

function mapFolders(session: JsonObject, place: string, change: ChangePath): JsonObject {
  const copy = { ...session };
  for (const name of ['cwd', 'railProjectPath']) {
    const path = textAt(session, name);
    if (path) copy[name] = change(path, `${place}.${name}`);
  }
  return copy;
}

/** A copy of a session whose project key holds another path; any other key stays. */
export function mapProjectKey(session: JsonObject, change: (path: string) => string): JsonObject {
  const key = textAt(session, 'railSectionKey');
  return key?.startsWith(projectKeyPrefix) ? { ...session, railSectionKey: projectKeyPrefix + change(key.slice(projectKeyPrefix.length)) } : session;
}

// `cwd` members stay: the two that the runtime sets are removed, and those below are the tool's own arguments.
function mapPathTexts(value: Json, place: string, change: ChangePath): Json {
  return mapTexts(value, { key: '', path: place }, (text, { key, path }) => (key.toLowerCase().includes('path') ? change(text, path) : text));
}

/** A copy of an object with one member changed; anything else, or an object without the member, as it is. */
export function mapMember<Value extends Json>(value: Value, name: string, change: (member: Json) => Json): Value {
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setMember(copy, key, key === name ? change(value[key] as Json) : (value[key] as Json));
  return copy as Value;
}

/** A copy of an object with the objects of one list changed. */
export function mapRows<Value extends Json>(value: Value, name: string, change: (row: JsonObject, index: number) => Json): Value {
  return mapMember(value, name, (list) => (Array.isArray(list) ? list.map((row, index) => (isObject(row) ? change(row, index) : row)) : list));
}
