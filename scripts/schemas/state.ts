/** `initial-state.json` and `expected-state.json` in the format that is built in (cassette-contract 7.1). */

import { choice, document, filled, flag, free, i64, list, maybe, nullable, object, optional, text, version } from './members.ts';

const name = (description: string) => optional(text(description));
const freely = (description: string) => optional(free(description));

const turn = object('One turn.', {
  id: filled('The turn, unique in its session.'),
  capabilityRefs: nullable(list('The capabilities that were asked for.', object('One capability.', { capability: text('Which one.'), source: text('Where it comes from.') }))),
  phase: choice('How far it got; a state holds settled turns.', ['settled']),
  outcome: optional(choice('How it ended.', ['completed', 'failed', 'canceled', 'interrupted'])),
  error: freely('What went wrong.'),
  fileChanges: freely('The files it changed.'),
  completedCommand: freely('The command it ended with.'),
  origin: choice('What began it.', ['user_prompt', 'goal_arm', 'goal_continuation', 'provider_initiated', 'legacy_unknown']),
  sourceGoalOperationId: name('The goal operation that began it.'),
  sourceGoalRevision: optional(i64('The revision of that goal.')),
  sourceGoalRepairEpoch: optional(i64('The repair of that goal.')),
  rootProviderTurnId: name('What the provider calls it.'),
});

const message = object('One message.', {
  id: filled('The message.'),
  turnId: name('Its turn.'),
  role: text('Who speaks.'),
  kind: name('What it is.'),
  status: name('How far it got.'),
  semantics: freely('What it means to the product.'),
  payload: nullable(free('What it holds.')),
});

const interaction = object('Something the agent asked.', {
  requestId: text('The question.'),
  turnId: text('Its turn.'),
  kind: choice('What is asked for.', ['approval', 'question', 'plan']),
  status: choice('What came of it.', ['pending', 'answered', 'superseded']),
  toolName: name('The tool it is about.'),
  input: nullable(free('What was asked.')),
  output: nullable(free('What was answered.')),
  metadata: nullable(free('What else was said.')),
});

const goal = object('The goal of a session.', {
  desired: nullable(free('What the user wants.')),
  observed: nullable(free('What the provider says.')),
  revision: i64('Its revision.'),
  tombstoned: flag('Whether it was cleared.'),
  syncStatus: text('Whether both agree.'),
  pendingOperationId: optional(text('Empty: a state is settled.', { maxLength: 0 })),
  lastEvidence: nullable(free('What was seen last.')),
  lastError: name('What went wrong last.'),
});

const session = object('One session.', {
  id: filled('The session, unique in the state.'),
  kind: choice('The root, or a child below it.', ['root', 'child']),
  rootSessionId: name('Of a child: the root.'),
  rootTurnId: name('Of a child: the turn of the root.'),
  parentSessionId: name('Of a child: its parent.'),
  parentTurnId: name('Of a child: the turn of its parent.'),
  parentToolCallId: name('Of a child: the call that began it.'),
  origin: name('What began it.'),
  agentTargetId: filled('The agent.'),
  provider: filled('The provider.'),
  providerSessionId: filled('What the provider calls it.'),
  model: name('The model.'),
  settings: nullable(free('The composer of the session.')),
  providerResumeCheckpoint: freely('What the provider needs to go on.'),
  cwd: name('Its working directory, as a token.'),
  railSectionKind: name('Where the window lists it.'),
  railProjectPath: name('The project it is listed under, as a token.'),
  railSectionKey: name('The section it is listed under.'),
  title: name('Its title.'),
  activeTurnId: optional(text('Empty: a state is settled.', { maxLength: 0 })),
  pinned: flag('Whether the user pinned it.'),
  turns: nullable(list('Its turns, in order.', turn)),
  messages: nullable(list('Its messages, in order.', message)),
  interactions: nullable(list('What was asked, in order.', interaction)),
  goal: maybe(goal),
});

const activation = object('Tutti Mode was switched in a session.', {
  id: text('The activation.'), sessionId: text('The session.'), currentRevisionId: text('Its revision.'), currentRevision: i64('The number of that revision.'),
  state: text('Its state.'), source: text('Who switched.'), effect: i64('The effect.'), speed: i64('The speed.'),
});

const turnSnapshot = object('Tutti Mode as a turn found it.', {
  sessionId: text('The session.'), turnId: text('The turn.'), activationId: name('The activation.'), revisionId: name('Its revision.'), revision: i64('The number of that revision.'),
  state: text('Its state.'), source: name('Who switched.'), preferenceVersion: i64('The preferences.'), effect: i64('The effect.'), speed: i64('The speed.'), dispatchState: text('Whether it was sent.'),
});

const workflow = object('A workflow.', {
  id: text('The workflow.'), type: text('What it does.'), triggerKind: text('What began it.'), sourceSessionId: text('The session that began it.'), sourceTurnId: text('The turn that began it.'),
  sourceToolCallId: text('The call that began it.'), status: text('How far it got.'), currentRevisionId: text('Its revision.'), issueIds: list('Its issues.', text('An issue.')),
});

const task = object('A task of an issue.', {
  id: text('The task.'), title: text('Its title.'), content: name('Its text.'), status: text('How far it got.'), priority: text('How urgent it is.'), position: i64('Its place.'),
});

const issue = object('An issue.', {
  id: text('The issue.'), title: text('Its title.'), content: name('Its text.'), status: text('How far it got.'), tasks: nullable(list('Its tasks.', task)),
});

export const stateDocument = document('state', 'Semantic state', 'What a product holds before or after a recording, without anything of the machine it ran on.', {
  schemaVersion: version(1, 'the state'),
  agent: object('The sessions.', { rootSessionId: filled('The root.'), sessions: list('The root and every session below it.', session, { minItems: 1 }) }),
  tuttiMode: object('Tutti Mode.', { activations: list('Its activations.', activation), turnSnapshots: list('It, turn by turn.', turnSnapshot) }),
  workflows: list('The workflows.', workflow),
  issues: list('The issues.', issue),
});
