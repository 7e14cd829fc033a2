import { expect, test } from 'vitest';
import type { Json } from '../json/exact.ts';
import { canonicalFileChanges } from './file-changes.ts';

const diff = '@@ -1 +1 @@\n-a\n+b';
const check = (files: Json, canonical: Json | undefined) => {
  const found = canonicalFileChanges({ files });
  expect(found?.['files']).toEqual(canonical);
  expect(canonicalFileChanges(found)).toEqual(found);
};

test.each<[string, Json, Json | undefined]>([
  ['an added body', [{ path: 'x', change: 'added', newString: 'a\n' }], [{ path: 'x', change: 'added', newString: 'a' }]],
  ['an added body under the name of a diff', [{ path: 'x', change: 'added', diff: 'a', unifiedDiff: 'a' }], [{ path: 'x', change: 'added', newString: 'a' }]],
  ['a modified body under the name of a diff', [{ path: 'x', kind: 'update', patch: 'a\r\n' }], [{ path: 'x', change: 'modified', newString: 'a' }]],
  ['a deleted body under the name of a diff', [{ path: 'x', status: 'removed', unified_diff: 'a' }], [{ path: 'x', change: 'deleted', oldString: 'a' }]],
  ['a body and no word for the change', [{ path: 'x', diff: 'a' }], [{ path: 'x', change: 'added', newString: 'a' }]],
  ['a diff and no word for the change', [{ path: 'x', patch: `${diff}\n` }], [{ path: 'x', change: 'modified', diff, unifiedDiff: diff }]],
  ['a body before the diff', [{ path: 'x', diff: 'a', unifiedDiff: diff, change: 'edit' }], [{ path: 'x', change: 'modified', diff, unifiedDiff: diff }]],
  ['a body beside a new text', [{ path: 'x', change: 'edit', diff: 'a', newText: 'b' }], [{ path: 'x', change: 'modified', newString: 'b' }]],
  ['an old text alone', [{ path: 'x', old_string: 'a' }], [{ path: 'x', change: 'deleted', oldString: 'a' }]],
  ['a new text alone', [{ path: 'x', new_string: 'a' }], [{ path: 'x', change: 'added', newString: 'a' }]],
  ['both texts', [{ path: 'x', oldText: 'a', newText: 'b' }], [{ path: 'x', change: 'modified', oldString: 'a', newString: 'b' }]],
  ['an empty new text', [{ path: 'x', newString: '', newText: 'b' }], [{ path: 'x', change: 'added', newString: '' }]],
  ['content alone', [{ path: 'x', content: 'a\n' }], [{ path: 'x', change: 'added', newString: 'a', content: 'a' }]],
  ['content of a deleted file', [{ path: 'x', change: 'delete', content: 'a' }], [{ path: 'x', change: 'deleted', content: 'a' }]],
  ['a word inside an object', [{ path: 'x', kind: { type: 'write_file' } }], [{ path: 'x', change: 'added' }]],
  ['a word that nobody knows before one that is known', [{ path: 'x', change: 'odd', type: 'Delete' }], [{ path: 'x', change: 'deleted' }]],
  ['other names of the path', [{ path: ' ', filePath: '', file_path: ' y ', relativePath: 'z', change: 'add' }], [{ path: 'y', change: 'added' }]],
  ['a file without a path', [{ change: 'add' }], undefined],
  ['a file without change or body', [{ path: 'x' }, null, 5], undefined],
  ['other members', [{ path: 'x', change: 'add', id: 'i' }], [{ path: 'x', change: 'added' }]],
  ['added, then modified', [{ path: 'x', change: 'add', newString: 'a' }, { path: 'x', change: 'edit', oldString: 'a', newString: 'b' }], [{ path: 'x', change: 'added', newString: 'b' }]],
  ['modified twice', [{ path: 'x', oldString: 'a', newString: 'b' }, { path: 'x', oldString: 'b', newString: 'c' }], [{ path: 'x', change: 'modified', oldString: 'a', newString: 'c' }]],
  ['deleted, then added', [{ path: 'x', change: 'delete' }, { path: 'x', change: 'add', newString: 'a' }], [{ path: 'x', change: 'modified', newString: 'a' }]],
  ['deleted with content, then modified', [{ path: 'x', change: 'delete', content: 'a' }, { path: 'x', change: 'edit' }], [{ path: 'x', change: 'modified', newString: 'a', content: 'a' }]],
  ['modified, then deleted', [{ path: 'x', change: 'edit' }, { path: 'x', change: 'delete' }], [{ path: 'x', change: 'deleted' }]],
  ['added, then deleted', [{ path: 'x', change: 'add' }, { path: 'x', change: 'delete' }], undefined],
  ['added, deleted and added again in its first place', [{ path: 'x', change: 'add' }, { path: 'y', change: 'add' }, { path: 'x', change: 'delete' }, { path: 'x', change: 'edit' }], [{ path: 'x', change: 'modified' }, { path: 'y', change: 'added' }]],
  ['no list', {}, undefined],
  ['no files', [], undefined],
])('canonicalFileChanges() of %s', (_title, files, canonical) => check(files, canonical));

test.each<[string, Json | undefined, Json | undefined]>([
  ['coverage is trimmed', { files: [{ path: 'x', change: 'add' }], coverage: ' part ', extra: 1 }, { files: [{ path: 'x', change: 'added' }], coverage: 'part' }],
  ['blank coverage is none', { files: [{ path: 'x', change: 'add' }], coverage: ' ' }, { files: [{ path: 'x', change: 'added' }] }],
  ['a text is none', 'x', undefined],
  ['nothing is none', undefined, undefined],
])('canonicalFileChanges(): %s', (_title, value, canonical) => expect(canonicalFileChanges(value)).toEqual(canonical));
