import { expect, test } from 'vitest';
import { assert } from './assert.ts';
import { Fault, isFault, toFault } from './fault.ts';
import { faultCatalogue, type FaultCode } from './fault-catalogue.ts';
import { createIssue } from './issue.ts';

test('a fault takes exit code and next step from the catalogue', () => {
  const fault = new Fault({ code: 'recording_busy', message: 'Cannot arm' });
  expect([fault.exitCode, fault.next, fault.at, fault.facts]).toEqual([3, ['Complete or cancel the first one'], null, {}]);
});

test('toFault() keeps a fault and wraps everything else with its cause', () => {
  const fault = new Fault({ code: 'usage', message: 'Cannot read' });
  const error = new Error('no space');
  expect(toFault(fault, 'write')).toBe(fault);
  expect(toFault(error, 'write the tape')).toMatchObject({ code: 'internal_error', message: 'Cannot write the tape: no space, no error was expected', cause: error });
  expect(toFault('text', 'write').message).toContain('text');
});

test('isFault() tells a fault by its shape', () => {
  expect([isFault(new Fault({ code: 'usage', message: 'x' })), isFault(new Error('x')), isFault(null), isFault({ name: 'Fault', code: 'x' })]).toEqual([true, false, false, false]);
});

test('every fault code has a sentence, a next step and an exit code', () => {
  for (const [code, entry] of Object.entries(faultCatalogue)) {
    expect(code, code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(entry.means, code).toMatch(/\.$/);
    expect(entry.next, code).not.toMatch(/\.$/);
    expect([1, 2, 3, 130], code).toContain(new Fault({ code: code as FaultCode, message: '' }).exitCode);
  }
});

test('createIssue() builds its message from what is and what was needed', () => {
  const issue = createIssue({ level: 'tape_load', code: 'case_invalid', file: 'f.jsonl', line: 3, path: '$.a', is: 'it is 1', needed: '2 was needed' });
  expect(issue).toMatchObject({ severity: 'error', message: 'Cannot accept f.jsonl:3 at $.a: it is 1, 2 was needed' });
  expect(createIssue({ level: 'runner', code: 'case_invalid', file: 'f', is: 'a', needed: 'b' })).toMatchObject({ line: null, path: null, message: 'Cannot accept f: a, b' });
});

test('assert() names our own bug', () => {
  expect(() => assert(false, 'a lane has no end')).toThrow('Playhead is broken: a lane has no end. Please report this with the cassette.');
  assert(1, 'never shown');
});
