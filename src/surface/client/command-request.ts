/** Each command as a request to the daemon, and what of the answer the engine keeps (replay-runtime 8). */

import type { Json, JsonObject } from '../../core/json/exact.ts';
import { member } from '../../core/json/exact.ts';
import { textAt } from '../../core/json/read.ts';
import type { CommandOutcome, EngineCommand } from '../engine/command.ts';
import type { HttpReply, HttpRequest } from './http.ts';

/** The request of a command in a workspace. */
export function requestOf({ type, agentSessionId, payload }: EngineCommand, workspaceId: string): HttpRequest {
  const sessions = `/v1/workspaces/${encodeURIComponent(workspaceId)}/agent-sessions`;
  const session = `${sessions}/${encodeURIComponent(agentSessionId)}`;
  const part = (key: string) => encodeURIComponent(textAt(payload, key) ?? '');
  switch (type) {
    case 'session/activate':
      return { method: 'POST', path: sessions, body: { agentSessionId, ...pick(payload, createMembers) } };
    case 'queue/sendPrompt':
      return { method: 'POST', path: `${session}/input`, body: pick(payload, sendMembers) };
    case 'turn/cancel':
      return { method: 'POST', path: `${session}/turns/${part('turnId')}/cancel` };
    case 'interaction/respond':
      return { method: 'POST', path: `${session}/interactives/${part('requestId')}/response`, body: pick(payload, respondMembers) };
    case 'session/updateSettings':
      return { method: 'POST', path: `${session}/settings`, body: member(payload, 'settings') ?? {} };
  }
}

/** A refusal and a lost connection are results too; only what the engine uses is kept of an answer. */
export function outcomeOf({ type }: Pick<EngineCommand, 'type'>, reply: HttpReply): CommandOutcome {
  if (!reply.isOk) return { outcome: 'failed', errorCode: reply.code, ...(reply.reason === null ? {} : { errorReason: reply.reason }), errorMessage: reply.message };
  return { outcome: 'succeeded', value: pick(reply.body, valueMembers[type]) };
}

function pick(from: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(from, key)).map((key) => [key, from[key] as Json]));
}

const createMembers = ['agentTargetId', 'cwd', 'settings', 'title', 'visible', 'railPlacement', 'initialContent', 'initialDisplayPrompt', 'clientSubmitId'];
const sendMembers = ['content', 'displayPrompt', 'clientSubmitId', 'settings'];
const respondMembers = ['turnId', 'action', 'optionId', 'payload'];
/** The whole session of a creation holds paths of this machine, and comes by the stream anyway. */
const valueMembers: { [Type in EngineCommand['type']]: readonly string[] } = {
  'session/activate': ['turnId'],
  'queue/sendPrompt': ['turnId'],
  'turn/cancel': ['state', 'outcome'],
  'interaction/respond': ['status'],
  'session/updateSettings': ['settings'],
};
