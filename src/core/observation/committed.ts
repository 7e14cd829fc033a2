/** What one transaction of the store did, as far as observations need it (cassette-contract 6.5). */

import type { Json } from '../json/exact.ts';
import type { ObservationEvent } from './batch.ts';

export type CommittedState = { phase: string; outcome: string };
export type CommittedSession = Pick<ObservationEvent, 'sessionKind' | 'rootAgentSessionId' | 'rootTurnId' | 'parentAgentSessionId' | 'parentTurnId' | 'parentToolCallId'> & { sessionId: string };
export type CommittedMessage = { sessionId: string; messageId: string; turnId: string; status: string; payload: Json };
/** `id` is the session, turn or message, for an interaction `interactionMutationId`. */
export type CommittedMutation = { kind: 'session' | 'turn' | 'message' | 'interaction'; sessionId: string; id: string };

/** Read after the commit and never changed; a product builds it from what its store returned. */
export type CommittedFacts = {
  transactionId: string;
  mutations: readonly CommittedMutation[];
  sessions: readonly CommittedSession[];
  turns: readonly (CommittedState & { sessionId: string; turnId: string })[];
  rootProviderTurns: readonly (CommittedState & { rootTurnId: string })[];
  /** What became of reports about root turns; one that changes nothing is not accepted, and shows the state that was there. */
  rootTurnResults: readonly { rootTurnId: string; isAccepted: boolean; state: CommittedState | null }[];
  interactions: readonly { sessionId: string; turnId: string; requestId: string; status: string }[];
  messages: readonly CommittedMessage[];
};

export function interactionMutationId({ turnId, requestId }: { turnId: string; requestId: string }): string {
  return `${turnId}\0${requestId}`;
}

/** A transaction that did nothing but what is given. */
export function createCommittedFacts(parts: Pick<CommittedFacts, 'transactionId'> & Partial<CommittedFacts>): CommittedFacts {
  return { mutations: [], sessions: [], turns: [], rootProviderTurns: [], rootTurnResults: [], interactions: [], messages: [], ...parts };
}
