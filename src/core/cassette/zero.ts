/** Members as a typed reader sees them: absent and null are the zero value of the type (cassette-contract J4). */

import type { Json } from '../json/exact.ts';
import { i64Max, i64Min, integerAt, present, textAt } from '../json/read.ts';

/** The text of a member, empty where it is absent; `undefined` where it has another type, which the shape check reports. */
export function textOrZero(value: Json | undefined, key: string): string | undefined {
  return present(value, key) === undefined ? '' : textAt(value, key);
}

/** The 64 bit integer of a member, 0 where it is absent; `undefined` where the shape check reports it. */
export function integerOrZero(value: Json | undefined, key: string): bigint | undefined {
  if (present(value, key) === undefined) return 0n;
  const integer = integerAt(value, key);
  return integer !== undefined && integer >= i64Min && integer <= i64Max ? integer : undefined;
}
