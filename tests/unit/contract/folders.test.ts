/** Bad input on a real disk (issue 3): every trouble has its own code, and nothing outside of the folder is opened or written. */

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { writeDraft, type Draft, type Members, type Value } from '../../../fixtures/cassettes/draft.ts';
import { at as valueAt, put } from '../../../fixtures/cassettes/edit.ts';
import { findShape } from '../../../fixtures/cassettes/shapes.ts';
import { limits } from '../../../src/core/limits.ts';
import { createStateFormats, type StateFormat } from '../../../src/core/state/format.ts';
import { semanticProfiles } from '../../../src/core/state/profile.ts';
import { findProvider } from '../../../src/providers/registry.ts';
import { readCassette, type ReadCassetteOptions } from '../../../src/runner/read-cassette.ts';
import { readOnce } from '../../../src/tape/read-once.ts';
import { fill, filesOf, found, makeCassette, makeRoom, replace, runProgram, withLimits } from './room.ts';


// Paths that lead out of the folder

const outside = ['../outside.json', '/etc/hostname', 'provider/../../outside.json', '..', './cassette.json', 'provider//frames.jsonl', '..\\outside.json', 'C:\\outside.json', 'a\0b'];

test.each(outside)('readCassette() refuses the inventory path %j and opens nothing outside of the folder', (path) => {
  const { room, folder } = makeCassette(filesOf((draft) => draft.lateCassette.push((cassette) => put(cassette, 'files[0].path', path))));
  const canary = watchCanary(join(room, 'outside.json'));
  const issues = found(folder);
  expect(issues).toContain(path === 'C:\\outside.json' || !path.startsWith('C:') ? 'inventory_path_unsafe cassette.json $.files[0].path' : '');
  expect(new Set(issues.map((issue) => issue.split(' ')[0]))).toEqual(new Set(['inventory_path_unsafe', 'inventory_file_missing', 'file_unexpected']));
  canary.expectUntouched();
});

test.each(['../../../outside.png', '/tmp/outside.png', 'generated_images/../../outside.png', 'generated_images\\..\\outside.png'])('readCassette() refuses the blob path %j and writes nothing', (path) => {
  const { room, folder } = makeCassette(filesOf((draft) => put(draft.blobs, 'blobs[3].relativePath', path), { shape: 'blobs of both kinds' }));
  const canary = watchCanary(join(room, 'outside.png'));
  const before = readdirSync(room, { recursive: true });
  expect(found(folder)).toEqual(['blob_path_unsafe blobs/manifest.json $.blobs[3].relativePath']);
  expect(readdirSync(room, { recursive: true })).toEqual(before);
  canary.expectUntouched();
});

test('readCassette() refuses a blob digest that is a path', () => {
  const { room, folder } = makeCassette(filesOf((draft) => put(draft.blobs, 'blobs[3].sha256', '../../../outside.json'), { shape: 'blobs of both kinds' }));
  const canary = watchCanary(join(room, 'outside.json'));
  expect(found(folder)).toContain('blob_sha256_invalid blobs/manifest.json $.blobs[3].sha256');
  canary.expectUntouched();
});

// Links

test.each(['cassette.json', 'checkpoint-plan.json', 'activity-events.jsonl', 'expected-state.json', 'provider/manifest.json', 'provider/frames.jsonl', 'blobs/manifest.json'])('readCassette() refuses a link in the place of %s and does not follow it', (path) => {
  const { room, folder, at } = makeCassette();
  const target = join(room, 'target');
  renameSync(at(path), target);
  symlinkSync(target, at(path));
  const canary = watchCanary(target);
  expect(found(folder)).toEqual([`file_not_regular ${path}`]);
  canary.expectUntouched();
});

test.each(['provider', 'blobs'])('readCassette() refuses a link in the place of the folder %s and does not follow it', (path) => {
  const { room, folder, at } = makeCassette();
  renameSync(at(path), join(room, 'target'));
  symlinkSync(join(room, 'target'), at(path));
  const canary = watchCanary(join(room, 'target/manifest.json'));
  expect(found(folder)).toEqual([`file_not_regular ${path}`]);
  canary.expectUntouched();
});

test('readCassette() names a link where its manifest cannot be read either', () => {
  const { folder, at } = makeCassette(filesOf(overwrite('cassette.json', Buffer.from('no JSON'))));
  replace(at('expected-state.json'), (path) => symlinkSync('nowhere', path));
  expect(found(folder)).toEqual(['json_invalid cassette.json', 'file_not_regular expected-state.json']);
});

test('readCassette() refuses a link to nowhere, and one to itself', () => {
  const { folder, at } = makeCassette();
  replace(at('checkpoint-plan.json'), (path) => symlinkSync('nowhere', path));
  replace(at('expected-state.json'), (path) => symlinkSync('expected-state.json', path));
  expect(found(folder)).toEqual(['file_not_regular checkpoint-plan.json', 'file_not_regular expected-state.json']);
});

test('readCassette() refuses links in a tape', () => {
  const { room, folder, at } = makeTape();
  renameSync(at('provider/frames.jsonl'), join(room, 'frames'));
  symlinkSync(join(room, 'frames'), at('provider/frames.jsonl'));
  expect(found(folder)).toEqual(['file_not_regular provider/frames.jsonl']);
  renameSync(at('provider'), join(room, 'target'));
  symlinkSync(join(room, 'target'), at('provider'));
  expect(found(folder)).toEqual(['file_not_regular provider']);
});

// Pipes, sockets and devices

test.each(['cassette.json', 'checkpoint-plan.json', 'provider/frames.jsonl', 'blobs/manifest.json', 'stray'])('readCassette() refuses a pipe in the place of %s and does not wait for it', (path) => {
  const { folder, at } = makeCassette();
  rmSync(at(path), { force: true });
  if (!runProgram('mkfifo', at(path))) return;
  expect(found(folder)).toEqual([`file_not_regular ${path}`]);
});

test('readCassette() refuses a pipe that takes the place of a file while it reads', () => {
  const { folder, at } = makeCassette();
  const swap = once(() => replace(at('provider/frames.jsonl'), (path) => void runProgram('mkfifo', path)));
  expect(found(folder, hooked({ manifest: swap }))).toEqual(['file_changed provider/frames.jsonl']);
});

test('readCassette() refuses a device and reads nothing of it', () => {
  const { folder, at } = makeCassette();
  rmSync(at('expected-state.json'));
  // /dev/zero never ends. Where nobody may make one, the file is absent, and the system's own is asked for below.
  const isMade = runProgram('mknod', at('expected-state.json'), 'c', '1', '5');
  expect(found(folder)).toEqual([isMade ? 'file_not_regular expected-state.json' : 'file_missing expected-state.json']);
  expect(readOnce('/dev/zero', { maxBytes: 1, take: () => expect.unreachable() })).toMatchObject({ problem: 'not_regular' });
});

// Entries

test('readCassette() names an entry that stands twice in the inventory', () => {
  const { folder } = makeCassette(filesOf((draft) => draft.lateCassette.push((cassette) => void (cassette.files as Value[]).push(valueAt(cassette, 'files[0]')))));
  const issues = found(folder);
  expect(issues).toContain('inventory_path_repeated cassette.json $.files[6].path');
  expect(issues.filter((issue) => !/^(inventory_path_repeated|total_bytes_mismatch) /.test(issue))).toEqual([]);
});

test('readCassette() names files that are one on some disks', () => {
  const { folder, at } = makeCassette();
  writeFileSync(at('Expected-State.json'), '{}');
  expect(found(folder)).toEqual(['file_unexpected Expected-State.json', 'file_name_colliding expected-state.json']);
});

test('readCassette() refuses a folder with too many entries after as many as are allowed', () => {
  const { folder, at } = makeCassette();
  mkdirSync(at('many'));
  for (let i = 0; i <= limits.cassetteEntryCountMax; i++) writeFileSync(at(`many/${i}`), '');
  expect(found(folder)).toEqual(['folder_too_large .']);
});

test('readCassette() counts folders as entries too', () => {
  withLimits({ cassetteEntryCountMax: 50 });
  const { folder, at } = makeCassette();
  mkdirSync(at(Array.from({ length: 60 }, () => 'd').join('/')), { recursive: true });
  expect(found(folder)).toEqual(['folder_too_large .']);
});

test('readCassette() names what lies too deep for the system to be looked at', () => {
  const { room, folder, at } = makeCassette();
  const half = Array.from({ length: 14 }, () => 'd'.repeat(200)).join('/');
  for (const name of ['one', 'two']) mkdirSync(join(room, name, half), { recursive: true });
  renameSync(join(room, 'two'), join(room, 'one', half, 'two'));
  renameSync(join(room, 'one'), at('one'));
  const issues = found(folder);
  expect(issues).toHaveLength(1);
  expect(issues[0]).toMatch(/^file_unreadable one\/ddd/);
});

test('readCassette() takes empty folders for nothing', () => {
  const { folder, at } = makeCassette();
  mkdirSync(at('a/b/c'), { recursive: true });
  mkdirSync(at('provider/.DS_Store'));
  expect(found(folder)).toEqual([]);
});

test.each(['a\nb', 'a\u001b[31mb', '‮txt', ' ', '-rf', '__proto__', 'constructor', 'ü', 'u\u0308', '🌷', '%2e%2e', 'con', 'a:b', 'provider\\frames.jsonl', '$.files', 'frames.jsonl.tmp', '.DS_Store ', 'x.DS_Store'])('readCassette() refuses a stray file with the name %j', (name) => {
  const { folder, at } = makeCassette();
  writeFileSync(at(name), '');
  expect(found(folder)).toEqual([`file_unexpected ${name}`]);
  const tape = makeTape();
  writeFileSync(tape.at(`provider/${name}`), '');
  expect(found(tape.folder)).toEqual([`file_unexpected provider/${name}`]);
});

test('readCassette() names a file whose name is no UTF-8', (context) => {
  const { folder } = makeCassette();
  try {
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/a`), Buffer.from([0xff])]), '');
  } catch {
    context.skip('this disk takes no such names');
  }
  expect(found(folder)).toEqual(['file_unreadable a\ufffd']);
});

test('readCassette() names a folder in the place of a file', () => {
  const { folder, at } = makeCassette();
  replace(at('expected-state.json'), (path) => mkdirSync(path));
  expect(found(folder)).toEqual(['file_missing expected-state.json']);
  writeFileSync(at('expected-state.json/x'), '');
  expect(found(folder)).toEqual(['file_unexpected expected-state.json/x', 'file_missing expected-state.json']);
});

// Content

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const inEvent = (text: string) => (draft: Draft): void => void draft.bytes.push((files) => files.set('activity-events.jsonl', Buffer.from(String(files.get('activity-events.jsonl')).replace('"note":', `"deep":${text},"note":`))));

test('readCassette() accepts a value that is nested 1000 deep, and refuses one of 100,000', () => {
  // The event, its payload and the result are three of them.
  expect(found(makeCassette(filesOf(inEvent(nested(997)))).folder)).toEqual([]);
  expect(found(makeCassette(filesOf(inEvent(nested(998)))).folder)).toEqual(['json_too_deep activity-events.jsonl:2']);
  expect(found(makeCassette(filesOf(inEvent(nested(100_000)))).folder)).toEqual(['json_too_deep activity-events.jsonl:2']);
});

test.each([
  ['cassette.json', 'cassette.json'],
  ['checkpoint-plan.json', 'checkpoint-plan.json'],
  ['expected-state.json', 'expected-state.json'],
  ['provider/manifest.json', 'provider/manifest.json'],
  ['blobs/manifest.json', 'blobs/manifest.json'],
  ['activity-events.jsonl', 'activity-events.jsonl:1'],
  ['provider/frames.jsonl', 'provider/frames.jsonl:1'],
])('readCassette() refuses 100,000 levels, a NUL byte, gzip and text posing as JSON in %s', (path, place) => {
  const rows: [code: string, bytes: Buffer][] = [
    ['json_too_deep', Buffer.from(nested(100_000))],
    ['json_too_deep', Buffer.from('{"a":'.repeat(100_000))],
    ['json_invalid', Buffer.from('{"a":"\0"}')],
    ['json_invalid', Buffer.alloc(100)],
    ['json_invalid', gzipSync('{}').subarray(0, 9)],
    ['json_invalid', Buffer.from('Dear reader,')],
    ['json_invalid', Buffer.from('{"a":1}{')],
  ];
  for (const [code, bytes] of rows) expect(found(makeCassette(filesOf(overwrite(path, bytes))).folder)).toContain(`${code} ${place}`);
});

test('readCassette() takes a line of a megabyte', () => {
  expect(found(makeCassette(filesOf(inEvent(JSON.stringify('tulip '.repeat(200_000))))).folder)).toEqual([]);
});

test.each(['18446744073709551616', '1e3', '1.0', '-1', `${'9'.repeat(10_000)}`].map((written) => [written.slice(0, 24), written]))('readCassette() refuses %s as a sequence', (_shown, written) => {
  const { folder } = makeCassette(filesOf((draft) => draft.bytes.push((files) => files.set('activity-events.jsonl', Buffer.from(String(files.get('activity-events.jsonl')).replace('"sequence":4', `"sequence":${written}`))))));
  expect(found(folder)).toEqual(['integer_invalid activity-events.jsonl:4 $.sequence']);
});

// Limits

test('readCassette() refuses a line of the events that is over its limit, and reads on behind it', () => {
  withLimits({ activityLineBytesMax: 100_000 });
  const { folder } = makeCassette(filesOf(inEvent(JSON.stringify('x'.repeat(100_000)))));
  expect(found(folder)).toEqual(['line_too_long activity-events.jsonl:2']);
});

test('readCassette() refuses a stream that holds a value without end', () => {
  withLimits({ messageBytesMax: 2_000_000 });
  const { folder } = makeCassette(filesOf((draft) => put(draft.frames[9] as Members, 'data', Buffer.from(`{"method":"x","params":"${'y'.repeat(3_000_000)}`).toString('base64'))));
  expect(found(folder)).toEqual(['stream_too_large provider/frames.jsonl:10']);
});

test.each([
  ['provider/manifest.json', 'manifestBytesMax', 'manifest_too_large'],
  ['provider/frames.jsonl', 'storedBytesMax', 'tape_too_large'],
] as const)('readCassette() refuses %s over its limit unread', (path, limit, code) => {
  const { folder, at } = makeTape();
  withLimits({ [limit]: 20_000 });
  fill(at(path), 20_001);
  expect(found(folder)).toEqual([`${code} ${path}`]);
});

// A folder that changes

test('readCassette() names a file that grows while it is read', () => {
  const { folder, at } = makeCassette();
  const grow = once(() => appendFileSync(at('provider/frames.jsonl'), '\n'));
  expect(found(folder, hooked({ message: grow }))).toEqual(['file_changed provider/frames.jsonl']);
});

test('readCassette() names a file that is replaced while it is read', () => {
  const { room, folder, at } = makeCassette();
  writeFileSync(join(room, 'other'), readFileSync(at('provider/frames.jsonl')));
  const swap = once(() => renameSync(join(room, 'other'), at('provider/frames.jsonl')));
  expect(found(folder, hooked({ message: swap }))).toEqual(['file_changed provider/frames.jsonl']);
});

test.each<[string, (at: (path: string) => string) => void, string]>([
  ['was read before it is written again', (at) => appendFileSync(at('cassette.json'), ' '), 'cassette.json'],
  ['has yet to be read when it is written', (at) => appendFileSync(at('expected-state.json'), ' '), 'expected-state.json'],
  ['goes away before it is read', (at) => rmSync(at('checkpoint-plan.json')), 'checkpoint-plan.json'],
  ['appears', (at) => writeFileSync(at('late'), ''), 'late'],
  ['becomes a folder', (at) => replace(at('checkpoint-plan.json'), (path) => mkdirSync(path)), 'checkpoint-plan.json'],
])('readCassette() names a file of its folder that %s while the cassette is read', (_title, change, path) => {
  const { folder, at } = makeCassette();
  expect(found(folder, hooked({ manifest: once(() => change(at)) }))).toEqual([`file_changed ${path}`]);
});

test('readCassette() does not follow a link that takes the place of a folder while it reads', () => {
  const { room, folder, at } = makeCassette();
  const frames = readFileSync(at('provider/frames.jsonl'));
  const swap = once(() => {
    renameSync(at('provider'), join(room, 'aside'));
    mkdirSync(join(room, 'target'));
    writeFileSync(join(room, 'target/frames.jsonl'), frames);
    canary = watchCanary(join(room, 'target/frames.jsonl'));
    symlinkSync(join(room, 'target'), at('provider'));
  });
  let canary: ReturnType<typeof watchCanary> | null = null;
  expect(found(folder, hooked({ manifest: swap }))).toEqual(['file_changed provider/frames.jsonl', 'file_changed provider', 'file_changed provider/manifest.json']);
  (canary as ReturnType<typeof watchCanary> | null)?.expectUntouched();
});

test('readCassette() names a folder that goes away while it is read', () => {
  const { folder } = makeCassette();
  const issues = found(folder, hooked({ manifest: once(() => rmSync(folder, { recursive: true })) }));
  expect(new Set(issues.map((issue) => issue.split(' ')[0]))).toEqual(new Set(['file_changed']));
});

// What is no cassette

test('readCassette() says what a folder lacks to be one', () => {
  const room = makeRoom();
  writeFileSync(join(room, 'file'), '{}');
  mkdirSync(join(room, 'empty'));
  mkdirSync(join(room, 'text'));
  writeFileSync(join(room, 'text/notes.txt'), '');
  symlinkSync('nowhere', join(room, 'dangling'));
  const check = (path: string) => found(join(room, path));
  expect(check('absent')).toEqual(['cassette_missing .']);
  expect(check('file')).toEqual(['cassette_missing .']);
  expect(check('dangling')).toEqual(['cassette_missing .']);
  expect(check('file/below')).toEqual(['cassette_missing .']);
  expect(check('a\0b')).toEqual(['cassette_missing .']);
  expect(check('x'.repeat(5_000))).toEqual(['cassette_missing .']);
  expect(check('empty')).toEqual(['manifest_missing provider/manifest.json', 'frames_missing provider/frames.jsonl']);
  expect(check('text')).toEqual(['cassette_manifest_missing .']);
});

test('readCassette() takes a tape with another file beside it for a cassette without manifest', () => {
  const { folder, at } = makeTape();
  expect(found(folder)).toEqual([]);
  writeFileSync(at('notes.txt'), '');
  expect(found(folder)).toEqual(['cassette_manifest_missing .']);
});

test('readCassette() refuses further files in a tape', () => {
  const { folder, at } = makeTape();
  writeFileSync(at('provider/notes.txt'), '');
  mkdirSync(at('provider/deep'));
  writeFileSync(at('provider/deep/frames.jsonl'), '');
  writeFileSync(at('provider/.DS_Store'), '');
  writeFileSync(at('.DS_Store'), '');
  expect(found(folder)).toEqual(['file_unexpected provider/deep/frames.jsonl', 'file_unexpected provider/notes.txt']);
});

// A recording that is not yet published

test('readCassette() refuses what a candidate has too much and what it lacks, before there is an inventory', () => {
  const { folder, at } = makeCassette(filesOf(() => {}, { isCandidate: true }));
  const check = () => found(folder, { levels: ['publish'] });
  expect(check()).toEqual([]);
  writeFileSync(at('daemon.log'), '');
  writeFileSync(at('.recording/notes'), '');
  rmSync(at('expected-state.json'));
  expect(check()).toEqual(['file_unexpected daemon.log', 'file_missing expected-state.json']);
});

test.each(['activity-events.jsonl', 'checkpoint-plan.json', '.recording/observation-journal.jsonl'])('readCassette() refuses a link in the place of %s in a candidate and does not follow it', (path) => {
  const { room, folder, at } = makeCassette(filesOf(() => {}, { isCandidate: true }));
  renameSync(at(path), join(room, 'target'));
  symlinkSync(join(room, 'target'), at(path));
  const canary = watchCanary(join(room, 'target'));
  expect(found(folder, { levels: ['publish'] })).toEqual([`file_not_regular ${path}`]);
  canary.expectUntouched();
});

// What is asked beside the folder

test('readCassette() compares the manifest with what somebody has written down', () => {
  const { folder } = makeCassette();
  expect(found(folder, { pinnedSha256: '0'.repeat(64) })).toEqual(['manifest_sha256_mismatch cassette.json $']);
  expect(found(makeTape().folder, { pinnedSha256: '0'.repeat(64) })).toEqual(['manifest_sha256_mismatch provider/manifest.json $']);
  expect(found(folder, { pinnedSha256: '' })).toEqual([]);
});

test('readCassette() compares the id with the one that was asked for', () => {
  const { folder } = makeCassette();
  expect(found(folder, { expectedId: 'another' })).toEqual(['cassette_id_mismatch cassette.json $.id']);
  expect(found(folder, { expectedId: '3f0c6f52-6f0e-4b0b-8f5e-0d1f6b9f1a01' })).toEqual([]);
});

test('readCassette() compares the events with what the recording accepted', () => {
  const { folder } = makeCassette(filesOf(() => {}, { isCandidate: true }));
  expect(found(folder, { levels: ['publish'], acceptedEventCount: 4 })).toEqual([]);
  expect(found(folder, { levels: ['publish'], acceptedEventCount: 5 })).toEqual(['activity_count_mismatch activity-events.jsonl']);
});

test('readCassette() refuses domains that the profile of a product does not have', () => {
  const { folder } = makeCassette(filesOf(() => {}, { shape: 'mode, workflows and issues' }));
  expect(found(folder, { profile: semanticProfiles.tutti })).toEqual([]);
  expect(found(folder, { profile: semanticProfiles.agent })).toEqual(['$.tuttiMode.activations', '$.tuttiMode.turnSnapshots', '$.workflows', '$.issues'].map((path) => `state_domain_unsupported expected-state.json ${path}`));
});

test('readCassette() judges a state of a registered format by that format alone, and refuses an unregistered one', () => {
  const { folder } = makeCassette(filesOf((draft) => {
    put(draft.cassette, 'stateFormat', 'garden.v1');
    draft.expected = { tulips: 12, workspaceId: 'is no matter of ours' };
  }));
  const seen: unknown[] = [];
  const garden: StateFormat = { id: 'garden.v1', check: (value) => void seen.push(value) };
  expect(found(folder, { stateFormats: createStateFormats([garden]) })).toEqual([]);
  expect(seen).toEqual([{ tulips: 12, workspaceId: 'is no matter of ours' }]);
  expect(found(folder)).toEqual(['state_format_unknown cassette.json $.stateFormat']);
  const strict: StateFormat = { ...garden, check: (_value, { file }, report) => report({ code: 'state_invalid', file, path: '$.tulips', is: 'it is 12', needed: '13 were needed' }) };
  expect(found(folder, { stateFormats: createStateFormats([strict]) })).toEqual(['state_invalid expected-state.json $.tulips']);
});

test('readCassette() refuses a provider that nothing plays only where it is to be played', () => {
  const { folder } = makeCassette(filesOf(() => {}, { shape: 'claude-code' }));
  expect(found(folder)).toEqual([]);
  for (const withLanes of [true, false]) expect(found(folder, { isForPlayback: true, withLanes })).toEqual(['provider_without_player provider/manifest.json $.connections[0].provider']);
  for (const withLanes of [true, false]) expect(found(makeCassette().folder, { isForPlayback: true, withLanes })).toEqual([]);
});

// Helpers

function makeTape(): ReturnType<typeof makeCassette> {
  return makeCassette(new Map([...writeDraft(findShape('create-session').make())].filter(([path]) => path.startsWith('provider/'))));
}

const overwrite = (path: string, bytes: Buffer) => (draft: Draft): void =>
  void (path === 'cassette.json' ? draft.lateBytes : path === 'provider/manifest.json' ? draft.bytes : draft.bytes).push((files) => files.set(path, bytes));

/** A file whose content and whose time of reading must stay as they are. */
function watchCanary(path: string): { expectUntouched: () => void } {
  if (!existsSync(path)) writeFileSync(path, '{"canary":true}');
  const content = readFileSync(path);
  // Older than the last change, so that every disk moves it when the file is read.
  utimesSync(path, new Date(1_000_000), new Date(2_000_000));
  const before = statSync(path);
  return {
    expectUntouched() {
      const after = statSync(path);
      expect([after.atimeMs, after.mtimeMs, after.size, after.ino]).toEqual([before.atimeMs, before.mtimeMs, before.size, before.ino]);
      expect(readFileSync(path)).toEqual(content);
    },
  };
}

function once(change: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) change();
    isDone = true;
  };
}

/** `manifest` runs when the manifest of the tape has been read, `message` inside of the frames. */
function hooked(hooks: { manifest?: () => void; message?: () => void }): Partial<ReadCassetteOptions> {
  return {
    findProvider: (name) => {
      hooks.manifest?.();
      const provider = findProvider(name);
      if (!provider) return null;
      const createObserver = () => {
        const observer = provider.createObserver();
        return { ...observer, see: (...args: Parameters<typeof observer.see>) => (hooks.message?.(), observer.see(...args)), open: () => observer.open() };
      };
      return { ...provider, createObserver };
    },
  };
}

test('readCassette() shows no secret in whatever it says', () => {
  const secret = ['gh', 'p_', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('');
  const { folder, at } = makeCassette(filesOf((draft) => {
    draft.events.push(valueAt(draft, 'events[0]'));
    Object.assign(draft.events[4] as object, { sequence: 5, eventId: 'ev-5', causedByEventId: secret, type: secret });
    draft.bytes.push((files) => files.set('checkpoint-plan.json', Buffer.from(String(files.get('checkpoint-plan.json')).replace('{', `{"${secret}":1,"${secret}":2,`))));
  }));
  writeFileSync(at(`${secret}.log`), '');
  const { issues } = readCassette({ folder, findProvider });
  expect(issues.map(({ code }) => code)).toEqual(expect.arrayContaining(['intent_unknown', 'cause_forbidden', 'json_member_repeated', 'file_unexpected', 'secret_found']));
  expect(JSON.stringify(issues)).not.toContain(secret.slice(4, 16));
});
