import { expect, test } from 'vitest';
import { parseJson, type Json } from '../json/exact.ts';
import { activityContract, effectRule, intentRule, isEffectAllowed } from './contract.ts';
import { parseActivityContract } from './parse-contract.ts';

const check = (text: string, places: string[]) => {
  const { contract, problems } = parseActivityContract(parseJson(text) as Json);
  expect([problems.map(({ path, is }) => `${path}: ${is}`), contract === null]).toEqual([places, places.length > 0]);
};

test.each<[string, string, string[]]>([
  ['accepts the basic shape', '{"schemaVersion":1,"intents":{"a":{"effects":["b"],"requiresEffect":true}}}', []],
  ['ignores members that it does not know', '{"schemaVersion":1,"x":1,"intents":{"a":{"effects":null,"y":{}},"__proto__":{"effects":[]}}}', []],
  ['rejects version 2', '{"schemaVersion":2,"intents":{"a":{"effects":[]}}}', ['$.schemaVersion: it has the unsupported schema version 2']],
  ['rejects a document without version', '{"intents":{"a":{}}}', ['$.schemaVersion: it has the unsupported schema version absent']],
  ['rejects a version with a fraction', '{"schemaVersion":1.0,"intents":{"a":{}}}', ['$.schemaVersion: it has the unsupported schema version 1.0']],
  ['rejects a document without intents', '{"schemaVersion":1,"intents":{}}', ['$.intents: it has no intents']],
  ['rejects intents of a wrong type', '{"schemaVersion":1,"intents":[]}', ['$.intents: it is a list of 0']],
  ['rejects a blank intent name', '{"schemaVersion":1,"intents":{" ":{"effects":[]}}}', ['$.intents[" "]: it has an empty intent type']],
  ['rejects a blank effect name', '{"schemaVersion":1,"intents":{"a":{"effects":["b","\\t"]}}}', ['$.intents.a.effects[1]: it has an empty effect type']],
  ['rejects effects that are no texts', '{"schemaVersion":1,"intents":{"a":{"effects":[1]}}}', ['$.intents.a.effects: it is a list of 1']],
  ['rejects a flag that is none', '{"schemaVersion":1,"intents":{"a":{"requiresEffect":"yes"}}}', ['$.intents.a.requiresEffect: it is "yes"']],
  ['rejects a rule that is none', '{"schemaVersion":1,"intents":{"a":3}}', ['$.intents.a: it is 3']],
  ['rejects an unknown readiness', '{"schemaVersion":1,"intents":{"a":{"readiness":"soon"}}}', ['$.intents.a.readiness: it is "soon"']],
  ['rejects null', 'null', ['$.schemaVersion: it has the unsupported schema version absent', '$.intents: it has no intents']],
])('parseActivityContract() %s', (_title, text, places) => check(text, places));

test('the activity contract has 15 intents and 7 effects, every effect of an intent with stable fields', () => {
  const effects = [...activityContract.intents.values()].flatMap((rule) => rule.effects);
  expect([activityContract.intents.size, activityContract.effects.size]).toEqual([15, 7]);
  expect([...new Set(effects)].sort()).toEqual([...activityContract.effects.keys()].sort());
  expect(effects.every((effect) => (effectRule(effect)?.stableFields.length ?? 0) > 0)).toBe(true);
});

test('the activity contract says of every intent what the table says', () => {
  const source = (id: { prefix: string; member: string; ifRouting: string | null } | null) => (id === null ? '-' : `${id.prefix}{${id.member}}${id.ifRouting === null ? '' : ` if ${id.ifRouting}`}`);
  const rows = [...activityContract.intents].map(([type, rule]) =>
    [type, rule.effects.join('+'), rule.requiresEffect, rule.correlationKeys.join('+'), rule.extraCandidates.map(source).join('+'), rule.makesCommandId, rule.timestamps, source(rule.boundCommandId), rule.readiness].join('|'),
  );
  expect(rows).toEqual([
    'activation/requested|session/activate|true|clientSubmitId+requestId||false|requestExpiryWindow|-|sessionIfExisting',
    'goal/controlRequested|goal/control|true|clientSubmitId+commandId||true|none|-|controllableGoal',
    'interaction/responseRequested|interaction/respond|true|commandId+requestId||true|none|-|pendingInteraction',
    'plan/decisionRequested|plan/submitDecision|true|idempotencyKey+commandId+requestId||true|none|-|completedTurn',
    'plan/feedbackRequested|queue/sendPrompt|false|clientSubmitId+requestId||false|requestExpiryWindow|-|always',
    'queue/enqueued||false||{prompt.clientSubmitId}+{prompt.id}|false|none|-|always',
    'queue/removed||false|promptId||false|none|-|always',
    'queue/resumed||false|||false|none|-|always',
    'queue/sendNowRequested|queue/sendPrompt+turn/cancel|false|promptId|{cancelCommandId}|false|none|{cancelCommandId}|always',
    'queue/suspended||false|||false|none|-|always',
    'session/cancelRequested|turn/cancel|false|commandId||true|awaitingTurnExpiresAt|-|activeTurn',
    'session/settingsUpdateRequested|session/updateSettings|true|commandId||true|none|-|session',
    'session/stopRequested|turn/cancel|false|commandId||true|awaitingTurnExpiresAt|-|activeTurn',
    'submit/canceled||false|clientSubmitId||false|none|-|always',
    'submit/requested|queue/sendPrompt+session/activate+turn/cancel|false|clientSubmitId|submit:cancel:{clientSubmitId} if send_now|false|requestExpiryWindow|submit:cancel:{clientSubmitId} if send_now|queuedSubmit',
  ]);
});

test('intentRule() and isEffectAllowed() tolerate white space around names, and know nothing that is not declared', () => {
  expect(intentRule(' submit/requested ')?.requiresEffect).toBe(false);
  expect([isEffectAllowed(' submit/requested', 'turn/cancel '), isEffectAllowed('submit/requested', 'goal/control'), isEffectAllowed('submit/unknown', 'turn/cancel'), isEffectAllowed('__proto__', 'turn/cancel')]).toEqual([true, false, false, false]);
});
