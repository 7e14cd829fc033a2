/** Records what a person does in this window, and what the commands that follow from it came to (cassette-contract 3.5, 3.7). */

import { primaryCorrelation } from '../../core/activity/correlation-keys.ts';
import { CommandLedger, effectCorrelation, recordedPayload, type Cause } from '../../core/activity/command-ledger.ts';
import type { SealReply } from '../../core/control/surface.ts';
import type { JsonObject } from '../../core/json/exact.ts';
import type { HttpFailure, Request } from '../client/http.ts';
import type { CommandOutcome, EngineCommand } from '../engine/command.ts';
import type { EngineObserver } from '../engine/engine.ts';
import { isRecordedType, type Intent } from '../engine/intent.ts';
import type { EngineState } from '../engine/state.ts';
import { outcomePayload, refused, type Gate } from './gate.ts';
import { createOutbox } from './outbox.ts';

export type Recorder = {
  observer: EngineObserver;
  gate: Gate;
  /** The window reads no more: what a person did then was done on something old. */
  broken: (error: unknown) => void;
  /** Takes no further intent, and says what stands against sealing. */
  seal: () => Promise<SealReply>;
  /** Commands without a recorded result. */
  open: () => { type: string; commandId: string }[];
};

export type RecorderOptions = { recordingId: string; request: Request; now: () => number; getSnapshot: () => EngineState };

/** Makes a recorder; it hears every intent before the commands of that intent reach the gate. */
export function createRecorder({ recordingId, request, now, getSnapshot }: RecorderOptions): Recorder {
  const ledger = new CommandLedger();
  const outbox = createOutbox(request);
  const accepted = new Map<string, Promise<HttpFailure | null>>();
  const open = new Map<string, string>();
  let eventCount = 0;
  let isSealed = false;
  let brokenBy: string | null = null;
  const nextId = (): string => `${recordingId}:activity:${++eventCount}`;

  const record = (intent: Intent, { lanes }: EngineState): void => {
    if (isSealed || !isRecordedType(intent.type)) return;
    const members = intent as unknown as JsonObject;
    const cause: Cause = { eventId: nextId(), type: intent.type, correlationId: primaryCorrelation(intent.type, members) };
    ledger.addIntent(cause, members);
    const event = { ...eventOf({ ...cause, kind: 'intent', occurredAtUnixMs: now(), agentSessionId: members['agentSessionId'] as string }), payload: recordedPayload(members), seen: [...lanes] };
    accepted.set(cause.eventId, outbox.post(event));
  };

  const settle = async ({ command, cause, outcome }: { command: EngineCommand; cause: Cause; outcome: CommandOutcome }): Promise<void> => {
    const { type, commandId, agentSessionId, correlationId, payload } = command;
    ledger.settle(commandId);
    const event = eventOf({ eventId: nextId(), kind: 'effect', type, occurredAtUnixMs: now(), agentSessionId, correlationId: effectCorrelation(cause.correlationId, null, correlationId) });
    await outbox.post({ ...event, causedByEventId: cause.eventId, commandId, payload: { ...recordedPayload(payload), ...outcomePayload(outcome) } });
    open.delete(commandId);
  };

  return {
    observer: { intent: record },
    gate: async (command, send) => {
      const cause = ledger.begin(command);
      // Noted as a defect: it goes out all the same, because the person waits for it.
      if (!cause) return send({ id: command.commandId, cause: null });
      open.set(command.commandId, command.type);
      const refusal = await accepted.get(cause.eventId);
      const outcome = refusal ? refused(refusal) : await send({ id: command.commandId, cause: cause.eventId });
      void settle({ command, cause, outcome });
      return outcome;
    },
    seal: async () => {
      isSealed = true;
      const defects = [...ledger.defects(), ...queuedPrompts(getSnapshot())];
      await outbox.idle();
      const refused = outbox.refused.map(({ eventId, type }) => ({ kind: 'refused-event', commandId: eventId, type }));
      return { defects: [...defects, ...refused, ...(brokenBy === null ? [] : [{ kind: 'broken-window', commandId: '', type: brokenBy }])] };
    },
    broken: (error) => void (brokenBy ??= error instanceof Error ? error.message : String(error)),
    open: () => [...open].map(([commandId, type]) => ({ commandId, type })),
  };
}

/** A prompt that waits for its turn has its command still to come; one behind a failed one has none (desktop-order b5). */
function queuedPrompts({ sessions }: EngineState): { kind: string; commandId: string; type: string }[] {
  const queues = Object.values(sessions).filter(({ queue }) => !queue[0]?.failure);
  return queues.flatMap(({ queue }) => queue.map(({ commandId }) => ({ kind: 'queued-prompt', commandId, type: 'queue/sendPrompt' })));
}

type EventFacts = { eventId: string; kind: 'intent' | 'effect'; type: string; occurredAtUnixMs: number; agentSessionId: string; correlationId: string | null };

function eventOf({ correlationId, ...facts }: EventFacts): EventFacts & JsonObject {
  return { ...facts, ...(correlationId === null ? {} : { correlationId }) } as EventFacts & JsonObject;
}
