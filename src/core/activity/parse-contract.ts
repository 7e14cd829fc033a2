/**
 * The interaction contract as data (cassette-contract 3.4, 3.5). A reader of the portable shape needs `schemaVersion` and, per
 * intent, `effects` and `requiresEffect`; every other member here is ours, optional, and says how recorder and driver treat it:
 * - intent: `correlationKeys`, `extraCandidates`, `makesCommandId`, `boundCommandId`, `timestamps`, `readiness`
 * - `effects.<type>`: `stableFields`, `alternateCorrelation`, `internalCommandIdPrefixes`
 */

import { isObject, type Json } from '../json/exact.ts';
import { childPath } from '../json/compare.ts';
import { integerAt, isBlank, listAt, objectAt, present, shown, textAt, trim } from '../json/read.ts';

export type TimestampRule = (typeof timestampRules)[number];
export type ReadinessRule = (typeof readinessRules)[number];

/** An id that is found in the payload: `prefix` + the text at `member` (dotted), where the payload's routing is `ifRouting`. */
export type IdSource = { member: string; prefix: string; ifRouting: string | null };

export type IntentRule = {
  effects: readonly string[];
  requiresEffect: boolean;
  correlationKeys: readonly string[];
  extraCandidates: readonly IdSource[];
  makesCommandId: boolean;
  boundCommandId: IdSource | null;
  timestamps: TimestampRule;
  readiness: ReadinessRule;
};

export type EffectRule = { stableFields: readonly string[]; alternateCorrelation: string | null; internalCommandIdPrefixes: readonly string[] };

export type ActivityContract = { intents: ReadonlyMap<string, IntentRule>; effects: ReadonlyMap<string, EffectRule> };

export type ContractProblem = { path: string; is: string; needed: string };

/** Reads an activity contract; `contract` is null where a problem stands against it (3.4). */
export function parseActivityContract(value: Json): { contract: ActivityContract | null; problems: ContractProblem[] } {
  const problems: ContractProblem[] = [];
  const refuse: Refuse = (path, is, needed) => void problems.push({ path, is, needed });
  if (integerAt(value, 'schemaVersion') !== 1n) refuse('$.schemaVersion', `it has the unsupported schema version ${shown(present(value, 'schemaVersion'))}`, 'version 1 was needed');
  const intents = readRules(value, 'intents', (rule, path) => readIntent(rule, path, refuse), refuse);
  if (intents.size === 0 && problems.every(({ path }) => path !== '$.intents')) refuse('$.intents', 'it has no intents', 'at least one was needed');
  const effects = readRules(value, 'effects', (rule, path) => readEffect(rule, path, refuse), refuse);
  return { contract: problems.length === 0 ? { intents, effects } : null, problems };
}

type Refuse = (path: string, is: string, needed: string) => void;

function readRules<Rule>(value: Json, key: 'intents' | 'effects', read: (rule: Json, path: string) => Rule, refuse: Refuse): Map<string, Rule> {
  const rules = new Map<string, Rule>();
  const members = objectAt(value, key);
  if (!members) {
    if (present(value, key) !== undefined) refuse(`$.${key}`, `it is ${shown(present(value, key))}`, 'an object was needed');
    return rules;
  }
  for (const type of Object.keys(members)) {
    const path = childPath(`$.${key}`, type);
    if (isBlank(type)) refuse(path, `it has an empty ${key === 'intents' ? 'intent' : 'effect'} type`, 'a name was needed');
    rules.set(trim(type), read(members[type] as Json, path));
  }
  return rules;
}

function readIntent(rule: Json, path: string, refuse: Refuse): IntentRule {
  if (!isObject(rule)) refuse(path, `it is ${shown(rule)}`, 'an object was needed');
  const effects = readTexts(rule, 'effects', path, refuse);
  effects.forEach((effect, i) => isBlank(effect) && refuse(`${path}.effects[${i}]`, 'it has an empty effect type', 'a name was needed'));
  return {
    effects: effects.map(trim),
    requiresEffect: readFlag(rule, 'requiresEffect', path, refuse),
    correlationKeys: readTexts(rule, 'correlationKeys', path, refuse),
    extraCandidates: (listAt(rule, 'extraCandidates') ?? []).map(readIdSource),
    makesCommandId: readFlag(rule, 'makesCommandId', path, refuse),
    boundCommandId: objectAt(rule, 'boundCommandId') ? readIdSource(objectAt(rule, 'boundCommandId') as Json) : null,
    timestamps: readChoice(rule, 'timestamps', timestampRules, path, refuse),
    readiness: readChoice(rule, 'readiness', readinessRules, path, refuse),
  };
}

function readEffect(rule: Json, path: string, refuse: Refuse): EffectRule {
  return {
    stableFields: readTexts(rule, 'stableFields', path, refuse),
    alternateCorrelation: textAt(rule, 'alternateCorrelation') ?? null,
    internalCommandIdPrefixes: readTexts(rule, 'internalCommandIdPrefixes', path, refuse),
  };
}

function readIdSource(value: Json): IdSource {
  return { member: textAt(value, 'member') ?? '', prefix: textAt(value, 'prefix') ?? '', ifRouting: textAt(value, 'ifRouting') ?? null };
}

function readTexts(value: Json, key: string, path: string, refuse: Refuse): string[] {
  const list = present(value, key) ?? [];
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  refuse(`${path}.${key}`, `it is ${shown(list)}`, 'a list of texts was needed');
  return [];
}

function readFlag(value: Json, key: string, path: string, refuse: Refuse): boolean {
  const flag = present(value, key) ?? false;
  if (typeof flag !== 'boolean') refuse(`${path}.${key}`, `it is ${shown(flag)}`, 'true or false was needed');
  return flag === true;
}

/** The first choice is the default. */
function readChoice<Choice extends string>(value: Json, key: string, choices: readonly [Choice, ...Choice[]], path: string, refuse: Refuse): Choice {
  const text = present(value, key) ?? choices[0];
  const found = choices.find((choice) => choice === text);
  if (found === undefined) refuse(`${path}.${key}`, `it is ${shown(text)}`, `one of ${choices.join(', ')} was needed`);
  return found ?? choices[0];
}

const timestampRules = ['none', 'requestExpiryWindow', 'awaitingTurnExpiresAt'] as const;
const readinessRules = ['always', 'sessionIfExisting', 'session', 'controllableGoal', 'pendingInteraction', 'completedTurn', 'activeTurn', 'queuedSubmit'] as const;
