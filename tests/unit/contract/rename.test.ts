/** Renaming a cassette on a real disk, with and without a case that pins it. */

import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '../../../fixtures/cassettes/on-disk.ts';
import { isFault, type Fault } from '../../../src/core/fault.ts';
import { renamePinned } from '../../../src/runner/rename-pinned.ts';
import { filesOf, found, makeRoom } from './room.ts';

const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

function makeCase(dirs: string[] = ['cassettes/main']): { room: string; at: (path: string) => string; caseText: () => string } {
  const room = makeRoom();
  const at = (path: string) => join(room, path);
  for (const dir of dirs) {
    mkdirSync(at(dir), { recursive: true });
    writeFiles(at(dir), filesOf());
  }
  // Odd on purpose: only the hash may change.
  const entries = dirs.map((dir) => `{ "manifestSha256" : "${sha256Of(at(`${dir}/cassette.json`))}",\t"dir": "${dir}" }`);
  writeFileSync(at('case.json'), `{"schemaVersion":1,"title":"t","product":"p","drive":"spec",\r\n"cassettes":[${entries.join(', ')}]}`);
  return { room, at, caseText: () => readFileSync(at('case.json'), 'utf8') };
}

let ids = 0;
const newId = () => `id-${ids++}`;
const check = (folder: string, name: string, id = newId) => renamePinned({ folder, name, newId: id }).catch((error: unknown) => (isFault(error) ? faultOf(error) : Promise.reject(error)));
const faultOf = ({ code, exitCode, facts }: Fault) => [code, exitCode, ...((facts.issues as string[] | undefined) ?? [])];
const picture = (room: string) => Object.fromEntries(readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(room, path)).isFile()).map((path) => [path, readFileSync(join(room, path), 'utf8')]));

test('renamePinned() changes the name in the manifest, its hash in the case above, and not one byte else', async () => {
  const { room, at, caseText } = makeCase();
  const [before, old] = [picture(room), sha256Of(at('cassettes/main/cassette.json'))];
  const renamed = await check(at('cassettes/main'), '  Two <tulips> ');
  const now = sha256Of(at('cassettes/main/cassette.json'));
  expect(renamed).toEqual({ id: '3f0c6f52-6f0e-4b0b-8f5e-0d1f6b9f1a01', name: 'Two <tulips>', manifestSha256: now, caseFolder: room });
  expect(picture(room)).toEqual({ ...before, 'cassettes/main/cassette.json': before['cassettes/main/cassette.json']!.replace('"name": "A greeting"', '"name": "Two \\u003ctulips\\u003e"'), 'case.json': before['case.json']!.replace(old, now) });
  expect(found(at('cassettes/main'), { pinnedSha256: now })).toEqual([]);
  expect(caseText()).toContain(now);
});

test('renamePinned() leaves alone a case that names other cassettes, and works without one', async () => {
  const { at, caseText } = makeCase();
  mkdirSync(at('cassettes/other'));
  writeFiles(at('cassettes/other'), filesOf());
  const before = caseText();
  expect(await check(at('cassettes/other'), 'new')).toMatchObject({ name: 'new', caseFolder: null });
  expect(caseText()).toBe(before);
  rmSync(at('case.json'));
  expect(await check(at('cassettes/main'), 'new')).toMatchObject({ name: 'new', caseFolder: null });
});

test('renamePinned() changes the right one of two equal hashes', async () => {
  const { at } = makeCase(['cassettes/a', 'cassettes/b']);
  const old = sha256Of(at('cassettes/a/cassette.json'));
  await check(at('cassettes/b'), 'new');
  const { cassettes } = JSON.parse(readFileSync(at('case.json'), 'utf8')) as { cassettes: { manifestSha256: string }[] };
  expect(cassettes.map(({ manifestSha256 }) => manifestSha256)).toEqual([old, sha256Of(at('cassettes/b/cassette.json'))]);
});

test('renamePinned() finds the case through a link to the cassette', async () => {
  const { room, at } = makeCase();
  symlinkSync(at('cassettes/main'), at('short'));
  expect(await check(at('short'), 'new')).toMatchObject({ caseFolder: room });
});

test.each<[string, (at: (path: string) => string) => void, unknown[], string?]>([
  ['a blank name', () => {}, ['name_invalid', 2], ' \u0085'],
  ['a name of 121 characters', () => {}, ['name_invalid', 2], 'x'.repeat(121)],
  ['a folder that is not there', (at) => rmSync(at('cassettes/main'), { recursive: true }), ['case_not_found', 2]],
  ['a tape', (at) => ['cassette.json', 'activity-events.jsonl', 'checkpoint-plan.json', 'expected-state.json', 'blobs'].forEach((path) => rmSync(at(`cassettes/main/${path}`), { recursive: true })), ['rename_unsupported', 2]],
  ['a candidate', (at) => {
    rmSync(at('cassettes/main'), { recursive: true });
    writeFiles(at('cassettes/main'), filesOf(() => {}, { isCandidate: true }));
  }, ['rename_unsupported', 2]],
  ['a changed file', (at) => appendFileSync(at('cassettes/main/expected-state.json'), ' '), ['cassette_not_valid', 1, 'file_size_mismatch expected-state.json']],
  ['a manifest that the case does not pin', (at) => appendFileSync(at('cassettes/main/cassette.json'), ' '), ['cassette_not_valid', 1, 'manifest_sha256_mismatch cassette.json']],
  ['a case that breaks its contract', (at) => writeFileSync(at('case.json'), '{'), ['case_invalid', 2, 'Cannot accept case.json at $: the file is no JSON, a case was needed']],
  ['a folder in the place of the case.json', (at) => (rmSync(at('case.json')), void mkdirSync(at('case.json'))), ['case_invalid', 2, 'Cannot accept case.json: it is no regular file, a readable file was needed']],
])('renamePinned() refuses %s and writes nothing', async (_title, damage, expected, name = 'new') => {
  const { room, at } = makeCase();
  damage(at);
  const before = picture(room);
  expect([await check(at('cassettes/main'), name), picture(room)]).toEqual([expected, before]);
});

test('renamePinned() puts the old name back where the hash in the case cannot be written', async () => {
  const { room, at } = makeCase();
  // What a killed one left has the name of the new file.
  writeFileSync(at('.playhead-staging-second'), '');
  const before = picture(room);
  const given = ['first', 'second', 'third'];
  expect(await check(at('cassettes/main'), 'new', () => given.shift() ?? newId())).toEqual(['rename_failed', 3]);
  const { '.playhead-staging-second': _left, ...after } = picture(room);
  const { '.playhead-staging-second': _before, ...expected } = before;
  expect(after).toEqual(expected);
});

test('renamePinned() puts the old name back where the case is written meanwhile', async () => {
  const { at } = makeCase();
  const before = sha256Of(at('cassettes/main/cassette.json'));
  const meanwhile = () => {
    appendFileSync(at('case.json'), '\n');
    return newId();
  };
  expect(await check(at('cassettes/main'), 'new', meanwhile)).toEqual(['rename_failed', 3]);
  expect(sha256Of(at('cassettes/main/cassette.json'))).toBe(before);
});

test('renamePinned() says so where the old name cannot be put back either', async () => {
  const { at } = makeCase();
  let count = 0;
  const removing = () => {
    if (++count === 2) {
      renameSync(at('cassettes'), at('gone'));
      throw new Error('no id');
    }
    return newId();
  };
  const error = await renamePinned({ folder: at('cassettes/main'), name: 'new', newId: removing }).catch((caught: unknown) => caught as Fault);
  expect(error).toMatchObject({ code: 'rename_failed', message: expect.stringContaining('could not be put back (ENOENT)') });
});
