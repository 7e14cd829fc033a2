import { expect, test } from 'vitest';
import type { JsonObject } from '../json/exact.ts';
import { CommandLedger, effectCorrelation, recordedPayload, type CommandDefect } from './command-ledger.ts';

const submit = { eventId: 's', type: 'submit/requested', correlationId: 'k' };
const check = (options: { intent?: JsonObject; command: { type: string; commandId: string; correlationId: string | null }; isSettled?: boolean }, cause: string | null, defects: CommandDefect['kind'][]) => {
  const ledger = new CommandLedger();
  ledger.addIntent(submit, options.intent ?? { clientSubmitId: 'k' });
  expect(ledger.begin(options.command)?.eventId ?? null).toBe(cause);
  if (options.isSettled) ledger.settle(options.command.commandId);
  expect(ledger.defects().map(({ kind }) => kind)).toEqual(defects);
};

test('CommandLedger finds the cause of a command by its correlation', () => check({ command: { type: 'queue/sendPrompt', commandId: 'c', correlationId: 'k' }, isSettled: true }, 's', []));

test('CommandLedger finds the cause of a cancel that goes with a submit by its command id', () => {
  check({ intent: { clientSubmitId: 'k', routing: 'send_now' }, command: { type: 'turn/cancel', commandId: 'submit:cancel:k', correlationId: null }, isSettled: true }, 's', []);
});

test('CommandLedger finds the cause of a cancel that goes with a send-now', () => {
  const ledger = new CommandLedger();
  ledger.addIntent({ eventId: 'n', type: 'queue/sendNowRequested', correlationId: 'p' }, { promptId: 'p', cancelCommandId: 'x' });
  expect(ledger.begin({ type: 'turn/cancel', commandId: 'x', correlationId: null })?.eventId).toBe('n');
});

test('CommandLedger notes a command without cause', () => check({ command: { type: 'turn/cancel', commandId: 'c', correlationId: 'other' } }, null, ['uncorrelated-command']));

test('CommandLedger notes a command that its cause does not allow', () => check({ command: { type: 'goal/control', commandId: 'c', correlationId: 'k' } }, null, ['disallowed-effect']));

test('CommandLedger notes a command without result', () => check({ command: { type: 'queue/sendPrompt', commandId: 'c', correlationId: 'k' } }, 's', ['unsettled-command']));

test.each([
  ['a settings command of the window itself', { type: 'session/updateSettings', commandId: 'activation-settings:1', correlationId: null }],
  ['a command that no recording holds', { type: 'view/open', commandId: 'c', correlationId: null }],
])('CommandLedger passes over %s', (_title, command) => check({ command }, null, []));

test('effectCorrelation() prefers the intent, then the result, then the command', () => {
  expect([effectCorrelation('a', 'b', 'c'), effectCorrelation(' ', 'b', 'c'), effectCorrelation(null, null, 'c'), effectCorrelation(null, '', null)]).toEqual(['a', 'b', 'c', null]);
});

test('recordedPayload() leaves out what the event itself holds', () => {
  expect(recordedPayload({ type: 't', agentSessionId: 's', commandId: 'c', correlationId: 'k', workspaceId: 'w', mode: 'new' })).toEqual({ mode: 'new' });
});
