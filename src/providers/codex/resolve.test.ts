import { expect, test } from 'vitest';
import { parseJson, writeJson, type Json } from '../../core/json/exact.ts';
import { mayChangeCodex, resolveCodex } from './resolve.ts';

const roots = [
  { path: '/live/app', token: '${SESSION_CWD:wrap:1}' },
  { path: '/live/home', token: '${REPLAY_HOME}' },
];
const state = { requestIds: new Map<string, Json>([['2', 9], ['3', 'py-3']]), identities: new Map([['rec-1', 'live-1']]) };

const check = (recorded: string, delivered: string) => {
  const message = parseJson(recorded) as Json;
  const resolved = resolveCodex({ message, roots, state });
  expect(writeJson(resolved)).toBe(delivered);
  // A line that is passed as it is must be one that nothing changes.
  if (recorded !== delivered) expect(mayChangeCodex(recorded)).toBe(true);
};

test.each([
  ['{"id":2,"result":{}}', '{"id":9,"result":{}}'],
  ['{"id":3,"error":{"code":1}}', '{"id":"py-3","error":{"code":1}}'],
  ['{"id":"2","result":{}}', '{"id":"2","result":{}}'],
  ['{"id":2,"method":"item/commandExecution/requestApproval","params":{}}', '{"id":2,"method":"item/commandExecution/requestApproval","params":{}}'],
  ['{"id":2,"result":{"hooks":[{"method":"x"}]}}', '{"id":9,"result":{"hooks":[{"method":"x"}]}}'],
  ['{"method":"thread/started","params":{"thread":{"cwd":"${SESSION_CWD:wrap:1}/a","path":"${REPLAY_HOME}/s.jsonl"}}}', '{"method":"thread/started","params":{"thread":{"cwd":"/live/app/a","path":"/live/home/s.jsonl"}}}'],
  ['{"method":"m","params":{"text":"${REPLAY_HOME}"}}', '{"method":"m","params":{"text":"${REPLAY_HOME}"}}'],
  ['{"method":"item/started","params":{"item":{"clientId":"rec-1"}}}', '{"method":"item/started","params":{"item":{"clientId":"live-1"}}}'],
  ['{"method":"m","params":{"clientUserMessageId":"rec-1","other":"rec-1"}}', '{"method":"m","params":{"clientUserMessageId":"live-1","other":"rec-1"}}'],
  ['{"method":"m","params":{"clientUserMessageId":"rec-2","__proto__":{"a":1}}}', '{"method":"m","params":{"clientUserMessageId":"rec-2","__proto__":{"a":1}}}'],
])('resolveCodex() of %s', check);

test('mayChangeCodex() lets plain notifications pass unread', () => {
  expect(mayChangeCodex('{"method":"item/agentMessage/delta","params":{"itemId":"i","delta":"Hello"}}')).toBe(false);
});
