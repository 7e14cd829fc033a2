import { expect, test } from 'vitest';
import type { ContentBlock, ExecDisposition, InteractiveDisposition } from '../../core/agent/runtime.ts';
import { normalizeContent } from './content.ts';
import { answerActionOf, resendActionOf, submitActionOf } from './dispositions.ts';
import { retryDelayMs } from './engine.ts';
import { operationId, uuidOf } from './ids.ts';
import { readRail } from './rail.ts';
import { isEstablished, resumePolicy } from './resume-policy.ts';
import { deriveTitle } from './title.ts';

test.each<[ExecDisposition, string]>([['applied', 'accept'], ['applied_without_provider_turn', 'accept'], ['rejected', 'reject'], ['not_dispatched', 'withdraw'], ['outcome_unknown', 'keep']])('a prompt that was %s: %s', (disposition, action) =>
  expect(submitActionOf(disposition)).toBe(action));

test.each<[InteractiveDisposition, string, string]>([
  ['answered', 'answered', 'answered'], ['superseded', 'superseded', 'superseded'], ['interrupted', 'superseded', 'superseded'],
  ['pending', 'retry', 'send'], ['resolving', 'retry', 'retry'], ['unknown', 'fail', 'fail'],
])('an answer that is %s: %s, and before it is sent again: %s', (disposition, action, again) => expect([answerActionOf(disposition), resendActionOf(disposition)]).toEqual([action, again]));

test.each([
  [{ kind: 'root', isImported: false, isImportResumable: true }, 'existing'],
  [{ kind: 'root', isImported: true, isImportResumable: true }, 'recreate'],
  [{ kind: 'root', isImported: true, isImportResumable: false }, 'reject'],
  [{ kind: 'child', isImported: false, isImportResumable: true }, 'reject'],
] as const)('resumePolicy() of %j is %s', (session, policy) => expect(resumePolicy(session)).toBe(policy));

test.each([
  // turns, settled, bound, live, active → established
  [false, false, false, true, false, true],
  [false, false, false, false, false, false],
  [true, true, false, true, false, false],
  [true, true, false, false, false, false],
  [true, true, true, false, false, true],
  [true, false, false, false, true, true],
  [true, true, false, true, true, true],
])('isEstablished() with turns %s, settled %s, bound %s, live %s, active %s: %s', (hasTurns, hasSettledTurn, hasProviderTurn, isLive, isActive, expected) =>
  expect(isEstablished({ hasTurns, hasSettledTurn, hasProviderTurn }, { isLive, isActive })).toBe(expected));

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
test('normalizeContent() trims texts and drops empty ones', () => expect(normalizeContent([text(' a '), text('\n'), text('b')])).toEqual([text('a'), text('b')]));

const title = (value: string, displayPrompt = '') => deriveTitle({ content: [text(value)], displayPrompt, clientSubmitId: '' });
test.each([
  ['Fix it', 'Fix it'],
  ['Read [the plan](https://x/y) and ![a picture](z)', 'Read the plan and a picture'],
  ['one\n\n two\tthree', 'one two three'],
  ['x'.repeat(120), 'x'.repeat(120)],
  ['😀'.repeat(121), `${'😀'.repeat(117)}...`],
])('deriveTitle() of %j', (prompt, expected) => expect(title(prompt)).toBe(expected));

test('deriveTitle() prefers what a person saw', () => expect(title('long text', 'Short')).toBe('Short'));

test('uuidOf() is version 5 of RFC 9562, in the namespace of URLs', () => expect(uuidOf('http://www.example.com/')).toBe('fcde3c85-2270-590f-9e7c-ee003d65e0e2'));

test('operationId() tells sessions, kinds and subjects apart', () => {
  const ref = { workspaceId: 'w', agentSessionId: 's' };
  const ids = [operationId(ref, 'cancel_turn', ['t']), operationId(ref, 'interactive_response', ['t', 'r']), operationId(ref, 'interactive_response', ['t', 'q']), operationId({ ...ref, agentSessionId: 'x' }, 'cancel_turn', ['t'])];
  expect([new Set(ids).size, ids[0]]).toEqual([4, operationId(ref, 'cancel_turn', ['t'])]);
});

test.each([[1, 1_000], [2, 2_000], [5, 16_000], [9, 256_000], [40, 256_000]])('retryDelayMs() after attempt %i is %i', (attempt, delay) => expect(retryDelayMs(attempt)).toBe(delay));

test('readRail() resolves the path of a project', () => {
  expect(readRail({ version: 1, kind: 'project', projectPath: '/link' }, () => '/work')).toEqual({ kind: 'project', projectPath: '/work', key: 'project:/work' });
  expect([readRail({ version: 1, kind: 'conversations' }, String)?.key, readRail(undefined, String)]).toEqual(['conversations', null]);
});
