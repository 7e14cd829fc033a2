/** The end of a recording, in the order of the contract (cassette-contract 9.9): what is incomplete fails before anything is written. */

import type { JsonObject } from '../../core/json/exact.ts';
import type { AgentHost } from '../../core/agent/host.ts';
import { checkPlan, checkPublishedPlan } from '../../core/checkpoint/check-plan.ts';
import { planFile, planJson, writePlan, type CheckpointPlan } from '../../core/checkpoint/plan.ts';
import { createIssue, Findings, type Finding } from '../../core/issue.ts';
import { writeGoDocument } from '../../core/json/go-text.ts';
import { limits } from '../../core/limits.ts';
import type { Disk } from '../../core/ports.ts';
import { projectState, type CaptureFacts } from '../../core/state/capture.ts';
import { writeState } from '../../core/state/write.ts';
import { Refusal } from '../mode.ts';
import type { RecordingSession } from './recording-session.ts';

/** What a window says against sealing. */
export type SealDefect = { kind: string; commandId: string; type: string };

export type SealOptions = { session: RecordingSession; folder: string; disk: Disk; facts: CaptureFacts };

/** Settles, captures and writes; a failure ends the recording with its own code, and is thrown. */
export async function seal(options: SealOptions, defects: readonly SealDefect[]): Promise<void> {
  const { session } = options;
  session.change({ to: 'finalizing' });
  try {
    refuseDefects(session, defects);
    refuseFindings(session.parts.activity.findings());
    refuseOvertaken(session);
    await settleGraph(session);
    write(options);
    // The catalog's name of the cassette is given by who publishes it.
    session.change({ to: 'complete', cassetteId: session.parts.recording.id });
  } catch (error) {
    session.fail(error);
    throw error;
  }
}

// A command that nobody can explain, or that is still open, could not be replayed (cassette-contract 3.7).
function refuseDefects({ parts: { activity } }: RecordingSession, defects: readonly SealDefect[]): void {
  const [defect] = defects;
  if (defect) throw refuse(openKinds.has(defect.kind) ? 'recording_command_open' : 'recording_command_unexplained', `${textOf(defect)}${defects.length > 1 ? `, and ${defects.length - 1} more stand against it` : ''}`, 'a window with nothing open and nothing unexplained was needed');
  const open = activity.openCommands;
  if (open.length > 0) throw refuse('recording_command_open', `${open.map((id) => `command "${id}"`).join(', ')} began and gave no result`, 'a result of each was needed');
}

const openKinds = new Set(['unsettled-command', 'queued-prompt']);

function textOf({ kind, commandId, type }: SealDefect): string {
  switch (kind) {
    case 'unsettled-command':
      return `command "${commandId}" (${type}) has no result yet`;
    case 'queued-prompt':
      return `prompt "${commandId}" waits in the queue still`;
    case 'broken-window':
      return `the window could not take in what the daemon told it (${type})`;
    case 'refused-event':
      return `event "${commandId}" (${type}) was refused`;
    default:
      return `command "${commandId}" (${type}) is an ${kind}`;
  }
}

function refuseFindings([finding]: readonly Finding[]): void {
  if (finding) throw new Refusal(409, finding.code, createIssue(finding).message);
}

function refuseOvertaken({ parts: { activity } }: RecordingSession): void {
  const effect = activity.firstOvertaken();
  if (effect) throw refuse('recording_order_broken', `the command of effect "${effect.eventId}" (${effect.type}) began before everything was handled that had arrived with its intent`, 'an intent before its effect was needed on every lane');
}

/** Waits while anything goes on; the message names what is open (design ruling 5). */
async function settleGraph(session: RecordingSession): Promise<void> {
  const { lanes, progress } = session.parts;
  const isOver = () => session.recordingStatus !== 'finalizing' || (session.isSettled() && lanes.areHandled);
  const hasEnded = await progress.until(isOver, limits.stallMs);
  if (session.recordingStatus !== 'finalizing') throw refuse('recording_failed', session.status.error?.message ?? 'it was given up', 'a whole recording was needed');
  if (!hasEnded) throw refuse('session_graph_settle_failed', `${openThings(session).join(', ')}, and nothing happened for ${limits.stallMs} ms`, 'a session without anything open was needed');
}

function openThings({ host, rootSessionId, parts: { workspaceId, lanes } }: RecordingSession): string[] {
  const graph = host?.graph({ workspaceId, agentSessionId: rootSessionId ?? '' });
  const turns = graph?.turns.filter(({ phase }) => phase !== 'settled').map(({ turnId, phase }) => `turn "${turnId}" is ${phase}`) ?? [];
  const asked = graph?.interactions.filter(({ status }) => status === 'pending').map(({ requestId }) => `request "${requestId}" is pending`) ?? [];
  const named = [...turns, ...asked, ...lanes.backlog()];
  return named.length > 0 ? named : ['an operation of the session is open'];
}

function write({ session, folder, disk, facts }: SealOptions): void {
  const { parts, host, rootSessionId } = session;
  if (!host || rootSessionId === null) throw refuse('recording_not_ready', 'it has no root session', 'one was needed');
  const { connections } = parts.tape.complete(rootSessionId);
  session.disarm();
  const state = captureState({ host, workspaceId: parts.workspaceId, rootSessionId, facts });
  const plan = parts.checkpoints.end(connections.map(({ connectionId }) => connectionId));
  refuseFindings(planFindings(plan, session, connections.map(({ connectionId }) => connectionId)));
  parts.activity.close();
  parts.checkpoints.close();
  disk.writeWhole(`${folder}/${planFile}`, writePlan(plan));
  disk.writeWhole(`${folder}/expected-state.json`, state);
  disk.makeFolder(`${folder}/blobs`);
  disk.writeWhole(`${folder}/blobs/manifest.json`, writeGoDocument(noBlobs));
}

function captureState({ host, workspaceId, rootSessionId, facts }: { host: AgentHost; workspaceId: string; rootSessionId: string; facts: CaptureFacts }): string {
  return writeState(projectState(host.capture({ workspaceId, agentSessionId: rootSessionId }), facts));
}

function planFindings(plan: CheckpointPlan, { parts: { activity } }: RecordingSession, connectionIds: readonly string[]): Finding[] {
  const findings = new Findings();
  const events = activity.events.map(({ sequence, kind, eventId, causedByEventId }) => ({ sequence: BigInt(sequence), kind, eventId, causedByEventId }));
  const facts = checkPlan(planJson(plan), { connectionIds, events }, findings.report);
  if (facts) checkPublishedPlan(facts, findings.report);
  return findings.all;
}

function refuse(code: string, is: string, needed: string): Refusal {
  return new Refusal(409, code, `Cannot seal the recording: ${is}, ${needed}`);
}

const noBlobs: JsonObject = { schemaVersion: 1, blobs: [] };
