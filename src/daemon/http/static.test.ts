import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from './fixtures/open-server.ts';
import { contentSecurityPolicy } from './static.ts';

function rendererDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'playhead-static-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const root = join(folder, 'renderer');
  mkdirSync(join(root, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(root, 'index.html'), '<!doctype html>');
  writeFileSync(join(root, 'assets/app-1a2b.js'), 'export {};');
  writeFileSync(join(root, '.hidden.txt'), 'secret');
  symlinkSync(join(folder, 'secret.txt'), join(root, 'linked.txt'));
  return root;
}

async function check(url: string, expected: { status: number; type?: string; cache?: string }) {
  const { ask } = await openServer({ rendererDir: rendererDir() });
  const { status, headers, body } = await ask({ url, token: null });
  expect(JSON.stringify(body)).not.toContain('secret');
  expect(status).toBe(expected.status);
  if (status !== 200) return;
  expect({ type: headers['content-type'], cache: headers['cache-control'] }).toEqual({ type: expected.type, cache: expected.cache });
  expect(headers).toMatchObject({ 'content-security-policy': contentSecurityPolicy, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
}

const html = { status: 200, type: 'text/html; charset=utf-8', cache: 'no-store' };
test('/ is the page, without a token', () => check('/', html));
test('the page has its own name too', () => check('/index.html?x=1', html));
test('an asset is asked for anew, because its name does not follow from it', () => check('/assets/app-1a2b.js', { status: 200, type: 'text/javascript; charset=utf-8', cache: 'no-store' }));
test('what is not there is 404', () => check('/assets/other.js', { status: 404 }));
test('a folder is 404', () => check('/assets', { status: 404 }));
test('a way up is 404', () => check('/../secret.txt', { status: 404 }));
test('a coded way up is 404', () => check('/%2e%2e/secret.txt', { status: 404 }));
test('a coded separator is 404', () => check('/..%2fsecret.txt', { status: 404 }));
test('a wrong code is 400', () => check('/%', { status: 400 }));
test('a NUL is 404', () => check('/index.html%00', { status: 404 }));
test('a hidden file is 404', () => check('/.hidden.txt', { status: 404 }));
test('a link to the outside is 404', () => check('/linked.txt', { status: 404 }));

test('HEAD gives the headers alone', async () => {
  const { ask } = await openServer({ rendererDir: rendererDir() });
  const { status, headers, body } = await ask({ method: 'HEAD', url: '/', token: null });
  expect({ status, length: headers['content-length'], body }).toEqual({ status: 200, length: '15', body: null });
});
