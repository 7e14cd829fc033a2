/** Ids become names by position, so that two runs of one session compare (cassette-contract 7.6 a, b). Works on a copy of its own. */

import { isObject, setMember, type Json, type JsonObject } from '../json/exact.ts';
import { isBlank, objectAt, textAt } from '../json/read.ts';
import { rowsAt } from './walk.ts';

export type RenameOptions = {
  /** Also the ids that differ between two recordings of one scenario: provider session and submit ids. Default false. */
  betweenRecordings?: boolean;
};

/** Renames every registered id of a typed state, in place. Array elements and parts of texts stay (so `issueIds` compare raw). */
export function renameIds(state: JsonObject, options: RenameOptions = {}): void {
  const names = registerIds(state, options);
  replaceDirectTexts(state, names);
  for (const { session, name } of sessionsOf(state))
    for (const { row, index } of rowsAt(session, 'interactions')) {
      const call = objectAt(objectAt(row, 'input'), 'toolCall');
      // Always, whatever stood there: some providers repeat the request here, some leave it empty.
      if (call && typeof call['toolCallId'] === 'string') call['toolCallId'] = `${name}/interaction:${index}/toolCall`;
    }
}

type Register = (id: Json | undefined, name: string) => void;

// The order of the walk is part of the contract: of one text that is registered twice the first name counts.
function registerIds(state: JsonObject, { betweenRecordings = false }: RenameOptions): Map<string, string> {
  const names = new Map<string, string>();
  const register: Register = (id, name) => {
    if (typeof id === 'string' && id !== '' && !names.has(id)) names.set(id, name);
  };
  for (const { session, name } of sessionsOf(state)) registerSession(session, name, register);
  for (const { row, index } of rowsAt(objectAt(state, 'tuttiMode'), 'activations')) register(row['id'], `activation:${index}`);
  for (const { row, index } of rowsAt(state, 'workflows')) register(row['id'], `workflow:${index}`);
  for (const { row, index } of rowsAt(state, 'issues')) {
    register(row['id'], `issue:${index}`);
    for (const task of rowsAt(row, 'tasks')) register(task.row['id'], `issue:${index}/task:${task.index}`);
  }
  if (betweenRecordings) for (const { session, name } of sessionsOf(state)) registerRecording(session, name, register);
  return names;
}

function registerSession(session: JsonObject, name: string, register: Register): void {
  register(session['id'], name);
  for (const { row, index } of rowsAt(session, 'turns')) {
    register(row['id'], `${name}/turn:${index}`);
    register(row['rootProviderTurnId'], `${name}/turn:${index}/rootProviderTurn`);
  }
  for (const { row, index } of rowsAt(session, 'messages')) registerMessage(row, `${name}/message:${index}`, register);
  for (const { row, index } of rowsAt(session, 'interactions')) {
    register(row['requestId'], `${name}/interaction:${index}`);
    const call = textAt(objectAt(objectAt(row, 'input'), 'toolCall'), 'toolCallId');
    if (!isBlank(call)) register(call, `${name}/interaction:${index}/toolCall`);
  }
}

function registerMessage(message: JsonObject, name: string, register: Register): void {
  register(message['id'], name);
  const payload = objectAt(message, 'payload');
  register(textAt(payload, 'operationId'), `${name}/operation`);
  register(textAt(payload, 'callId'), `${name}/call`);
  for (const block of rowsAt(payload, 'content')) register(textAt(block.row, 'attachmentId'), `${name}/attachment:${block.index}`);
}

function registerRecording(session: JsonObject, name: string, register: Register): void {
  register(session['providerSessionId'], `${name}/providerSession`);
  for (const { row, index } of rowsAt(session, 'messages')) register(textAt(objectAt(row, 'payload'), 'clientSubmitId'), `${name}/message:${index}/submit`);
}

function sessionsOf(state: JsonObject): { session: JsonObject; name: string }[] {
  return rowsAt(objectAt(state, 'agent'), 'sessions').map(({ row, index }) => ({ session: row, name: `session:${index}` }));
}

function replaceDirectTexts(value: Json, names: ReadonlyMap<string, string>): void {
  if (Array.isArray(value)) for (const item of value) replaceDirectTexts(item, names);
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    const child = value[key] as Json;
    if (typeof child !== 'string') replaceDirectTexts(child, names);
    else if (names.has(child)) setMember(value, key, names.get(child) ?? child);
  }
}
