import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, type JsonObject } from '../json/exact.ts';
import { writeActivityLine } from './write-line.ts';

const check = (event: string, line: string) => expect(writeActivityLine(parseJson(event) as JsonObject)).toBe(`${line}\n`);

test.each<[string, string, string]>([
  [
    'orders members and keeps unknown ones behind them',
    '{"lanes":{"seen":[]},"occurredAtUnixMs":5,"payload":{"b":1,"a":2},"agentSessionId":"s","causedByEventId":"c","correlationId":"k","eventId":"e","type":"t","kind":"effect","sequence":1,"schemaVersion":7,"x":null}',
    '{"schemaVersion":7,"sequence":1,"kind":"effect","type":"t","eventId":"e","correlationId":"k","causedByEventId":"c","agentSessionId":"s","payload":{"b":1,"a":2},"occurredAtUnixMs":5,"lanes":{"seen":[]},"x":null}',
  ],
  ['leaves out what is empty', '{"sequence":1,"type":"","correlationId":"","causedByEventId":null,"agentSessionId":"","payload":null}', '{"sequence":1,"type":""}'],
  ['keeps an empty payload', '{"sequence":1,"payload":{}}', '{"sequence":1,"payload":{}}'],
  ['escapes as the reference does', '{"type":"<a&b>\u2028","payload":{"n":1.0}}', '{"type":"\\u003ca\\u0026b\\u003e\\u2028","payload":{"n":1.0}}'],
  ['keeps a number as an unknown name behind', '{"10":1,"kind":"intent"}', '{"kind":"intent","10":1}'],
  ['keeps __proto__ an ordinary name', '{"__proto__":{"kind":"x"},"kind":"intent"}', '{"kind":"intent","__proto__":{"kind":"x"}}'],
])('writeActivityLine() %s', (_title, event, line) => check(event, line));

test('what writeActivityLine() writes reads back as the same event', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  const event = fc.record({ schemaVersion: fc.constant(7), sequence: fc.nat(), kind: text, type: text, eventId: text, correlationId: text, payload: fc.dictionary(text, fc.jsonValue()), occurredAtUnixMs: fc.nat(), extra: fc.jsonValue() });
  fc.assert(fc.property(event, (value) => {
    const parsed = parseJson(JSON.stringify(value)) as JsonObject;
    expect(parseJson(writeActivityLine(parsed))).toEqual(parsed);
  }));
});
