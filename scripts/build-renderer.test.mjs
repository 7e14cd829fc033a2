import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRenderer } from './build-renderer.mjs';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playhead-'));
  await buildRenderer(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = (name) => readFile(join(folder, name), 'utf8');

test('buildRenderer() writes one page, one script, one sheet and one font, under the same names each time', async () => {
  const files = (await readdir(folder, { recursive: true })).sort();
  expect(files).toEqual(['assets', 'assets/app.css', 'assets/app.js', 'assets/inter-latin-wght-normal.woff2', 'index.html']);
});

test('buildRenderer() leaves nothing inline that the content policy would refuse', async () => {
  const page = await read('index.html');
  expect(page).not.toMatch(/<style| style=| on[a-z]+=/);
  expect([...page.matchAll(/<script[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual(['']);
});

test('buildRenderer() names no address outside of the app', async () => {
  const addresses = [...`${await read('index.html')}${await read('assets/app.css')}`.matchAll(/(?:url\(|src=|href=)["']?([^"')]+)/g)].map(([, address]) => address);
  expect(addresses).toEqual(['./assets/app.js', './assets/app.css', './inter-latin-wght-normal.woff2']);
});

test('buildRenderer() keeps identifiers, so that a test can patch what it wants to see caught', async () => {
  expect(await read('assets/app.js')).toContain('function ApprovalCard(');
});
