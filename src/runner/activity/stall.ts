/**
 * What a replay that stands still is to be called. The text comes from where the lanes stand, never from who waited: several
 * waits end at once, and only one of them knows the cause (design ruling 7, desktop-order b2, c1).
 */

import { reaches, type LanePlaceView } from '../../core/control/lanes.ts';
import type { CheckpointReply, ReplayStatus } from '../../core/control/daemon.ts';
import type { BridgeSnapshot } from '../../core/control/surface.ts';
import type { DivergenceFacts } from '../../core/verdict/divergence.ts';
import type { PlannedCheckpoint, RecordedEvent } from './script.ts';

export type Standstill = {
  status: ReplayStatus;
  window: BridgeSnapshot | null;
  /** It was asked and gave no answer. */
  isWindowSilent?: boolean;
  events: readonly RecordedEvent[];
  /** The intent that is to be dispatched now. */
  dispatching: RecordedEvent | null;
  /** Effects whose result has not come. */
  verifying: readonly RecordedEvent[];
  landing: { checkpoint: PlannedCheckpoint; reply: CheckpointReply | null; hidden: { kind: string; id: string; status: string; shown: string | null } | null; lag?: WindowLag | null } | null;
};

/** Revisions of the daemon's state: the one that was verified, and the last one that the window has taken in. */
export type WindowLag = { needed: number; actual: number };

/** The divergence of a standstill; null where nothing recorded was awaited. */
export function judgeStandstill(still: Standstill): DivergenceFacts | null {
  const judges = [missingCommand, unreadyIntent, missingOutbound, openCommand, unreachedCheckpoint, unreadInbound, unreachedCursor, openTurn];
  for (const judge of judges) {
    const facts = judge(still);
    if (facts) return facts;
  }
  return null;
}

function missingCommand({ status, events, verifying, landing }: Standstill): DivergenceFacts | null {
  // Without lanes nothing tells when a queued command leaves: one beyond what is played now is not yet due.
  const isDue = (event: RecordedEvent) => (event.started === null ? verifying.includes(event) : reaches(status.lanes, event.started) && !isHeldBack(event, landing?.checkpoint));
  const awaited = events.find((event) => event.kind === 'effect' && isAccepted(event, events, status) && !status.begun.includes(event.sequence) && isDue(event));
  if (!awaited) return null;
  const cause = events.find(({ eventId }) => eventId === awaited.causedByEventId);
  return {
    layer: 'effect',
    code: 'command_missing',
    message: `Cannot continue replay: the window made no command "${awaited.type}" for "${cause?.type ?? 'an intent'}" (event ${awaited.sequence}), the recorded one was needed`,
    position: { activitySequence: awaited.sequence, eventId: awaited.eventId },
    path: '$.type',
    recorded: awaited.type,
    live: null,
  };
}

// What was begun at a checkpoint's own place came after it: the daemon lets it wait until the checkpoint is left.
function isHeldBack({ sequence, started }: RecordedEvent, checkpoint: PlannedCheckpoint | undefined): boolean {
  return checkpoint !== undefined && sequence > checkpoint.activitySequence && reaches(started ?? [], checkpoint.lanes);
}

function unreadyIntent({ status, window, isWindowSilent, dispatching }: Standstill): DivergenceFacts | null {
  // One that was accepted is done, and only its reply is on the way.
  if (!dispatching || status.accepted.includes(dispatching.sequence) || !reaches(status.lanes, dispatching.seen ?? [])) return null;
  const position = { activitySequence: dispatching.sequence, eventId: dispatching.eventId };
  if (window && !reaches(window.lanes, dispatching.seen ?? []))
    return { layer: 'state', code: 'not_shown', message: `Cannot dispatch "${dispatching.type}" (event ${dispatching.sequence}): the window has not taken in what the daemon told it, everything up to the place of the event was needed`, position };
  // The window may be right to wait: what it waits for is behind a message that the product owes.
  if (status.missing?.layer === 'protocol' && dispatching.seen === null) return null;
  return { layer: 'state', code: 'intent_not_ready', message: `Cannot dispatch "${dispatching.type}" (event ${dispatching.sequence}): the window ${isWindowSilent ? 'gives no answer' : `waits for ${window?.awaited?.what ?? 'its state'}`}, the state of the recording was needed`, position, live: window?.awaited?.what ?? null };
}

function missingOutbound({ status: { missing } }: Standstill): DivergenceFacts | null {
  return missing?.layer === 'protocol' ? missing : null;
}

function openCommand({ status, verifying }: Standstill): DivergenceFacts | null {
  const open = verifying.find(({ sequence }) => status.begun.includes(sequence));
  if (!open) return null;
  return {
    layer: 'effect',
    code: 'command_result',
    message: `Cannot continue replay: command "${open.type}" (event ${open.sequence}) has begun and got no result, the recorded one was needed`,
    position: { activitySequence: open.sequence, eventId: open.eventId },
    path: '$.payload.outcome',
    recorded: 'a result',
    live: null,
  };
}

function unreachedCheckpoint({ landing, isWindowSilent }: Standstill): DivergenceFacts | null {
  if (!landing || landing.reply === null) return null;
  const { checkpoint, reply, hidden, lag } = landing;
  const place = { checkpoint: { id: checkpoint.id, name: checkpoint.name }, position: checkpoint.position };
  if (lag) return { ...place, layer: 'state', code: 'not_shown', message: `Cannot reach checkpoint "${checkpoint.name}": the window has taken in revision ${lag.actual} of the state, ${lag.needed} was needed`, path: '$.revision', recorded: String(lag.needed), live: String(lag.actual) };
  if (hidden) return { ...place, layer: 'state', code: 'not_shown', message: `Cannot reach checkpoint "${checkpoint.name}": the window ${hidden.shown === null ? `does not show the ${hidden.kind}` : `shows ${hidden.kind} as "${hidden.shown}"`}, "${hidden.status}" was needed`, path: `$.${hidden.kind}.status`, recorded: hidden.status, live: hidden.shown };
  if (reply.state === 'reached' && isWindowSilent) return { ...place, layer: 'state', code: 'not_shown', message: `Cannot reach checkpoint "${checkpoint.name}": the window gives no answer, one that shows it was needed` };
  if (reply.state === 'not_ready') {
    const { predicate, needed, actual } = reply.awaited;
    return { ...place, layer: 'state', code: 'checkpoint_not_ready', message: `Cannot reach checkpoint "${checkpoint.name}": ${predicate} is ${actual === null ? 'not there' : `"${actual}"`}, "${needed}" was recorded`, path: `$.${predicate}`, recorded: needed, live: actual };
  }
  if (reply.state === 'not_yet') return { ...place, layer: 'state', code: 'checkpoint_not_reached', message: `Cannot reach checkpoint "${checkpoint.name}": what triggers it was not seen, its recorded trigger was needed` };
  return null;
}

function unreadInbound({ status: { missing } }: Standstill): DivergenceFacts | null {
  return missing;
}

// The lanes stand, and nobody is late: they are at their end, or the events that hold them come behind the checkpoint.
function unreachedCursor({ status, landing }: Standstill): DivergenceFacts | null {
  const place = landing?.checkpoint.lanes.find((lane) => !reaches(status.lanes, [lane]));
  if (!landing || !place) return null;
  const { id, name } = landing.checkpoint;
  const at = status.lanes.find(({ connectionId }) => connectionId === place.connectionId);
  const [recorded, live] = [placeText(place), at ? placeText(at) : 'its begin'];
  return {
    layer: 'state',
    code: 'checkpoint_not_reached',
    message: `Cannot reach checkpoint "${name}": ${place.connectionId} stands at ${live}, ${recorded} was needed`,
    checkpoint: { id, name },
    lane: place.connectionId,
    position: place,
    path: '$.cursor.providerConnections',
    recorded,
    live,
  };
}

function openTurn({ status }: Standstill): DivergenceFacts | null {
  if (!status.hasActiveTurn || !status.isDrained) return null;
  return { layer: 'state', code: 'session_unsettled', message: 'Cannot finish replay: the lanes are at their end and a turn has not settled, a settled session was needed' };
}

function placeText({ chunkSeq, unitIndex }: LanePlaceView): string {
  return `${chunkSeq}.${unitIndex}`;
}

function isAccepted(effect: RecordedEvent, events: readonly RecordedEvent[], status: ReplayStatus): boolean {
  const cause = events.find(({ eventId }) => eventId === effect.causedByEventId);
  return cause !== undefined && status.accepted.includes(cause.sequence);
}
