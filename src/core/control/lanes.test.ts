import { expect, test } from 'vitest';
import { raise, reaches, type LanePlaceView } from './lanes.ts';

const lanes = (text: string): LanePlaceView[] =>
  text.split(' ').filter(Boolean).map((place) => {
    const [connectionId = '', chunkSeq, unitIndex] = place.split(/[:.]/);
    return { connectionId, chunkSeq: Number(chunkSeq), unitIndex: Number(unitIndex) };
  });

test.each<[string, string, boolean]>([
  ['', '', true],
  ['a:3.1', '', true],
  ['a:3.1', 'a:3.1', true],
  ['a:3.2', 'a:3.1', true],
  ['a:4.0', 'a:3.9', true],
  ['a:3.1', 'a:3.2', false],
  ['a:2.9', 'a:3.0', false],
  ['', 'a:0.0', true],
  ['', 'a:0.1', false],
  ['', 'a:1.0', false],
  ['b:9.9', 'a:1.1', false],
  ['a:5.1 b:1.1', 'a:5.1 b:2.1', false],
  ['b:2.1 a:5.1', 'a:5.1 b:2.1', true],
])('reaches() of "%s" for "%s" is %s', (at, target, expected) => {
  expect(reaches(lanes(at), lanes(target))).toBe(expected);
});

test.each<[string, string, string]>([
  ['', '', ''],
  ['a:1.1', '', 'a:1.1'],
  ['', 'a:1.1', 'a:1.1'],
  ['a:1.1', 'a:1.2', 'a:1.2'],
  ['a:2.1', 'a:1.9', 'a:2.1'],
  ['c:1.1 a:1.1', 'b:1.1', 'a:1.1 b:1.1 c:1.1'],
  ['a:1.1 b:5.1', 'a:3.1 b:2.1', 'a:3.1 b:5.1'],
])('raise() of "%s" by "%s" is "%s"', (at, other, expected) => {
  expect(raise(lanes(at), lanes(other))).toEqual(lanes(expected));
});
