/** Messages as observations: only plans, compaction notices and attachments are any (cassette-contract 6.2). */

import type { Json } from '../json/exact.ts';
import { isBlank, listAt, textAt } from '../json/read.ts';
import { createObservation, type ObservationEvent } from './batch.ts';

export type MessageEvent = {
  eventId: string;
  eventIndex: bigint;
  agentSessionId: string;
  turnId: string;
  messageId: string;
  status: string;
  /** How far a streamed message is; its status where it has no own. */
  streamState: string;
  payload: Json;
};

/** The observation that a message is, or `null`; lineage may be added to it (6.2). */
export function observeMessage({ eventId, eventIndex, agentSessionId, turnId, messageId, status, streamState, payload }: MessageEvent): ObservationEvent | null {
  const attachmentCount = attachmentBlocks(payload).length;
  const type = typeOf(payload, attachmentCount);
  if (type === null) return null;
  const words = { messageKind: textAt(payload, 'messageKind') ?? '', noticeCommand: textAt(payload, 'noticeCommand') ?? '', noticeCommandStatus: textAt(payload, 'noticeCommandStatus') ?? '' };
  return createObservation({ eventIndex, type, agentSessionId, turnId, messageId: isBlank(messageId) ? eventId : messageId, status: isBlank(status) ? streamState : status, attachmentCount, ...words });
}

/** The content blocks that are attachments, with their index in the content; the n-th of them is attachment n (4.6). */
export function attachmentBlocks(payload: Json | undefined): { index: number; attachmentId: string }[] {
  return (listAt(payload, 'content') ?? []).flatMap((block, index) => {
    const attachmentId = textAt(block, 'attachmentId') ?? '';
    return isBlank(attachmentId) ? [] : [{ index, attachmentId }];
  });
}

function typeOf(payload: Json, attachmentCount: number): string | null {
  if (textAt(payload, 'noticeCommand') === 'compact') return 'compaction.updated';
  if (textAt(payload, 'messageKind') === 'plan') return 'plan.proposed';
  return attachmentCount > 0 ? 'attachment.materialized' : null;
}
