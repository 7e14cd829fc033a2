import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { parseBoot, readBoot } from './read-boot.ts';

const boot = { stateDir: '/s', projectDir: '/p', rendererDir: '/r', windowToken: 'w'.repeat(16), controlToken: 'c'.repeat(16), composerDefaults: { model: 'scripted' } };

function checkIssue(line: string, expected: RegExp) {
  expect(() => parseBoot(line)).toThrow(expect.objectContaining({ code: 'boot_invalid', message: expect.stringMatching(expected) }));
}

test('parseBoot() takes a boot document', () => expect(parseBoot(JSON.stringify({ ...boot, replay: { cassetteId: 'c', folder: '/f', timing: 2 } }))).toMatchObject(boot));
test('parseBoot() refuses what is no JSON', () => checkIssue('{', /is no JSON/));
test('parseBoot() names the member that does not fit', () => checkIssue(JSON.stringify({ ...boot, projectDir: 1 }), /\/projectDir does not fit/));
test('parseBoot() refuses a short token and does not tell it', () => checkIssue(JSON.stringify({ ...boot, windowToken: 'short' }), /^(?!.*"short").*\/windowToken does not fit/));
test('parseBoot() refuses an unknown timing', () => checkIssue(JSON.stringify({ ...boot, replay: { cassetteId: 'c', folder: '/f', timing: 'slow' } }), /\/replay\/timing/));

test('readBoot() takes the first line in any pieces, and sees the end', async () => {
  const input = new PassThrough();
  const { boot: read, ended } = readBoot(input);
  const line = JSON.stringify(boot);
  input.write(line.slice(0, 20));
  input.write(`${line.slice(20)}\nmore`);
  expect(await read).toEqual(boot);
  input.end('and more');
  await ended;
});

test('readBoot() rejects where the input ends before a line', async () => {
  const input = new PassThrough();
  const { boot: read } = readBoot(input);
  input.end('{}');
  await expect(read).rejects.toMatchObject({ code: 'boot_invalid' });
});

test('readBoot() rejects a line without end', async () => {
  const input = new PassThrough();
  const { boot: read } = readBoot(input);
  input.write('x'.repeat(1_048_577));
  await expect(read).rejects.toMatchObject({ code: 'boot_invalid' });
});
