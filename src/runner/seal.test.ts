import { existsSync, mkdtempSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { baseFrames, number, said } from '../../fixtures/cassettes/base.ts';
import { writeDraft } from '../../fixtures/cassettes/draft.ts';
import { writeFiles } from '../../fixtures/cassettes/on-disk.ts';
import { findShape } from '../../fixtures/cassettes/shapes.ts';
import { sealTape } from './seal.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'playhead-seal-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const known = ['blue', 'watering', 'can', '77'].join('-');

function record(text: string): string {
  const draft = findShape('create-session').make();
  draft.frames = number([...baseFrames(), said('stdout', { method: 'item/agentMessage/delta', params: { itemId: 'item-1', delta: text } })]);
  writeFiles(join(folder, 'recording'), new Map([...writeDraft(draft)].filter(([path]) => path.startsWith('provider/'))));
  mkdirSync(join(folder, 'cassettes'), { recursive: true });
  return join(folder, 'recording/provider');
}

const seal = (tapeFolder: string) => sealTape({ tapeFolder, target: join(folder, 'cassettes/main'), canaries: [{ name: 'GARDEN_TOKEN', value: known }] });

test('sealTape() keeps a tape against which nothing stands', () => {
  expect(seal(record('Water the tulips')).name).toBe('main');
  expect(existsSync(join(folder, 'cassettes/main/provider/frames.jsonl'))).toBe(true);
});

test.each([['plain', known], ['in base64', Buffer.from(known).toString('base64')]])('sealTape() refuses a tape that holds a value of this machine, %s', (_title, text) => {
  const tapeFolder = record(`It says ${text} here`);
  expect(() => seal(tapeFolder)).toThrow(/GARDEN_TOKEN/);
  expect(() => seal(tapeFolder)).not.toThrow(new RegExp(known));
  expect(readdirSync(join(folder, 'cassettes'))).toEqual([]);
});
