import { expect, test } from 'vitest';
import { diagnose } from './diagnose.ts';

const check = (recorded: string | null, live: string | null, shown: [string, string, string | null]) => {
  const marked = diagnose(recorded, live);
  expect([marked.recorded, marked.live, marked.note]).toEqual(shown);
};

test.each<[string | null, string | null, [string, string, string | null]]>([
  ['world', 'world ', ['"world[]"', '"world[ ]"', 'only invisible characters differ: space']],
  ['a\tb', 'a b', ['"a[\t]b"', '"a[ ]b"', 'only invisible characters differ: tab, space']],
  ['ab', 'aXb', ['"a[]b"', '"a[X]b"', null]],
  ['é', 'e\u0301', ['"[é]"', '"[e\u0301]"', 'the same letters in another Unicode form']],
  ['go 😀!', 'go 😁!', ['"go [😀]!"', '"go [😁]!"', null]],
  [null, 'x', ['(nothing)', 'x', null]],
  ['x', null, ['x', '(nothing)', null]],
  ['aaa', 'aa', ['"aa[a]"', '"aa[]"', null]],
])('diagnose(%j, %j)', check);

test('diagnose() shows a part of long values around the change', () => {
  const long = 'x'.repeat(100);
  expect(diagnose(`${long}A${long}`, `${long}B${long}`)).toEqual({ recorded: `"…${'x'.repeat(24)}[A]${'x'.repeat(24)}…"`, live: `"…${'x'.repeat(24)}[B]${'x'.repeat(24)}…"`, note: null });
});
