/** Times inside an intent are moved to the time of its dispatch (cassette-contract 3.5). */

import { isRawNumber, member, type JsonObject } from '../json/exact.ts';
import { intentRule } from './contract.ts';
import type { ActivityEvent } from './event.ts';

/** The payload as of `nowUnixMs`; the same payload where the contract moves nothing. */
export function rebaseTimestamps(intent: Pick<ActivityEvent, 'type' | 'payload' | 'occurredAtUnixMs'>, nowUnixMs: number): JsonObject {
  const { payload, occurredAtUnixMs } = intent;
  switch (intentRule(intent.type)?.timestamps ?? 'none') {
    case 'none':
      return payload;
    case 'requestExpiryWindow': {
      const [requested, expires] = [timeAt(payload, 'requestedAtUnixMs'), timeAt(payload, 'expiresAtUnixMs')];
      if (requested === null || expires === null) return payload;
      return { ...payload, requestedAtUnixMs: nowUnixMs, expiresAtUnixMs: nowUnixMs + Math.max(0, expires - requested) };
    }
    case 'awaitingTurnExpiresAt': {
      const expires = timeAt(payload, 'awaitingTurnExpiresAtUnixMs');
      // At least one millisecond, or the wait would be over before it began.
      return expires === null ? payload : { ...payload, awaitingTurnExpiresAtUnixMs: nowUnixMs + Math.max(1, expires - occurredAtUnixMs) };
    }
  }
}

function timeAt(payload: JsonObject, key: string): number | null {
  const value = member(payload, key);
  const number = isRawNumber(value) ? Number(value.rawJSON) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
