/** The one activity contract of this package, typed; names are looked up without the white space around them (3.4, 13.1). */

import { assert } from '../assert.ts';
import type { Json } from '../json/exact.ts';
import { trim } from '../json/read.ts';
import source from './activity-contract.json' with { type: 'json' };
import { parseActivityContract, type ActivityContract, type EffectRule, type IntentRule } from './parse-contract.ts';

/** The contract in force: 15 intents, 7 effects (3.4). */
export const activityContract: ActivityContract = load();

/** What the contract says of an intent type, or `undefined` where it has no such intent (3.2). */
export function intentRule(type: string | null): IntentRule | undefined {
  return type === null ? undefined : activityContract.intents.get(trim(type));
}

/** What the contract says of an effect type (3.5). */
export function effectRule(type: string | null): EffectRule | undefined {
  return type === null ? undefined : activityContract.effects.get(trim(type));
}

/** Whether an intent may cause this effect; never for an undeclared intent (3.3 T4). */
export function isEffectAllowed(intentType: string | null, effectType: string): boolean {
  return intentRule(intentType)?.effects.includes(trim(effectType)) ?? false;
}

/** The text itself; of a declared name always the same string, so that many events hold it once. */
export function declaredName(type: string | null): string | null {
  return type === null ? null : (names.get(type) ?? type);
}

function load(): ActivityContract {
  const { contract, problems } = parseActivityContract(source as unknown as Json);
  assert(contract, `activity-contract.json is refused at ${problems[0]?.path}`);
  return contract;
}

const names = new Map([...activityContract.intents.keys(), ...activityContract.effects.keys()].map((name) => [name, name]));
