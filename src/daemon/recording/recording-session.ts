/**
 * One recording from the first event of a window to the sealed candidate: its status, and what may happen in which (cassette-contract
 * 9.3 to 9.9, desktop-order b1 and b2). What cannot be kept fails the recording and never the session that is recorded.
 */

import { isEffectAllowed } from '../../core/activity/contract.ts';
import { isInternalCommand } from '../../core/activity/match-command.ts';
import type { ActivityEvent } from '../../core/activity/event.ts';
import type { CommittedDelta } from '../../core/agent/delta.ts';
import type { AgentHost } from '../../core/agent/host.ts';
import type { RecordStatus } from '../../core/control/daemon.ts';
import { reaches } from '../../core/control/lanes.ts';
import { isFault } from '../../core/fault.ts';
import { textAt } from '../../core/json/read.ts';
import { limits } from '../../core/limits.ts';
import type { EntityRegistry } from '../../core/observation/registry.ts';
import type { InputUnit } from '../../core/ports.ts';
import { isActive, type Recording, type RecordingStatus } from '../../core/recording/recording.ts';
import { transitionRecording, type RecordingChange } from '../../core/recording/transition.ts';
import { Refusal, type CommandStamp } from '../mode.ts';
import type { ActivityLane } from './activity-lane.ts';
import type { CheckpointRecorder } from './checkpoint-recorder.ts';
import type { LaneBook } from './lane-book.ts';
import type { SubmittedEvent } from './parse-events.ts';
import type { Progress } from '../progress.ts';
import type { TapeRecorder } from './tape-recorder.ts';

export type RecordingParts = {
  recording: Recording;
  workspaceId: string;
  tapeFolder: string;
  tape: TapeRecorder;
  lanes: LaneBook;
  activity: ActivityLane;
  checkpoints: CheckpointRecorder;
  registry: EntityRegistry;
  progress: Progress;
  nowUnixMs: () => number;
};

export class RecordingSession {
  readonly parts: RecordingParts;
  #recording: Recording;
  #host: AgentHost | null = null;
  /** The activation whose command created the root session. */
  #armedBy: string | null = null;
  #isArmed = false;

  constructor(parts: RecordingParts) {
    this.parts = parts;
    this.#recording = parts.recording;
  }

  get host(): AgentHost | null {
    return this.#host;
  }

  get recordingStatus(): RecordingStatus {
    return this.#recording.status;
  }

  get rootSessionId(): string | null {
    return this.#recording.rootAgentSessionId;
  }

  get status(): RecordStatus {
    const { lanes, progress, activity } = this.parts;
    const { status, errorCode, errorMessage, rootAgentSessionId, agentTargetId, createdAtUnixMs, replayPrerequisites } = this.#recording;
    return {
      revision: progress.revision,
      status,
      error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
      rootAgentSessionId,
      agentTargetId,
      composerDefaults: replayPrerequisites.composerDefaults,
      createdAtUnixMs,
      acceptedCount: activity.count,
      lanes: lanes.handled,
      hasActiveTurn: !this.isSettled(),
    };
  }

  /** Whether nothing of the root session or its children is active; true before there is one. */
  isSettled(): boolean {
    const { rootSessionId } = this;
    const root = rootSessionId === null ? null : { workspaceId: this.parts.workspaceId, agentSessionId: rootSessionId };
    return !root || !this.#host?.session(root) || this.#host.isSettled(root);
  }

  attach(host: AgentHost): void {
    this.#host = host;
    this.change({ to: 'ready' });
  }

  committed(delta: CommittedDelta): void {
    this.#guard(() => this.parts.checkpoints.commit(delta));
  }

  received(unit: InputUnit): void {
    this.#guard(() => this.parts.lanes.receive(unit));
  }

  answered(connectionId: string): void {
    this.parts.lanes.answer(connectionId);
  }

  handled(unit: InputUnit): void {
    this.#guard(() => this.parts.checkpoints.handle(unit));
  }

  /** Accepts events one after another; gives the sequence of the last one (cassette-contract 9.8). */
  append(events: readonly SubmittedEvent[]): number {
    for (const event of events) if (!this.parts.activity.isRepeated(event)) this.#accept(event);
    return this.parts.activity.count;
  }

  /** Lets a command begin whose intent was accepted, when everything is handled that had arrived by then (b1, b2). */
  async begin({ id, cause }: CommandStamp): Promise<void> {
    const { activity, checkpoints, lanes, progress } = this.parts;
    if (id !== null && isInternalCommand({ type: 'session/updateSettings', commandId: id })) return;
    const intent = activity.intent(cause);
    if (id === null || !intent) throw new Refusal(409, 'command_not_accepted', `Cannot begin command ${id === null ? 'without an id' : `"${id}"`}: its intent ${cause === null ? 'is not named' : `"${cause}" was not accepted`}, an accepted one was needed`);
    this.#refuseUnlessOpen(`begin command "${id}"`);
    if (activity.hasBegun(id)) return;
    checkpoints.beginEffect(intent.event.eventId);
    if (!this.#isArmed) this.#arm(intent.event);
    // Else the effect could have begun before its own intent on the lane, and a replay could not tell cause from consequence.
    await progress.until(() => reaches(lanes.handled, intent.accepted), limits.stallMs);
    this.#refuseUnlessOpen(`begin command "${id}"`);
    activity.begin(id, intent.event.eventId, lanes.handled);
    progress.bump();
  }

  /** Goes to the next status; a way that is not there is a bug of ours. */
  change(change: Omit<RecordingChange, 'atUnixMs'>): void {
    const result = transitionRecording(this.#recording, { ...change, atUnixMs: this.parts.nowUnixMs() });
    if (!result.ok) throw new Error(result.refusal.message);
    this.#recording = result.value;
    this.parts.progress.bump();
  }

  /** Gives the recording up: what is on the disk stays an incomplete candidate. The first reason stands. */
  fail(error: unknown): void {
    if (!isActive(this.#recording.status)) return;
    const code = isFault(error) || error instanceof Refusal ? error.code : 'recording_failed';
    this.#end({ to: 'failed', errorCode: code, errorMessage: error instanceof Error ? error.message : String(error) });
  }

  /** Nothing worth keeping has happened. */
  cancel(): void {
    if (isActive(this.#recording.status)) this.#end({ to: 'canceled' });
  }

  #end(change: Omit<RecordingChange, 'atUnixMs'>): void {
    const { tape, activity, checkpoints } = this.parts;
    const root = this.rootSessionId;
    const wasArmed = this.#isArmed;
    this.#isArmed = false;
    this.change(change);
    // The recorder may have given up by itself, and a full disk may refuse even this: the status says what counts.
    for (const release of [() => (wasArmed && root !== null ? tape.cancel(root) : undefined), () => activity.close(), () => checkpoints.close()]) {
      try {
        release();
      } catch {
        continue;
      }
    }
  }

  /** The tape is complete: live processes go on unrecorded. */
  disarm(): void {
    this.#isArmed = false;
  }

  #accept(submitted: SubmittedEvent): void {
    const { activity, checkpoints, lanes, progress } = this.parts;
    this.#refuseUnlessOpen(`accept activity event "${submitted.eventId}"`);
    this.#refuseStranger(submitted);
    try {
      const event = activity.take(submitted, lanes.received);
      checkpoints.accept(event);
      this.#cancelUncreated(event);
    } catch (error) {
      if (!(error instanceof Refusal)) this.fail(error);
      throw error;
    }
    progress.bump();
  }

  // The session that is recorded never came to be.
  #cancelUncreated({ kind, type, causedByEventId, payload }: ActivityEvent): void {
    if (kind === 'effect' && type === 'session/activate' && causedByEventId === this.#armedBy && textAt(payload, 'outcome') !== 'succeeded') this.cancel();
  }

  #refuseStranger({ eventId, agentSessionId }: SubmittedEvent): void {
    const root = this.rootSessionId;
    if (agentSessionId === null || root === null || agentSessionId === root || this.parts.registry.lookup({ kind: 'session', sessionId: agentSessionId })) return;
    throw new Refusal(409, 'session_not_recorded', `Cannot accept activity event "${eventId}": it is of session "${agentSessionId}", one of "${root}" was needed`);
  }

  #refuseUnlessOpen(what: string): void {
    const { status } = this.#recording;
    if (status === 'ready' || status === 'recording') return;
    const isSealed = status === 'finalizing' || status === 'complete';
    throw new Refusal(409, isSealed ? 'recording_sealed' : 'recording_not_ready', `Cannot ${what}: the recording is ${status}, one that is ready or recording was needed`);
  }

  // Before the Host hears of it: the first provider process must be captured from its first byte (cassette-contract 9.7).
  #arm(intent: ActivityEvent): void {
    const root = intent.agentSessionId;
    if (root === null || !isEffectAllowed(intent.type, 'session/activate')) return;
    const { tape, registry, recording, tapeFolder } = this.parts;
    try {
      registry.bindRoot(root);
      tape.arm({ rootSessionId: root, recordingId: recording.id, folder: tapeFolder });
      this.#isArmed = true;
      this.#armedBy = intent.eventId;
      this.change({ to: 'recording', rootAgentSessionId: root });
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  // Called from readers and observers, which must not fail by what the recording cannot keep.
  #guard(record: () => void): void {
    if (this.#recording.status !== 'recording' && this.#recording.status !== 'finalizing') return this.parts.progress.bump();
    try {
      record();
    } catch (error) {
      this.fail(error);
    }
    this.parts.progress.bump();
  }
}
