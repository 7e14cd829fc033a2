import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import type { JsonObject } from '../json/exact.ts';
import { inlineAssets } from './inline-assets.ts';
import { localizePayload, projectPayload } from './project-payload.ts';

/** `/link` is a symlink to `/real`. */
const resolvePath = (path: string) => path.replace(/^\/link(?=\/|$)/, '/real').replace(/(.)\/$/, '$1');
const check = (type: string, payload: JsonObject, projected: JsonObject) => expect(projectPayload({ type, payload }, resolvePath)).toEqual(projected);

const placed = (cwd: string, path: string, section = `project:${path}`): JsonObject => ({ title: cwd, cwd, railSectionKey: section, railPlacement: { projectPath: path, sectionKey: section, order: 1 } });
const portable = (title: string, path: string, section = `project:${path}`): JsonObject => ({ ...placed(title, path, section), cwd: '${REPLAY_CWD}' });

test.each(['activation/requested', 'session/activate', 'session.create'])('projectPayload() makes the four paths of %s portable, and no text', (type) => {
  check(type, placed('/real/p', '/real/p'), portable('/real/p', '${REPLAY_CWD}'));
  check(type, { ...placed('/real/p', '/real/p/a/b'), content: [{ type: 'text', text: 'see /real/p' }] }, { ...portable('/real/p', '${REPLAY_CWD}/a/b'), content: [{ type: 'text', text: 'see /real/p' }] });
});

test.each<[string, string, JsonObject, JsonObject]>([
  ['resolves symlinks on both sides', 'session.create', placed('/link/p', '/real/p/a'), portable('/link/p', '${REPLAY_CWD}/a')],
  ['leaves paths outside alone', 'session.create', placed('/real/p', '/real/other'), portable('/real/p', '/real/other')],
  ['leaves a folder alone that only begins alike', 'session.create', placed('/real/p', '/real/pp'), portable('/real/p', '/real/pp')],
  ['keeps sections that name no project', 'session.create', placed('/real/p', '/real/p', 'conversations'), portable('/real/p', '${REPLAY_CWD}', 'conversations')],
  ['projects nothing without a working directory', 'session.create', placed(' ', '/real/p'), placed(' ', '/real/p')],
  ['projects nothing of other events', 'submit/requested', placed('/real/p', '/real/p'), placed('/real/p', '/real/p')],
  ['changes nothing that is portable', 'session/activate', portable('x', '${REPLAY_CWD}/a'), portable('x', '${REPLAY_CWD}/a')],
  ['knows the root folder', 'session.create', placed('/', '/a'), portable('/', '${REPLAY_CWD}/a')],
  ['writes slashes for a path of Windows', 'session.create', placed('C:\\p', 'C:\\p\\a\\b'), portable('C:\\p', '${REPLAY_CWD}/a/b')],
  ['keeps a backslash that is part of a name', 'session.create', placed('/real/p', '/real/p/a\\b'), portable('/real/p', '${REPLAY_CWD}/a\\b')],
  ['leaves values alone that are no texts', 'session.create', { cwd: '/real/p', railPlacement: [1], railSectionKey: 2 }, { cwd: '${REPLAY_CWD}', railPlacement: [1], railSectionKey: 2 }],
])('projectPayload() %s', (_title, type, payload, projected) => check(type, payload, projected));

test('localizePayload() puts the live project folder in the same four places', () => {
  expect(localizePayload({ type: 'session/activate', payload: portable('${REPLAY_CWD}', '${REPLAY_CWD}/a') }, '/live')).toEqual({ ...placed('/live', '/live/a'), title: '${REPLAY_CWD}' });
  const other = portable('x', '${REPLAY_CWD}');
  expect(localizePayload({ type: 'submit/requested', payload: other }, '/live')).toBe(other);
});

const files = new Map([['/real/assets/a.png', Buffer.from('picture')]]);
const assets = { folder: '/link/assets', resolvePath, read: (path: string, bytesMax: number) => (bytesMax === 20_971_520 ? (files.get(path) ?? null) : null) };
const checkAssets = (payload: JsonObject, result: JsonObject | string) => {
  const found = inlineAssets(payload, assets);
  expect('refusal' in found ? found.refusal.path : found.payload).toEqual(result);
};

const image = { type: 'image', mimeType: 'image/png', path: '/link/assets/a.png' };
const inlined = { type: 'image', mimeType: 'image/png', data: 'cGljdHVyZQ==' };
test.each(['content', 'runtimeContent', 'initialContent'])('inlineAssets() replaces the path of an image in %s by its bytes', (key) => {
  checkAssets({ a: 1, [key]: [{ type: 'text', text: 'x' }, image] }, { a: 1, [key]: [{ type: 'text', text: 'x' }, inlined] });
});

test.each<[string, JsonObject, JsonObject | string]>([
  ['leaves images without path alone', { content: [inlined, { type: 'image', path: ' ' }, 'x', null] }, { content: [inlined, { type: 'image', path: ' ' }, 'x', null] }],
  ['leaves other blocks and members alone', { content: [{ type: 'file', path: '/x' }], images: [image] }, { content: [{ type: 'file', path: '/x' }], images: [image] }],
  ['refuses a file elsewhere', { content: ['x', { ...image, path: '/real/secret.png' }] }, '$.payload.content[1].path'],
  ['refuses the folder itself', { content: [{ ...image, path: '/real/assets' }] }, '$.payload.content[0].path'],
  ['refuses a file that is not there', { initialContent: [{ ...image, path: '/real/assets/b.png' }] }, '$.payload.initialContent[0].path'],
])('inlineAssets() %s', (_title, payload, result) => checkAssets(payload, result));
