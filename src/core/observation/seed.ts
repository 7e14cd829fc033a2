/** What is there before a continued session goes on gets the paths of `initial-state.json` as addresses (cassette-contract 4.6, 6.6). */

import type { EntityKind } from '../checkpoint/entity.ts';
import type { Json, JsonObject } from '../json/exact.ts';
import { isBlank, objectAt, textAt } from '../json/read.ts';
import { rowsAt } from '../state/walk.ts';
import { attachmentBlocks } from './message.ts';
import type { EntityRef, EntityRegistry } from './registry.ts';

/** Binds everything in the state that is not bound yet; again changes nothing, and what came earlier stays (6.6). */
export function seedRegistry(registry: EntityRegistry, state: Json): void {
  const agent = objectAt(state, 'agent');
  const rootId = textAt(agent, 'rootSessionId') ?? '';
  for (const { row, index } of rowsAt(agent, 'sessions')) seedSession({ registry, rootId, session: row, path: `/agent/sessions/${index}` });
}

function seedSession({ registry, rootId, session, path }: { registry: EntityRegistry; rootId: string; session: JsonObject; path: string }): void {
  const sessionId = textAt(session, 'id') ?? '';
  if (isBlank(sessionId)) return;
  const isRoot = sessionId === rootId || textAt(session, 'kind') === 'root';
  if (!isRoot) bindPath(registry, { kind: 'session', sessionId }, path);
  else if (!registry.bindRoot(sessionId)) return;
  for (const { row, index } of rowsAt(session, 'turns')) bindPath(registry, { kind: 'turn', sessionId, turnId: textAt(row, 'id') ?? '' }, `${path}/turns/${index}`);
  for (const { row, index } of rowsAt(session, 'messages')) seedMessage({ registry, sessionId, message: row, path: `${path}/messages/${index}` });
  for (const { row, index } of rowsAt(session, 'interactions')) bindPath(registry, interactionRef(sessionId, row), `${path}/interactions/${index}`);
  if (objectAt(session, 'goal')) bindPath(registry, { kind: 'goal', sessionId }, `${path}/goal`);
}

// A tool call has the path of its message: the kind tells them apart.
function seedMessage({ registry, sessionId, message, path }: { registry: EntityRegistry; sessionId: string; message: JsonObject; path: string }): void {
  const messageId = textAt(message, 'id') ?? '';
  const payload = objectAt(message, 'payload');
  const callId = textAt(payload, 'callId') ?? '';
  bindPath(registry, { kind: 'message', sessionId, messageId }, path);
  if (!isBlank(callId)) bindPath(registry, { kind: 'tool-call', sessionId, turnId: textAt(message, 'turnId') ?? '', callId }, path);
  attachmentBlocks(payload).forEach(({ index }, i) => bindPath(registry, { kind: 'attachment', sessionId, messageId, ordinal: i + 1 }, `${path}/payload/content/${index}`));
}

function interactionRef(sessionId: string, row: JsonObject): EntityRef {
  return { kind: 'interaction', sessionId, turnId: textAt(row, 'turnId') ?? '', interactionKind: textAt(row, 'kind') ?? '', requestId: textAt(row, 'requestId') ?? '' };
}

function bindPath(registry: EntityRegistry, ref: EntityRef & { kind: EntityKind }, initialStatePath: string): void {
  registry.bind(ref, { kind: ref.kind, origin: { source: 'initial-state', initialStatePath } });
}
