/** What looks odd and must be accepted all the same (issue 3, bad input; cassette-contract 0.1, 0.3, 0.6). */

import { expect, test } from 'vitest';
import { Raw, type Draft, type Files, type Members } from '../../../fixtures/cassettes/draft.ts';
import { put } from '../../../fixtures/cassettes/edit.ts';
import { findProvider } from '../../../src/providers/registry.ts';
import { readCassette } from '../../../src/runner/read-cassette.ts';
import type { FindProvider } from '../../../src/tape/tape-loader.ts';
import type { Json } from '../../../src/core/json/exact.ts';
import { filesOf, found, makeCassette } from './room.ts';

const documents = ['cassette.json', 'checkpoint-plan.json', 'expected-state.json', 'initial-state.json', 'provider/manifest.json', 'blobs/manifest.json'];
const records = ['activity-events.jsonl', 'provider/frames.jsonl'];
type Change = (draft: Draft) => void;

const checkAll = (change: Change, shape = 'create-session'): string[] => found(makeCassette(filesOf(change, { shape })).folder);

const check = checkAll;

test.each(records)('a carriage return before each line feed is accepted in %s', (path) => {
  expect(check(rewrite(path, (text) => text.replaceAll('\n', '\r\n')))).toEqual([]);
});

test.each(documents)('line ends of two characters are accepted in %s', (path) => {
  expect(check(rewrite(path, (text) => text.replaceAll('\n', '\r\n')), 'continue-session')).toEqual([]);
});

test.each(records)('a last line without line feed is accepted in %s', (path) => {
  expect(check(rewrite(path, (text) => text.slice(0, -1)))).toEqual([]);
  expect(check(rewrite(path, (text) => text.replaceAll('\n', '\r\n').slice(0, -1)))).toEqual([]);
});

test.each(['\n', '\r\n', '\r'])('%j inside the base64 of a frame is accepted', (end) => {
  const change: Change = (draft) => draft.frames.forEach((frame) => put(frame as Members, 'data', String((frame as Members).data).replace(/(.{20})/g, `$1${end}`)));
  expect(check(change)).toEqual([]);
  expect(messagesOf(change)).toEqual(messagesOf(() => {}));
});

test('two dots are accepted inside the paths of a payload', () => {
  expect(check((draft) => {
    put(draft.events[1] as Members, 'payload.result', { note: '../../etc/passwd', files: ['a/../b', '..', '..\\x'] });
    put(draft.expected, 'agent.sessions[0].messages[0].payload.text', 'See ../other/../../file');
    put(draft.frames[9] as Members, 'data', Buffer.from('{"method":"item/agentMessage/delta","params":{"itemId":"item-1","delta":"../../x","file":"../y"}}\n').toString('base64'));
  })).toEqual([]);
});

test('bytes that are no UTF-8 become U+FFFD in a document, in a line and in a frame', () => {
  const broken = (mark: string, path: string): Change => (draft) => void draft.bytes.push((files) => files.set(path, spoil(files.get(path), mark)));
  const change: Change = (draft) => {
    put(draft.events[3] as Members, 'payload.result', { note: '@@' });
    put(draft.expected, 'agent.sessions[0].title', '@@');
    put(draft.frames[9] as Members, 'data', spoil(Buffer.from('{"method":"item/agentMessage/delta","params":{"itemId":"item-1","delta":"@@"}}\n'), '@@').toString('base64'));
    broken('@@', 'activity-events.jsonl')(draft);
    broken('@@', 'expected-state.json')(draft);
  };
  expect(check(change)).toEqual([]);
  expect(messagesOf(change)[9]).toEqual({ method: 'item/agentMessage/delta', params: { itemId: 'item-1', delta: '\ufffd\ufffd' } });
  const named: Change = (draft) => {
    put(draft.cassette, 'name', '@@');
    draft.lateBytes.push((files) => files.set('cassette.json', spoil(files.get('cassette.json'), '@@')));
  };
  expect(read(named).manifest?.name).toBe('\ufffd\ufffd');
});

test('a lone surrogate becomes U+FFFD', () => {
  const change: Change = (draft) => {
    put(draft.cassette, 'name', '@@');
    draft.lateBytes.push((files) => files.set('cassette.json', Buffer.from(String(files.get('cassette.json')).replace('@@', '\\ud800x'))));
  };
  expect(check(change)).toEqual([]);
  expect(read(change).manifest?.name).toBe('\ufffdx');
});

test.each(documents)('a member that nobody knows is accepted in %s', (path) => {
  expect(check(rewrite(path, (text) => text.replace('{', '{"x-future": {"deep": [1, 2.5, 1e21, null, {}]},')), 'continue-session')).toEqual([]);
});

test.each(records)('a member that nobody knows is accepted in every line of %s', (path) => {
  expect(check(rewrite(path, (text) => text.replace(/^\{/gm, '{"x-future":{"deep":[1,2.5,1e21,null,{}]},')))).toEqual([]);
});

test('a member that is null is one that is absent', () => {
  expect(check((draft) => {
    for (const member of ['settings', 'interactions', 'activeTurnId', 'goal', 'title']) put(draft.expected, `agent.sessions[0].${member}`, null);
    for (const frame of draft.frames) Object.assign(frame as Members, { exitCode: null, message: null });
    put(draft.plan, 'checkpoints[0].subjects', null);
  })).toEqual([]);
});

test.each([...documents, ...records])('a member that stands twice is a warning in %s, and the cassette is valid', (path) => {
  const issues = check(rewrite(path, (text) => text.replace('{', '{"x-twice":1,"x-twice":2,')), 'continue-session');
  expect(issues).toEqual([`(json_member_repeated ${path}${records.includes(path) ? ':1' : ''} $["x-twice"])`]);
});

test('of a member that stands twice the last one counts', () => {
  const change: Change = (draft) => void draft.lateBytes.push((files) => files.set('cassette.json', Buffer.from(String(files.get('cassette.json')).replace('"name":', '"name": "first", "name":'))));
  expect(read(change).manifest?.name).toBe('A greeting');
  expect(read(change).issues.map(({ severity }) => severity)).toEqual(['warning']);
});

test.each(documents)('members named __proto__ and constructor are harmless in %s', (path) => {
  expect(check(rewrite(path, (text) => text.replace(/\{(?=\s*["\n])/g, `{${hostile}`)), 'continue-session')).toEqual([]);
  expectClean();
});

test.each(records)('members named __proto__ and constructor are harmless in every line of %s', (path) => {
  expect(check(rewrite(path, (text) => text.replaceAll('{"', `{${hostile}"`)))).toEqual([]);
  expectClean();
});

test('members named __proto__ and constructor are harmless in the messages of a tape', () => {
  expect(check((draft) => draft.frames.forEach((frame) => {
    const text = Buffer.from(String((frame as Members).data), 'base64').toString();
    put(frame as Members, 'data', Buffer.from(text.replaceAll('{"', `{${hostile}"`)).toString('base64'));
  }))).toEqual([]);
  expectClean();
});

test('integers up to the end of their type are exact', () => {
  const cursors = (first: string, second: string): Change => (draft) => {
    put(draft.plan, 'checkpoints[2].cursor.providerConnections[0].chunkSeq', new Raw(first));
    put(draft.plan, 'checkpoints[3].cursor.providerConnections[0].chunkSeq', new Raw(second));
  };
  const [last, most] = ['18446744073709551614', '18446744073709551615'];
  // No tape is that long, which is another rule.
  const check = (change: Change) => checkAll(change).filter((line) => !line.startsWith('cursor_beyond_tape '));
  // As floats the two were one number, and the order could not be seen.
  expect(check(cursors(last, most))).toEqual([]);
  expect(check(cursors(most, last))).toEqual(['cursor_provider_backward checkpoint-plan.json $.checkpoints[3].cursor.providerConnections[0]']);
  expect(check(cursors(most, '18446744073709551616'))).toEqual(['integer_invalid checkpoint-plan.json $.checkpoints[3].cursor.providerConnections[0].chunkSeq']);
});

test('files named .DS_Store are passed over, at any depth', () => {
  const change: Change = (draft) => void draft.lateBytes.push((files) => ['.DS_Store', 'provider/.DS_Store', 'blobs/.DS_Store', 'blobs/sha256/.DS_Store', 'deep/er/.DS_Store'].forEach((path) => files.set(path, Buffer.from('Bud1\0'))));
  expect(check(change)).toEqual([]);
});

test('white space around a document is accepted', () => {
  for (const path of documents) expect(check(rewrite(path, (text) => ` \r\n\t${text}\n\n `), 'continue-session')).toEqual([]);
});

// Helpers

const hostile = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":null,';

function expectClean(): void {
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
  expect(String({})).toBe('[object Object]');
}

/** Rewrites a file before its hash is written down, wherever one is. */
function rewrite(path: string, change: (text: string) => string): Change {
  return (draft) => {
    const apply = (files: Files): void => void files.set(path, Buffer.from(change(String(files.get(path)))));
    if (path === 'cassette.json') draft.lateBytes.push(apply);
    // The manifest of the tape is written last of all that is hashed; it stays as it would be, but for the change.
    else if (path === 'provider/manifest.json') draft.bytes.push((files) => void files.set(path, filesOf(() => {}, { shape: draft.initial === null ? 'create-session' : 'continue-session' }).get(path) ?? Buffer.alloc(0)), apply);
    else draft.bytes.push(apply);
  };
}

/** Two bytes that no UTF-8 holds in the place of a mark of two. */
function spoil(bytes: Buffer | undefined, mark: string): Buffer {
  const copy = Buffer.from(bytes ?? []);
  for (let at = copy.indexOf(mark); at >= 0; at = copy.indexOf(mark)) copy.set([0xff, 0xfe], at);
  return copy;
}

const read = (change: Change, find: FindProvider = findProvider) => readCassette({ folder: makeCassette(filesOf(change)).folder, findProvider: find, levels: ['resolve', 'tape_load', 'runner'] });

/** What an observer of the tape is shown. */
function messagesOf(change: Change): Json[] {
  const messages: Json[] = [];
  read(change, (name) => {
    const provider = findProvider(name);
    return provider && { ...provider, createObserver: () => ({ see: (_direction, message) => (messages.push(message), []), open: () => [] }) };
  });
  return messages;
}
