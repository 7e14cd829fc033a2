/** JSON schemas of what the window asks and is told; a test holds them against the types of core/agent/wire.ts. */

import { Type, type TSchema } from '@sinclair/typebox';
import { limits } from '../../core/limits.ts';
import { anyObject, sessionView, turnOutcome, turnView } from './schema-views.ts';

const closed = { additionalProperties: false };
const id = Type.String({ minLength: 1, maxLength: limits.pathParameterCharactersMax });
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const content = Type.Array(Type.Object({ type: Type.Literal('text'), text: Type.String() }, closed), { minItems: 1 });

export const workspacePath = Type.Object({ w: id }, closed);
export const sessionPath = Type.Object({ w: id, s: id }, closed);
export const turnPath = Type.Object({ w: id, s: id, t: id }, closed);
export const interactionPath = Type.Object({ w: id, s: id, r: id }, closed);

export const createBody = Type.Object(
  {
    agentSessionId: id,
    agentTargetId: id,
    // Absolute: a relative folder would hang on where the daemon was started.
    cwd: Type.String({ pattern: '^(/|[A-Za-z]:[\\\\/])' }),
    settings: anyObject,
    title: Type.Optional(Type.String()),
    visible: Type.Optional(Type.Boolean()),
    railPlacement: Type.Optional(
      Type.Object({ version: Type.Literal(1), kind: Type.Union([Type.Literal('project'), Type.Literal('conversations')]), projectPath: Type.Optional(Type.String()) }, closed),
    ),
    initialContent: Type.Optional(content),
    initialDisplayPrompt: Type.Optional(Type.String()),
    clientSubmitId: Type.Optional(id),
  },
  closed,
);
export const createdSession = Type.Object({ session: sessionView, turnId: orNull(Type.String()) }, closed);

export const sendBody = Type.Object(
  { content, displayPrompt: Type.Optional(Type.String()), clientSubmitId: id, settings: Type.Optional(anyObject) },
  closed,
);
export const sent = Type.Object({ turnId: Type.String() }, closed);

export const cancelReply = Type.Object(
  { state: Type.Union([Type.Literal('cancel_requested'), Type.Literal('settled')]), outcome: orNull(turnOutcome) },
  closed,
);

export const respondBody = Type.Object(
  { turnId: id, action: Type.String({ minLength: 1 }), optionId: Type.Optional(Type.String()), payload: Type.Optional(anyObject) },
  closed,
);
export const respondReply = Type.Object({ status: Type.Union([Type.Literal('answered'), Type.Literal('superseded')]) }, closed);

export const settingsBody = anyObject;
export const settingsReply = Type.Object({ settings: anyObject }, closed);

export const sessionPatch = Type.Object({ title: Type.Optional(Type.String()), pinned: Type.Optional(Type.Boolean()) }, { ...closed, minProperties: 1 });
export const sessionReply = Type.Object({ session: sessionView }, closed);
export const sessionList = Type.Object({ sessions: Type.Array(sessionView) }, closed);

/** Newest first; `before` is the id of the last turn of the page before. */
export const turnPageQuery = Type.Object({ limit: Type.Optional(Type.String({ pattern: '^([1-9][0-9]?|100)$' })), before: Type.Optional(id) }, closed);
export const turnPage = Type.Object({ turns: Type.Array(turnView), hasMore: Type.Boolean() }, closed);

export const bootstrapReply = Type.Object(
  {
    workspaceId: Type.String(),
    project: Type.Object({ path: Type.String(), name: Type.String() }, closed),
    agentTargets: Type.Array(Type.Object({ id: Type.String(), provider: Type.String(), title: Type.String() }, closed)),
    composerDefaults: anyObject,
    mode: Type.Union([Type.Literal('live'), Type.Literal('record'), Type.Literal('replay')]),
    recordingId: orNull(Type.String()),
    cassetteId: orNull(Type.String()),
  },
  closed,
);

export const errorBody = Type.Object(
  { error: Type.Object({ code: Type.String(), message: Type.String(), reason: Type.Optional(Type.String()) }, closed) },
  { ...closed, description: 'Every failure: the status says the class, `code` is stable.' },
);

/** The replies of a route: its own, and an error with any other status. */
export function repliesOf<Status extends number, Schema extends TSchema>(status: Status, schema: Schema): { [key in Status]: Schema } & { '4xx': typeof errorBody; '5xx': typeof errorBody } {
  return { [status]: schema, '4xx': errorBody, '5xx': errorBody } as never;
}
