/** The typed shape of `tutti.agent-session-replay-state.v1`: what the codec decodes, in the order it writes (cassette-contract 7.1). */

/** `free` is an object of any members, or null. An optional member is left out where its value is zero. */
export type Member = { isOptional: boolean } & (
  | { kind: 'text' | 'integer' | 'boolean' | 'free' | 'texts' }
  | { kind: 'row' | 'rows'; members: Members }
);
export type Members = { readonly [name: string]: Member };

const text: Member = { kind: 'text', isOptional: false };
const integer: Member = { kind: 'integer', isOptional: false };
const boolean: Member = { kind: 'boolean', isOptional: false };
const free: Member = { kind: 'free', isOptional: false };
const texts: Member = { kind: 'texts', isOptional: false };
const row = (members: Members): Member => ({ kind: 'row', members, isOptional: false });
const rows = (members: Members): Member => ({ kind: 'rows', members, isOptional: false });
const optional = (member: Member): Member => ({ ...member, isOptional: true });

const turn: Members = {
  id: text,
  capabilityRefs: rows({ capability: text, source: text }),
  phase: text,
  outcome: optional(text),
  error: optional(free),
  fileChanges: optional(free),
  completedCommand: optional(free),
  origin: text,
  sourceGoalOperationId: optional(text),
  sourceGoalRevision: optional(integer),
  sourceGoalRepairEpoch: optional(integer),
  rootProviderTurnId: optional(text),
};

const message: Members = { id: text, turnId: optional(text), role: text, kind: optional(text), status: optional(text), semantics: optional(free), payload: free };

const interaction: Members = { requestId: text, turnId: text, kind: text, status: text, toolName: optional(text), input: free, output: free, metadata: free };

const goal: Members = {
  desired: free,
  observed: free,
  revision: integer,
  tombstoned: boolean,
  syncStatus: text,
  pendingOperationId: optional(text),
  lastEvidence: free,
  lastError: optional(text),
};

export const sessionMembers: Members = {
  id: text,
  kind: optional(text),
  rootSessionId: optional(text),
  rootTurnId: optional(text),
  parentSessionId: optional(text),
  parentTurnId: optional(text),
  parentToolCallId: optional(text),
  origin: optional(text),
  agentTargetId: text,
  provider: text,
  providerSessionId: text,
  model: optional(text),
  settings: free,
  providerResumeCheckpoint: optional(free),
  cwd: optional(text),
  railSectionKind: optional(text),
  railProjectPath: optional(text),
  railSectionKey: optional(text),
  title: optional(text),
  activeTurnId: optional(text),
  pinned: boolean,
  turns: rows(turn),
  messages: rows(message),
  interactions: rows(interaction),
  goal: optional(row(goal)),
};

export const activationMembers: Members = { id: text, sessionId: text, currentRevisionId: text, currentRevision: integer, state: text, source: text, effect: integer, speed: integer };

export const snapshotMembers: Members = {
  sessionId: text,
  turnId: text,
  activationId: optional(text),
  revisionId: optional(text),
  revision: integer,
  state: text,
  source: optional(text),
  preferenceVersion: integer,
  effect: integer,
  speed: integer,
  dispatchState: text,
};

export const workflowMembers: Members = {
  id: text,
  type: text,
  triggerKind: text,
  sourceSessionId: text,
  sourceTurnId: text,
  sourceToolCallId: text,
  status: text,
  currentRevisionId: text,
  issueIds: texts,
};

const task: Members = { id: text, title: text, content: optional(text), status: text, priority: text, position: integer };

export const issueMembers: Members = { id: text, title: text, content: optional(text), status: text, tasks: rows(task) };

/** The whole document, `initial-state.json` and `expected-state.json` alike. */
export const stateMembers: Members = {
  schemaVersion: integer,
  agent: row({ rootSessionId: text, sessions: rows(sessionMembers) }),
  tuttiMode: row({ activations: rows(activationMembers), turnSnapshots: rows(snapshotMembers) }),
  workflows: rows(workflowMembers),
  issues: rows(issueMembers),
};
