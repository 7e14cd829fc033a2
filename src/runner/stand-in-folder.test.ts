import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createStandInFolder, openSharedFolder } from './stand-in-folder.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function makeShared(mode: 'replay' | 'record'): string {
  const path = mkdtempSync(join(tmpdir(), 'shared-'));
  folders.push(path);
  return createStandInFolder({ path, mode, providers: [{ id: 'codex', homeEnv: [] }], programs: '/programs' }).path;
}

const modes = ['replay', 'record'] as const;
test.each(modes.flatMap((made) => modes.map((run) => [made, run] as const)))('a folder made for %s takes a run of mode %s only where they are the same', (made, run) => {
  const open = () => openSharedFolder(makeShared(made), run).mode;
  if (made === run) return expect(open()).toBe(run);
  expect(open).toThrow(expect.objectContaining({
    code: 'option_invalid',
    message: `Cannot register a run of mode "${run}": the shared stand-in folder was made for mode "${made}", one of the run's mode was needed`,
    next: [`Set PLAYHEAD_MODE=${run} before shimEnv() is called`],
  }));
});

test('a project folder is registered once at a time, and its path stands beside the message', () => {
  const folder = openSharedFolder(makeShared('replay'), 'replay');
  const route = { socket: '/x.sock', prefixes: ['/srv/lab/app'], initialize: null };
  const release = folder.register('first', route);
  expect(() => folder.register('second', route)).toThrow(expect.objectContaining({ code: 'cwd_taken', at: '/srv/lab/app', message: expect.not.stringContaining('/srv') }));
  release();
  folder.register('second', route)();
});

test('env() gives a product neither home nor keys of the person, unless they are asked for', () => {
  const path = mkdtempSync(join(tmpdir(), 'shared-'));
  folders.push(path);
  const folder = createStandInFolder({ path, mode: 'replay', providers: [{ id: 'codex', homeEnv: ['CODEX_HOME'], keyEnv: ['OPENAI_API_KEY'] }], programs: '/programs' });
  const base = { PATH: '/bin', HOME: '/home/ada', CODEX_HOME: '/home/ada/.codex', OPENAI_API_KEY: 'k', LANG: 'C' };
  expect(folder.env(base)).toEqual({ PATH: `${path}/bin:/bin`, HOME: `${path}/home`, CODEX_HOME: `${path}/home`, LANG: 'C' });
  expect(folder.env(base, '/private')).toMatchObject({ HOME: '/private', CODEX_HOME: '/private' });
  expect(folder.env(base, 'own')).toEqual({ ...base, PATH: `${path}/bin:/bin` });
});
