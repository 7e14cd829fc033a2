/** The store as the Host sees it: every method is one synchronous transaction or one read, and nothing awaits inside (agent-host 4.2). */

import type { Json, JsonObject } from '../../core/json/exact.ts';
import { writeJson } from '../../core/json/exact.ts';
import type { CommittedDelta } from '../../core/agent/delta.ts';
import type { ActivityReport } from '../../core/agent/report.ts';
import type { InteractionView, MessageView, SessionGraphView, SessionRef, SessionView, TurnError, TurnOutcome } from '../../core/agent/views.ts';
import { captureGraph } from './capture.ts';
import type { Connection } from './connection.ts';
import { ingest, isEmptyReport } from './ingest.ts';
import { findInteraction, type InteractionKey } from './interactions.ts';
import { findPrompt } from './messages.ts';
import { completeCancel, prepareAnswer, prepareCancel, putOffOperation, type Answering, type Cancelling } from './operation-steps.ts';
import { completeOperation, failOperation, findOperation, leaseOperation, listOpenOperations, requeueOperations, type Operation, type OperationResult } from './operations.ts';
import { graphOf, isTreeSettled, listGraphs, pageTurns, resumeEvidence, viewOf, type ResumeEvidence, type TurnPage } from './queries.ts';
import { settleStale } from './recover.ts';
import { restoreGraph, type Owner, type Restored } from './restore.ts';
import { findSession, needSession, patchSession, type NewSession, type StoredSession } from './sessions.ts';
import { findClaim, insertClaim, type Claim, type ClaimKey } from './submissions.ts';
import { acceptSubmission, beginTurn, bindRuntime, initializeSession, rejectSubmission, rollBackCreate, withdrawTurn, type NewTurn } from './submit.ts';
import { createWrite, type TransactionPorts } from './transaction.ts';
import { findTurn, type StoredTurn, type TurnKey } from './turns.ts';

export type Store = {
  session: (ref: SessionRef) => StoredSession | null;
  view: (ref: SessionRef) => SessionView | null;
  graph: (ref: SessionRef) => SessionGraphView | null;
  graphs: (workspaceId: string, options?: { includeHidden?: boolean }) => SessionGraphView[];
  turn: (key: TurnKey) => StoredTurn | null;
  turns: (ref: SessionRef, page: { limit: number; before?: string }) => TurnPage | null;
  evidence: (ref: SessionRef) => ResumeEvidence;
  interaction: (key: InteractionKey) => InteractionView | null;
  prompt: (key: ClaimKey) => MessageView | null;
  claim: (key: ClaimKey) => Claim | null;
  operation: (operationId: string) => Operation | null;
  openOperations: (limit: number) => Operation[];
  isSettled: (root: SessionRef) => boolean;
  capture: (root: SessionRef) => Json;

  report: (report: ActivityReport) => CommittedDelta;
  prepareClaim: (key: ClaimKey & { turnId: string }) => void;
  initialize: (input: { session: NewSession; turn: NewTurn | null }) => boolean;
  beginTurn: (ref: SessionRef, turn: NewTurn) => void;
  bindRuntime: (ref: SessionRef, facts: Pick<NewSession, 'providerSessionId' | 'model' | 'resumeCheckpoint'>) => void;
  accept: (turn: TurnKey, clientSubmitId: string) => void;
  reject: (turn: TurnKey, end: { clientSubmitId: string; error: TurnError }) => void;
  withdraw: (turn: TurnKey, taken: Parameters<typeof withdrawTurn>[2]) => void;
  rollBackCreate: (input: Parameters<typeof rollBackCreate>[1]) => void;
  patch: (ref: SessionRef, patch: SessionChange) => StoredSession;
  prepareAnswer: (key: InteractionKey, input: { operationId: string; output: JsonObject }) => Answering;
  prepareCancel: (key: TurnKey, operationId: string) => Cancelling;
  lease: (input: { operationId: string; owner: string; leaseMs: number }) => Operation | null;
  release: (input: { operationId: string; delayMs: number; error: string }) => void;
  fail: (input: { operationId: string; error: string }) => void;
  complete: (input: { operationId: string; result: OperationResult }) => void;
  completeCancel: (key: TurnKey, input: { operationId: string; end: { outcome: TurnOutcome; error?: TurnError } }) => TurnOutcome;
  requeue: () => number;
  settleStale: () => number;
  restore: (owner: Owner, state: Json) => Restored;
  close: () => void;
};

export type SessionChange = { title?: string; settings?: JsonObject; isPinned?: boolean };

export function createStore(sql: Connection, ports: TransactionPorts): Store {
  const { write, tell } = createWrite(sql, ports);
  const does = <Args extends unknown[], Value>(change: (tx: Parameters<Parameters<typeof write>[0]>[0], ...args: Args) => Value) => (...args: Args): Value => write((tx) => change(tx, ...args)).value;
  const reads = <Args extends unknown[], Value>(read: (sql: Connection, ...args: Args) => Value) => (...args: Args): Value => read(sql, ...args);
  return {
    session: reads(findSession),
    view: reads(viewOf),
    graph: reads(graphOf),
    graphs: reads(listGraphs),
    turn: reads(findTurn),
    turns: reads(pageTurns),
    evidence: reads(resumeEvidence),
    interaction: reads(findInteraction),
    prompt: reads(findPrompt),
    claim: reads(findClaim),
    operation: reads(findOperation),
    openOperations: reads(listOpenOperations),
    isSettled: reads(isTreeSettled),
    capture: reads(captureGraph),
    report: (report) => (isEmptyReport(report) ? tell(report.unit) : write((tx) => ingest(tx, report), report.unit).delta),
    prepareClaim: does(insertClaim),
    initialize: does(initializeSession),
    beginTurn: does(beginTurn),
    bindRuntime: does(bindRuntime),
    accept: does(acceptSubmission),
    reject: does(rejectSubmission),
    withdraw: does(withdrawTurn),
    rollBackCreate: does(rollBackCreate),
    patch: does(changeSession),
    prepareAnswer: does(prepareAnswer),
    prepareCancel: does(prepareCancel),
    lease: does(leaseOperation),
    release: does(putOffOperation),
    fail: does(failOperation),
    complete: does(completeOperation),
    completeCancel: does(completeCancel),
    requeue: does(requeueOperations),
    settleStale: does(settleStale),
    restore: does(restoreGraph),
    close: () => sql.close(),
  };
}

function changeSession(tx: Parameters<typeof patchSession>[0], ref: SessionRef, { title, settings, isPinned }: SessionChange): StoredSession {
  patchSession(tx, ref, {
    // An explicit title, and an empty one too, is there for good (agent-host 1.9).
    ...(title !== undefined && { title, is_title_established: 1 }),
    ...(settings && { settings_json: writeJson(settings) }),
    ...(isPinned !== undefined && { pinned_at_unix_ms: isPinned ? tx.nowUnixMs : 0 }),
  });
  return needSession(tx.sql, ref);
}

