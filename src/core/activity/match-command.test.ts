import { expect, test } from 'vitest';
import { parseJson, type Json, type JsonObject } from '../json/exact.ts';
import { activityContract } from './contract.ts';
import { commandMismatch, isInternalCommand, outcomeMismatch, type CommandMismatch, type LiveCommand, type RecordedEffect } from './match-command.ts';
import { pickStable, stableDifference } from './stable-fields.ts';

const checkFields = (recorded: string, live: string, path: string | null) => {
  expect(stableDifference('queue/sendPrompt', parseJson(recorded) as JsonObject, parseJson(live) as JsonObject)?.path ?? null).toBe(path);
};

test.each<[string, string, string, string | null]>([
  ['ignores the order of members at any depth', '{"promptId":"p","settings":{"a":{"x":1,"y":2},"b":2}}', '{"settings":{"b":2,"a":{"y":2,"x":1}},"promptId":"p"}', null],
  ['minds the order of lists', '{"content":[1,2]}', '{"content":[2,1]}', '$.content[0]'],
  ['ignores members that are not stable', '{"outcome":"failed","promptId":"p"}', '{"promptId":"p","time":3}', null],
  ['takes a field that both lack for equal', '{}', '{}', null],
  ['minds a field that one lacks', '{"routing":"auto"}', '{}', '$.routing'],
  ['minds a field that the recording lacks', '{}', '{"routing":"auto"}', '$.routing'],
  ['tells null from an absent field', '{"guidance":null}', '{}', '$.guidance'],
  ['tells text from number', '{"promptId":"1"}', '{"promptId":1}', '$.promptId'],
  ['reads numbers as numbers', '{"settings":{"a":1.0,"b":1e3,"c":-0}}', '{"settings":{"a":1,"b":1000,"c":0}}', null],
  ['does not lose a large integer', '{"settings":9007199254740993}', '{"settings":9007199254740992}', '$.settings'],
  ['keeps __proto__ an ordinary name', '{"settings":{"__proto__":1}}', '{"settings":{"__proto__":2}}', '$.settings.__proto__'],
])('stableDifference() %s', (_title, recorded, live, path) => checkFields(recorded, live, path));

test('pickStable() picks exactly the declared fields of each effect', () => {
  const fields = [...activityContract.effects].map(([type, rule]) => [type, Object.keys(pickStable(type, Object.fromEntries([...rule.stableFields, 'outcome', 'commandId'].map((key) => [key, 1]))))]);
  expect(Object.fromEntries(fields)).toEqual({
    'goal/control': ['action', 'clientSubmitId', 'objective'],
    'interaction/respond': ['action', 'optionId', 'payload', 'requestId', 'turnId'],
    'plan/submitDecision': ['action', 'idempotencyKey', 'payload', 'promptKind', 'requestId', 'turnId'],
    'queue/sendPrompt': ['capabilityRefs', 'clientSubmitId', 'content', 'displayPrompt', 'guidance', 'promptId', 'routing', 'runtimeContent', 'settings'],
    'session/activate': ['agentTargetId', 'capabilityRefs', 'clientSubmitId', 'cwd', 'initialContent', 'initialDisplayPrompt', 'initialGoalControl', 'initialTuttiModeActivation', 'mode', 'railPlacement', 'settings', 'submitDiagnostics', 'title', 'visible'],
    'session/updateSettings': ['settings'],
    'turn/cancel': ['turnId'],
  });
});

const effect: RecordedEffect = { type: 'session/activate', agentSessionId: 'session', correlationId: 'c', payload: { clientSubmitId: 's', mode: 'new', outcome: 'succeeded' } };
const command: LiveCommand = { type: 'session/activate', commandId: 'k', agentSessionId: 'session', correlationId: 'c', payload: { clientSubmitId: 's', mode: 'new' } };
const checkMatch = (recorded: Partial<RecordedEffect>, live: Partial<LiveCommand>, mismatch: CommandMismatch | null, bound: string | null = null) => {
  expect(commandMismatch({ ...effect, ...recorded }, { ...command, ...live }, bound)).toBe(mismatch);
};

const cancel = { type: 'turn/cancel', payload: { turnId: 't', clientSubmitId: 's' } };
test.each<[string, Partial<RecordedEffect>, Partial<LiveCommand>, CommandMismatch | null, string | null]>([
  ['matches by correlation', {}, {}, null, null],
  ['matches by the bound command', {}, { correlationId: null }, null, 'k'],
  ['matches an activation by its submit id', {}, { correlationId: 'other' }, null, null],
  ['has no other way for other effects', cancel, { ...cancel, correlationId: 'other' }, 'correlation', null],
  ['has no other way for a blank submit id', { payload: { clientSubmitId: ' ' } }, { payload: { clientSubmitId: ' ' }, correlationId: 'other' }, 'correlation', null],
  ['takes two missing correlations for no match', { ...cancel, correlationId: null }, { ...cancel, correlationId: null }, 'correlation', null],
  ['tells another bound command', { ...cancel }, { ...cancel, correlationId: null }, 'correlation', 'other'],
  ['tells another type', {}, { type: 'turn/cancel' }, 'type', null],
  ['tells another session', {}, { agentSessionId: 'child' }, 'session', null],
  ['trims sessions, and takes a blank one for none', { agentSessionId: ' ' }, { agentSessionId: null }, null, null],
  ['tells other stable fields', {}, { payload: { clientSubmitId: 's', mode: 'existing' } }, 'fields', null],
])('commandMismatch() %s', (_title, recorded, live, mismatch, bound) => checkMatch(recorded, live, mismatch, bound));

test.each<[string, JsonObject, JsonObject, string | null]>([
  ['compares the outcome', { outcome: 'succeeded' }, { outcome: 'failed' }, 'outcome'],
  ['compares the error code', { outcome: 'failed', errorCode: 'a' }, { outcome: 'failed' }, 'errorCode'],
  ['compares the reason', { outcome: 'failed', errorReason: 'a' }, { outcome: 'failed', errorReason: 'b' }, 'errorReason'],
  ['does not compare message and value', { outcome: 'failed', errorMessage: 'a', result: 1 }, { outcome: 'failed', errorMessage: 'b', result: null }, null],
])('outcomeMismatch() %s', (_title, recorded, live, mismatch) => expect(outcomeMismatch(recorded, live)).toBe(mismatch));

test.each<[string, string, boolean]>([
  ['session/updateSettings', 'activation-settings:1', true],
  ['session/updateSettings', 'prompt:settings:1', true],
  ['session/updateSettings', 'settings:1', false],
  ['turn/cancel', 'prompt:settings:1', false],
])('isInternalCommand() needs the prefix and the type: %s %s', (type, commandId, isInternal) => expect(isInternalCommand({ type, commandId })).toBe(isInternal));

test('commandMismatch() finds equal fields whatever the order of the payload', () => {
  const settings: Json = { b: 1, a: [{ y: 1, x: 2 }] };
  checkMatch({ payload: { settings, clientSubmitId: 's' } }, { payload: { clientSubmitId: 's', settings: { a: [{ x: 2, y: 1 }], b: 1 } } }, null);
});
