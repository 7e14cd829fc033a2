import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDivergence, type DivergenceFacts } from './divergence.ts';
import { DivergenceError } from './divergence-error.ts';
import { firstScreen, sanitiseForTerminal } from './first-screen.ts';

const full: DivergenceFacts = {
  layer: 'protocol',
  code: 'outbound_mismatch',
  message: 'Cannot continue replay: codex was sent "turn/start" with another $.params.input[0].text, the recording has "turn/start" here (connection-1, chunk 8)',
  lane: 'connection-1',
  position: { connectionId: 'connection-1', chunkSeq: 8, unitIndex: 0 },
  path: '$.params.input[0].text',
  recorded: 'world',
  live: 'world ',
  nearest: { position: { connectionId: 'connection-1', chunkSeq: 3, unitIndex: 0 }, changed: ['$.a', '$.b', '$.c', '$.d', '$.e'] },
  causes: [{ code: 'prompt_changed', text: 'The prompt was edited.' }],
  next: ['playhead replay <case>', 'playhead record <case>', 'never shown'],
};

test('firstScreen() names the place, both values, the nearest message, a cause and what to do', () => {
  expect(firstScreen(createDivergence(full), { caseName: 'chat-hello' }).split('\n')).toEqual([
    'Cannot continue replay: codex was sent "turn/start" with another',
    '$.params.input[0].text, the recording has "turn/start" here (connection-1, chunk 8)',
    '',
    '  layer     protocol',
    '  code      outbound_mismatch  (docs/errors.md#outbound_mismatch)',
    '  case      chat-hello',
    '  lane      connection-1, chunk 8',
    '  path      $.params.input[0].text',
    '  recorded  "world[]"',
    '  live      "world[ ]"',
    '            only invisible characters differ: space',
    '  nearest   chunk 3, differs at $.a, $.b, $.c, $.d …',
    '  cause     The prompt was edited.',
    '  next      playhead replay <case>',
    '  next      playhead record <case>',
  ]);
});

test('firstScreen() shows a file and a checkpoint where there is one', () => {
  const screen = firstScreen(createDivergence({ layer: 'cassette', code: 'frame_invalid', message: 'Cannot load', position: { file: 'provider/frames.jsonl', line: 3 }, checkpoint: { id: 'checkpoint-0001', name: 'approval' } }), { caseName: null });
  expect(screen).toContain('  at        provider/frames.jsonl:3');
  expect(screen).toContain('  after     approval (checkpoint-0001)');
  expect(screen).not.toContain('recorded');
});

const isHarmless = (text: string) => !/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(text);

test('firstScreen() has at most 24 lines of 100 columns and nothing that a terminal obeys, whatever the values are', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ unit: fc.constantFrom('\u001b', '[', '2', 'J', '\n', '\r', '\u0007', '\u009b', '\u202e', 'x', ' '), maxLength: 400 }));
  const facts = fc.record({ message: text, path: text, recorded: fc.option(text), live: fc.option(text), lane: fc.option(text), causes: fc.array(text.map((cause) => ({ code: 'c', text: cause }))), next: fc.array(text) });
  fc.assert(
    fc.property(facts, text, (values, caseName) => {
      const lines = firstScreen(createDivergence({ ...full, ...values }), { caseName }).split('\n');
      expect(lines.length).toBeLessThanOrEqual(24);
      for (const line of lines) {
        expect(line.length).toBeLessThanOrEqual(100);
        expect(isHarmless(line)).toBe(true);
      }
    }),
  );
});

test.each([
  ['\u001b[2J', '\\u001b[2J'],
  ['a\r\nb\tc', 'a\\u000d⏎b⇥c'],
  ['\u009b31m', '\\u009b31m'],
  ['x\u202ey\u2066', 'x\\u202ey\\u2066'],
  ['x\u200fy\u2028', 'x\\u200fy\\u2028'],
  ['grün 😀', 'grün 😀'],
])('sanitiseForTerminal(%j)', (text, shown) => void expect(sanitiseForTerminal(text)).toBe(shown));

test('DivergenceError shows the first screen alone, without a stack of the code that noticed', () => {
  const error = new DivergenceError(createDivergence(full), { caseName: null });
  expect(error.stack).toBe(`DivergenceError: ${error.message}`);
  expect(error.message).toContain('Cannot continue replay');
});
