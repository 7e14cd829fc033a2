/** Ends in a hurry: interrupted and killed runs leave no folder, no socket and no process, whoever was hit. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createStandInFolder } from '../../src/runner/stand-in-folder.ts';
import { playwright, startPlaywright } from '../shared-backend/playwright.mjs';
import { inRepository } from '../shared-backend/repository.mjs';
import { cli, inPlace, isAlive, root, signal, start, until } from './place.mjs';

const asked = 'item/commandExecution/requestApproval';
const hang = ['hello', 'begin=approve', `wait=${asked}`, 'ignore=SIGTERM', 'ignore=SIGINT', 'say=waiting', 'hang'];

export function checkEnds(check) {
  for (const mode of ['--record', '--replay'])
    for (const [name, code] of [['SIGINT', 130], ['SIGTERM', 143]])
      check(`${name} ends wrap ${mode} with ${code}, and its command and stand-in with it`, () => inPlace(async (place) => {
        const { child, ended } = await startHanging(place, mode);
        signal(child.pid, name);
        const result = await ended;
        assert.equal(result.code, code, result.stderr);
        const { error } = JSON.parse(result.stdout);
        assert.deepEqual([error.code, error.facts], ['interrupted', { signal: name }]);
        assert.equal(existsSync(place.at('other/provider')), false, 'an interrupted recording was sealed');
      }));

  check('a killed command line leaves nothing', () => inPlace(async (place) => {
    const { child, ended } = await startHanging(place, '--replay');
    assert.ok(place.leftovers().length > 3, 'nothing was there to be left');
    signal(child.pid, 'SIGKILL');
    await ended;
  }));

  check('a folder that a killed janitor left is swept by the next run', () => inPlace(async (place) => {
    const { child, ended } = await startHanging(place, '--replay');
    // The recording's janitor may still be at work.
    const janitors = () => place.processes().filter(({ command }) => command.includes('playhead-janitor'));
    await until(() => janitors().length === 1, 4_000);
    signal(janitors()[0].pid, 'SIGKILL');
    signal(child.pid, 'SIGKILL');
    await ended;
    for (const { pid } of place.processes()) signal(pid, 'SIGKILL');
    assert.equal(place.leftovers().filter((name) => /^playhead-\w+$/.test(name)).length, 1);
    await place.playhead(['wrap', 'codex', '--replay', place.at('tape'), '--', 'true']);
  }));

  check('a project folder is registered once at a time', () => inPlace(async (place) => {
    const folder = createStandInFolder({ path: place.at('stand-ins'), mode: 'replay', providers: [{ id: 'codex', homeEnv: [] }], programs: `${root}/dist` });
    const route = { socket: place.at('x.sock'), prefixes: [place.work], initialize: null };
    const release = folder.register('first', route);
    assert.throws(() => folder.register('second', { ...route, prefixes: [place.at('other'), place.work] }), (error) => {
      assert.deepEqual([error.code, error.exitCode, error.at], ['cwd_taken', 2, place.work]);
      assert.match(error.message, /^Cannot register project folder: a running test has it already/);
      return true;
    });
    folder.register('third', { ...route, prefixes: [place.at('other')] })();
    release();
    folder.register('second', route)();
  }));

  check('specs that do too little: no assertion, a turn left open, red by itself, abandoned', () => inRepository({ own: true, spec: lazySpec }, (folder) => inPlace(async (place) => {
    const result = await playwright(folder, place, [], { PLAYHEAD_STALL_MS: '4000' });
    const of = (title) => result.tests.find((test) => test.title === title);
    assert.equal(result.code, 1);
    for (const [title, awaited] of [['chat-hello', '"turn/start"'], ['chat-approve-command', 'response 0']]) {
      const { status, verdict, errors } = of(title);
      assert.deepEqual([status, verdict.divergence?.code], ['failed', 'outbound_missing'], title);
      assert.ok(verdict.divergence.message.includes(`awaits ${awaited}`), verdict.divergence.message);
      assert.match(errors[0], /Cannot finish replay: codex awaits/, 'the divergence is not the first error');
    }
    const red = of('chat-decline-command');
    assert.equal(red.status, 'failed');
    assert.match(red.errors[0], /toBe/);
    assert.deepEqual([of('chat-two-turns').status, of('chat-two-turns').verdict.result], ['passed', 'failed']);
  }, { codex: null })), { limitMs: 120_000, isAlone: true });

  for (const [who, name] of [['the main process', 'SIGINT'], ['the main process', 'SIGKILL'], ['a worker', 'SIGKILL']])
    check(`${name} to ${who} of Playwright leaves nothing`, () => inRepository({ own: true, spec: waitingSpec }, (folder) => inPlace(async (place) => {
      mkdirSync(place.at('marks'));
      const { child, ended, out } = await startPlaywright(folder, place, ['--grep', 'chat-hello'], { MARK: place.at('marks/worker') });
      const worker = Number(await until(() => existsSync(place.at('marks/worker')) && readFileSync(place.at('marks/worker'), 'utf8'), 60_000, () => out.stdout + out.stderr));
      assert.ok(place.leftovers().some((left) => left.endsWith('.sock')));
      signal(who === 'a worker' ? worker : child.pid, name);
      const { code } = await ended;
      if (name === 'SIGINT') assert.equal(code, 130);
      if (who === 'a worker') assert.equal(code, 1);
      await place.assertEmpty(12_000);
      // A dying process has no environment to be told by any more, and still a pid until it is reaped.
      await until(() => !isAlive(worker), 4_000, () => `worker ${worker} is still there`);
    }, { codex: null })), { limitMs: 120_000, isAlone: true });
}

async function startHanging(place, mode) {
  await place.record('tape', ['hello', 'begin=approve', `wait=${asked}`, 'answer=accept', 'wait=turn/completed', 'close']);
  const tape = mode === '--record' ? 'other' : 'tape';
  const started = start([process.execPath, cli, 'wrap', 'codex', mode, place.at(tape), '--json', '--', ...place.client(hang)], { cwd: place.work, env: { ...place.env, PLAYHEAD_STALL_MS: '60000' } });
  await until(() => place.events().some(({ event }) => event === 'said'), 20_000, () => started.out.stderr);
  return started;
}

const lazySpec = (name) => `import { defineCase, expect } from 'playhead/playwright';
defineCase(import.meta.url, async ({ page, replay }) => {
  ${{
    'chat-hello': '',
    'chat-approve-command': "await page.getByRole('textbox', { name: 'Message' }).fill('Create the release note');\n  await page.getByRole('button', { name: 'Send' }).click();\n  await replay.playTo('interaction.pending');",
    'chat-decline-command': 'expect(1).toBe(2);',
    'chat-two-turns': "replay.abandon('one turn is enough here');",
  }[name]}
});
`;

const waitingSpec = () => `import { defineCase, expect } from 'playhead/playwright';
import { writeFileSync } from 'node:fs';
defineCase(import.meta.url, async ({ page }) => {
  await expect(page.getByRole('status')).toHaveText('ready');
  writeFileSync(process.env.MARK!, String(process.pid));
  await new Promise(() => {});
});
`;
