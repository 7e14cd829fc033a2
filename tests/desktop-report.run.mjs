// What the Playwright report shows of a desktop case, on both surfaces: its layers as steps, and a picture for each checkpoint.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createChecks } from './lib/checks.mjs';
import { playwright, root, run } from './lib/run.mjs';

const names = ['desktop-hello', 'desktop-approve-command'];
const layers = ['cassette', 'effect', 'protocol', 'transport', 'state'];
mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache/desktop-report-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const { check, end } = createChecks('desktop-report');
for (const surface of ['chromium', 'electron']) {
  const tests = await play(surface);
  for (const name of names)
    await check(`${name} on ${surface} shows five layers as steps and a picture for each checkpoint`, () => {
      const { status, steps, attachments } = tests.find(({ title }) => title === name) ?? assert.fail(`${name} did not run`);
      assert.equal(status, 'passed');
      assert.deepEqual(steps.filter((title) => layers.some((layer) => title.startsWith(`${layer}: `))).map((title) => title.replace(/\d+/, 'N')), layers.map((layer) => `${layer}: passed, N checked`));
      const { checkpoints } = JSON.parse(readFileSync(join(root, 'cases', name, 'cassettes/main/checkpoint-plan.json'), 'utf8'));
      const pictures = attachments.filter(({ contentType }) => contentType === 'image/png');
      assert.deepEqual(pictures.map((picture) => picture.name.split(' ')[0]), checkpoints.map(({ id }) => id));
      for (const picture of pictures) assert.ok(picture.bytes > 1_000, `${picture.name} has ${picture.bytes} bytes`);
      assert.ok(attachments.some((attached) => attached.name === 'verdict.json'));
    });
}
end();

async function play(surface) {
  const file = join(folder, `${surface}.json`);
  const env = { ...process.env, PLAYHEAD_SURFACE: surface, ALL_STEPS_FILE: file };
  const { code, stdout, stderr } = await run([...playwright, `--reporter=${join(root, 'tests/desktop/all-steps.mjs')}`, `--output=${join(folder, 'results')}`, '--grep', `(${names.join('|')})$`, 'cases/cases.spec.ts'], { env, limitMs: 400_000 });
  assert.equal(code, 0, `${stdout}${stderr}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}
