import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'playhead/playwright';
import { caseFolder, send } from './lib.ts';

// A product's start and a window, as in `src/core/limits.ts`.
const bootMs = 35_000;

test.describe('starting parked', () => {
  test.use({ replayCase: caseFolder('chat-hello'), replayStart: 'parked' });

  test('nothing is delivered before the first target', async ({ page, replay }) => {
    await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
    await replay.playTo('session.ready');
    await expect(page.getByRole('status')).toHaveText('ready');
    const at = replay.playTo('turn.working');
    await send(page, 'Say hello to the team');
    await at;
    await expect(page.getByRole('status')).toHaveText('working');
    await expect(page.getByRole('log')).not.toContainText('Hello to');
    await expect(replay).toReplayCleanly();
    await expect(page.getByRole('log')).toContainText('Hello to the whole team!');
  });
});

test.describe('pace', () => {
  test.use({ replayCase: caseFolder('chat-hello') });

  test('pause() holds the tape and resume() lets it go', async ({ page, replay }) => {
    await expect(page.getByRole('status')).toHaveText('ready');
    replay.pause();
    await send(page, 'Say hello to the team');
    await expect(page.getByRole('log')).toContainText('Say hello to the team');
    await expect(page.getByRole('log')).not.toContainText('Hello to');
    replay.resume();
    await expect(page.getByRole('log')).toContainText('Hello to the whole team!');
    await expect(replay).toReplayCleanly();
  });

  test('setSpeed() takes the known speeds and refuses others', async ({ page, replay }) => {
    expect(() => replay.setSpeed(3)).toThrow('Cannot set playback speed: it is 3');
    replay.setSpeed(0.25);
    const startedMs = performance.now();
    await send(page, 'Say hello to the team');
    await expect(replay).toReplayCleanly();
    // The turn took some 300 ms when it was recorded; an instant replay needs a tenth of that.
    expect(performance.now() - startedMs).toBeGreaterThan(600);
  });
});

for (const timing of ['recorded', 4] as const)
  test.describe(`timing ${timing}`, () => {
    test.use({ replayCase: caseFolder('chat-cancel'), replayTiming: timing });

    test(`timing ${timing} plays the same session at its pace`, async ({ page, replay }) => {
      await send(page, 'Tell a long story');
      await expect(page.getByRole('log')).toContainText('lighthouse');
      await page.getByRole('button', { name: 'Stop' }).click();
      await expect(page.getByRole('log')).toContainText('[interrupted]');
      await expect(replay).toReplayCleanly();
      expect((await replay.finish()).timing).toBe(timing);
    });

    test(`timing ${timing} has its recorded length beside boot`, async ({ replay }) => {
      replay.abandon('its limit alone is asked for');
      expect(test.info().timeout).toBeGreaterThan(bootMs);
    });
  });

test.describe('the limit of a test', () => {
  test.use({ replayCase: caseFolder('chat-hello') });

  test('is at least what boot may take', async ({ replay }) => {
    replay.abandon('its limit alone is asked for');
    expect(test.info().timeout).toBe(bootMs);
  });

  test('is what the spec gives, where that is more', async ({ replay }) => {
    replay.abandon('its limit alone is asked for');
    test.setTimeout(120_000);
    expect(test.info().timeout).toBe(120_000);
  });
});

test.describe('a case with a timeoutMs', () => {
  const folder = `${import.meta.dirname}/../../.cache/plugin-patient-case`;
  test.use({ replayCase: folder });
  test.beforeAll(() => {
    cpSync(caseFolder('chat-hello'), folder, { recursive: true });
    const described = JSON.parse(readFileSync(`${folder}/case.json`, 'utf8')) as object;
    writeFileSync(`${folder}/case.json`, JSON.stringify({ ...described, timeoutMs: 90_000 }));
  });
  test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is what a test gets', async ({ replay }) => {
    replay.abandon('its limit alone is asked for');
    expect(test.info().timeout).toBe(90_000);
  });
});
