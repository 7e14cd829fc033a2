/** JSON schemas of the rows that the daemon gives; a test holds them against the types of core/agent/views.ts. */

import { Type } from '@sinclair/typebox';
import type { JsonObject } from '../../core/json/exact.ts';

const closed = { additionalProperties: false };
const words = <const Word extends string>(...names: readonly Word[]) => Type.Unsafe<Word>(Type.String({ enum: [...names] }));
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) => Type.Union([schema, Type.Null()]);
const unixMs = Type.Integer({ minimum: 0 });

export const anyObject = Type.Unsafe<JsonObject>(Type.Object({}, { additionalProperties: true }));

export const sessionView = Type.Object(
  {
    agentSessionId: Type.String(),
    kind: words('root', 'child'),
    rootSessionId: Type.String(),
    rootTurnId: Type.String(),
    parentSessionId: Type.String(),
    parentTurnId: Type.String(),
    parentToolCallId: Type.String(),
    origin: Type.String(),
    agentTargetId: Type.String(),
    provider: Type.String(),
    providerSessionId: Type.String(),
    model: Type.String(),
    settings: anyObject,
    cwd: Type.String(),
    railSectionKind: Type.String(),
    railProjectPath: Type.String(),
    railSectionKey: Type.String(),
    title: Type.String(),
    activeTurnId: orNull(Type.String()),
    isPinned: Type.Boolean(),
    isVisible: Type.Boolean(),
    messageVersion: Type.Integer(),
    createdAtUnixMs: unixMs,
    updatedAtUnixMs: unixMs,
  },
  closed,
);

export const turnOutcome = words('completed', 'failed', 'canceled', 'interrupted');

export const turnView = Type.Object(
  {
    agentSessionId: Type.String(),
    turnId: Type.String(),
    sequence: Type.Integer({ minimum: 1 }),
    phase: words('submitted', 'running', 'waiting', 'settling', 'settled'),
    outcome: orNull(turnOutcome),
    error: orNull(Type.Object({ code: Type.String(), message: Type.String() }, closed)),
    origin: words('user_prompt', 'goal_arm', 'goal_continuation', 'provider_initiated', 'legacy_unknown'),
    rootProviderTurnId: Type.String(),
    fileChanges: orNull(anyObject),
    completedCommand: orNull(anyObject),
  },
  closed,
);

export const messageView = Type.Object(
  {
    agentSessionId: Type.String(),
    messageId: Type.String(),
    version: Type.Integer(),
    turnId: orNull(Type.String()),
    role: Type.String(),
    kind: Type.String(),
    status: Type.String(),
    payload: anyObject,
    semantics: orNull(anyObject),
  },
  closed,
);

export const interactionView = Type.Object(
  {
    agentSessionId: Type.String(),
    turnId: Type.String(),
    requestId: Type.String(),
    kind: words('approval', 'question', 'plan'),
    status: words('pending', 'answered', 'superseded'),
    toolName: Type.String(),
    input: anyObject,
    output: orNull(anyObject),
    metadata: anyObject,
  },
  closed,
);

export const sessionGraph = Type.Object(
  { session: sessionView, turns: Type.Array(turnView), messages: Type.Array(messageView), interactions: Type.Array(interactionView) },
  closed,
);
