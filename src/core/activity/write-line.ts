/** The stored line of an activity event (cassette-contract 0.3, 3.1). */

import type { Json, JsonObject } from '../json/exact.ts';
import { writeGoJson } from '../json/go-text.ts';
import { present } from '../json/read.ts';

/** Writes one line, newline included: members in the contract's order, unknown ones as they were behind them, empty ones left out. */
export function writeActivityLine(event: JsonObject): string {
  const known = memberOrder.filter((key) => present(event, key) !== undefined && !(event[key] === '' && mayBeLeftOut.has(key)));
  const unknown = Object.keys(event).filter((key) => !memberOrder.includes(key));
  // From entries, because an object would move an unknown name like `10` to the front.
  return `{${[...known, ...unknown].map((key) => `${writeGoJson(key)}:${writeGoJson(event[key] as Json)}`).join(',')}}\n`;
}

const memberOrder = ['schemaVersion', 'sequence', 'kind', 'type', 'eventId', 'correlationId', 'causedByEventId', 'agentSessionId', 'payload', 'occurredAtUnixMs'];
const mayBeLeftOut = new Set(['correlationId', 'causedByEventId', 'agentSessionId']);
