import { expect, test } from 'vitest';
import { endInSteps } from './end-in-steps.ts';

test('endInSteps() takes every step in order and tells every failure', async () => {
  const told: string[] = [];
  const say = (text: string) => () => void told.push(text);
  const fail = (text: string) => () => {
    throw new Error(text);
  };
  await endInSteps([say('a'), fail('b'), () => Promise.reject(new Error('c')), say('d')], (fault) => void told.push(`${fault.code}: ${fault.message}`));
  expect(told).toEqual(['a', 'internal_error: Cannot end the run: b, no error was expected', 'internal_error: Cannot end the run: c, no error was expected', 'd']);
});
