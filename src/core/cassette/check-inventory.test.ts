import { expect, test } from 'vitest';
import { Findings } from '../issue.ts';
import { checkCassetteManifest } from './check-manifest.ts';
import { checkInventory, type DiskEntry } from './check-inventory.ts';
import { contentOf, digestOfText, entryOf, manifestWith, requiredPaths } from './fixtures.ts';
import type { ManifestFacts } from './manifest.ts';

const factsOf = (files = requiredPaths.map((path) => entryOf(path))) => checkCassetteManifest(manifestWith({ files }), { expectedId: null, formats: () => true, blobs: [] }, () => {}) as ManifestFacts;
const onDisk = (path: string, change: Partial<DiskEntry> = {}): DiskEntry => ({ path, sizeBytes: contentOf(path).length, sha256: digestOfText(contentOf(path)), kind: 'file', ...change });
const all = ['cassette.json', ...requiredPaths].map((path) => onDisk(path));
const replaced = (path: string, change: Partial<DiskEntry>): DiskEntry[] => all.map((entry) => (entry.path === path ? { ...entry, ...change } : entry));
const check = (disk: DiskEntry[], facts = factsOf()) => {
  const findings = new Findings();
  checkInventory(facts, disk, findings.report);
  return findings.all.map(({ code, file }) => `${code} ${file}`);
};
const plan = 'checkpoint-plan.json';

test.each<[string, DiskEntry[], string[]]>([
  ['nothing wrong', all, []],
  ['a file missing', all.filter(({ path }) => path !== plan), [`file_missing ${plan}`]],
  ['a log beside the rest', [...all, onDisk('runtime.log')], ['file_unexpected runtime.log']],
  ['a file of an older schema', [...all, onDisk('scenario.json')], ['file_unexpected scenario.json']],
  ['a second manifest further down', [...all, onDisk('provider/cassette.json')], ['file_unexpected provider/cassette.json']],
  ['a blob nobody lists', [...all, onDisk(`blobs/sha256/${'0'.repeat(64)}`)], [`file_unexpected blobs/sha256/${'0'.repeat(64)}`]],
  ['another size, where the hash need not be compared', replaced(plan, { sizeBytes: 1, sha256: '0'.repeat(64) }), [`file_size_mismatch ${plan}`]],
  ['another hash', replaced(plan, { sha256: '0'.repeat(64) }), [`file_sha256_mismatch ${plan}`]],
  ['a hash that could not be made', replaced(plan, { sha256: null }), []],
  ['a link in place of a file', replaced(plan, { kind: 'link' }), [`file_not_regular ${plan}`]],
  ['a pipe in place of a file', replaced(plan, { kind: 'other', sha256: null }), [`file_not_regular ${plan}`]],
  ['a link in place of the manifest', replaced('cassette.json', { kind: 'link' }), ['file_not_regular cassette.json']],
  ['a link in place of a folder', [...all.filter(({ path }) => !path.startsWith('provider/')), onDisk('provider', { kind: 'link' })], ['file_not_regular provider']],
  ['a link nobody lists', [...all, onDisk('x', { kind: 'link' })], ['file_not_regular x']],
  ['what the Finder leaves, a link of that name too', [...all, onDisk('.DS_Store'), onDisk('provider/.DS_Store', { kind: 'link' })], []],
  ['a folder with the name of what the Finder leaves', [...all, onDisk('.DS_Store/x')], ['finder_folder_not_empty .DS_Store/x']],
  ['the rest of a recording', [...all, onDisk('.recording/observation-journal.jsonl'), onDisk('.recording/a/b', { kind: 'link' })], ['recording_left .recording']],
  ['a recording folder that holds what the Finder leaves', [...all, onDisk('.recording/.DS_Store')], []],
  ['a file with the name of the recording folder', [...all, onDisk('.recording')], ['file_unexpected .recording']],
  ['two names that differ by case', [...all, onDisk('Checkpoint-Plan.json')], ['file_unexpected Checkpoint-Plan.json', `file_name_colliding ${plan}`]],
  ['a name like the manifest', [...all, onDisk('CASSETTE.JSON')], ['file_unexpected CASSETTE.JSON', 'file_name_colliding cassette.json']],
])('checkInventory() with %s', (_title, disk, found) => expect(check(disk)).toEqual(found));

test('checkInventory() ignores the case of a hash and no padding, and does not repeat what the manifest check has said', () => {
  const entries = requiredPaths.map((path) => ({ ...entryOf(path), sha256: digestOfText(contentOf(path)).toUpperCase() }));
  expect(check(all, factsOf(entries))).toEqual([]);
  expect(check(all, factsOf(entries.map((entry) => ({ ...entry, sha256: ` ${entry.sha256}` })))).length).toBe(6);
  const withLog = factsOf([...requiredPaths.map((path) => entryOf(path)), { ...entryOf(plan), path: 'app.log' }]);
  expect([check(all, withLog), check([...all, onDisk('app.log')], withLog)]).toEqual([[], []]);
});
