import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collectCanaries } from './canaries.ts';

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'playhead-home-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const check = (env: NodeJS.ProcessEnv, names: string[]) => expect(collectCanaries({ env, home }).map(({ name }) => name)).toEqual(names);

test('collectCanaries() takes credentials of the environment by name, each value once', () => {
  check({ GARDEN_API_KEY: 'tulip-and-rose', OTHER_TOKEN: 'tulip-and-rose', DB_PASSWORD: 'dig deeper', PATH: '/usr/bin', EMPTY_SECRET: '' }, ['GARDEN_API_KEY', 'DB_PASSWORD']);
});

test('collectCanaries() leaves out names of files', () => {
  check({ CLOUD_CREDENTIALS: '/home/gardener/cloud.json', WINDOWS_KEY: 'C:\\keys' }, []);
});

test('collectCanaries() reads the logins of providers', () => {
  mkdirSync(join(home, '.codex'));
  writeFileSync(join(home, '.codex/auth.json'), JSON.stringify({ OPENAI_API_KEY: null, tokens: { access_token: 'a-long-value', account_id: 'acc' } }));
  check({}, ['.codex/auth.json access_token']);
});
