/** The port behind which one provider's protocol stands (design, rooms: `src/providers`). */

import type { Difference } from '../json/compare.ts';
import type { Json } from '../json/exact.ts';
import type { ProjectionRules, Root } from '../projection/rules.ts';

export type Direction = 'outbound' | 'inbound';

/** What a tape tells about a session, derived at load (stand-in e). `facts` serve inspectors and matchers. */
export type ObservationKind =
  | 'session.ready'
  | 'turn.working'
  | 'tool.started'
  | 'interaction.pending'
  | 'interaction.resolved'
  | 'interaction.superseded'
  | 'tool.completed'
  | 'response.committed'
  | 'turn.canceled'
  | 'turn.terminal';

export type Observation = { kind: ObservationKind; facts: Json };

export type Observer = { see: (direction: Direction, message: Json) => Observation[]; open: () => OpenEnd[] };

/** Something that a complete tape should have ended: a turn, a request, an interaction (stand-in b23). */
export type OpenEnd = { code: 'turn_open' | 'request_open' | 'interaction_open'; text: string };

export type MessageShape =
  | { type: 'request'; id: Json; method: string }
  | { type: 'notification'; method: string }
  | { type: 'response'; id: Json }
  | { type: 'other' };

/** Recorded ids and what stands for them live, on one connection. */
export type MatchState = {
  /** Recorded request id as JSON text → live id. */
  requestIds: Map<string, Json>;
  /** Recorded generated identity → live one. */
  identities: Map<string, string>;
};

export type MatchResult =
  | { matches: true; state: MatchState }
  | { matches: false; difference: Difference };

/** Files of a private home, and variables beside it, for recording against the scripted model. */
export type RecordHome = { files: { [name: string]: string }; env: { [name: string]: string } };

export type ProviderAdapter = {
  id: string;
  agentTargetId: string;
  /** Variables that name the provider's home, most telling first. */
  homeEnv: readonly string[];
  homeDir: string;
  /** Variables that hold keys: a replayed product gets none of them (design ruling 15). */
  keyEnv: readonly string[];
  rules: ProjectionRules;
  /** Whether these arguments start the provider's protocol on stdio; everything else is a plain program. */
  speaksProtocol: (argv: readonly string[]) => boolean;
  shapeOf: (message: Json) => MessageShape;
  /** `recorded` is projected already, `live` as sent; `roots` project it the same way. */
  match: (options: { recorded: Json; live: Json; roots: readonly Root[]; state: MatchState }) => MatchResult;
  /** A recorded inbound message as the live product must see it. */
  resolve: (options: { message: Json; roots: readonly Root[]; state: MatchState }) => Json;
  /** Whether a message holds something that `resolve` may change. Cheap: it sees bytes as text. */
  mayChange: (line: string) => boolean;
  createObserver: () => Observer;
  /** Ids that a recording minted, by path; equal places of two tapes are the same thing under two names (stand-in d). */
  generatedIds: (message: Json) => string[];
  /** The message without volatile and generated values, for comparing tapes and for rebinding (stand-in d). */
  mask: (message: Json) => Json;
  /** Text deltas: left out of comparisons, joined per item instead. */
  deltaOf: (message: Json) => { item: string; text: string } | null;
  refusal: (id: Json, text: string) => Json;
  recordHome: (options: { modelUrl: string }) => RecordHome;
  versionOf: (message: Json) => string | null;
  /** The recorded answer to the first request of a connection, where all tapes of one version share it. */
  initializeResult: (outbound: Json[], inbound: Json[]) => Json | null;
};
