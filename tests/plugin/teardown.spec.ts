import { readFileSync } from 'node:fs';
import { expect, test, type Verdict } from 'playhead/playwright';
import { caseFolder, send } from './lib.ts';

test.describe('teardown', () => {
  test.use({ replayCase: caseFolder('chat-hello') });

  test('abandon() is the way out and shows in the report', async ({ replay }) => {
    replay.abandon('only the start matters here');
    expect(test.info().annotations).toContainEqual({ type: 'abandoned', description: 'only the start matters here' });
  });

  test('finish() gives a verdict and does not throw', async ({ page, replay }) => {
    await send(page, 'Say hello to the team');
    const verdict = await replay.finish();
    expect(verdict).toMatchObject({ schemaVersion: 1, result: 'passed', case: { name: 'chat-hello' }, drive: 'spec', surface: 'chromium', timing: 'instant', launches: { expected: 1, arrived: 1, refused: 0 } });
    expect(Object.fromEntries(Object.entries(verdict.layers).map(([layer, { status }]) => [layer, status]))).toEqual({ cassette: 'passed', effect: 'not_recorded', protocol: 'passed', transport: 'passed', state: 'not_recorded' });
    expect(verdict.layers.protocol.checked).toBe(4);
  });

  test('a prompt that was not recorded is red although the spec only looks', async ({ page, replay }) => {
    test.fail(true, 'the divergence must fail the test at teardown');
    await send(page, 'Say hello to nobody');
    const verdict = await replay.finish();
    expect.soft(verdict.divergence).toMatchObject({ layer: 'protocol', code: 'outbound_mismatch', path: '$.params.input[0].text' });
  });

  test('.not is refused with a sentence', async ({ page, replay }) => {
    await send(page, 'Say hello to the team');
    await expect(expect(replay).not.toReplayCleanly()).rejects.toThrow('Cannot use .not.toReplayCleanly');
    await expect(replay).toReplayCleanly();
  });

  test('expect.poll is refused with a sentence', async ({ page, replay }) => {
    await send(page, 'Say hello to the team');
    await expect(expect.poll(() => replay, { timeout: 300 }).toReplayCleanly()).rejects.toThrow('Cannot use expect.poll with a replay');
    await expect(replay).toReplayCleanly();
  });

  test('.soft works', async ({ page, replay }) => {
    await send(page, 'Say hello to the team');
    await expect.soft(replay).toReplayCleanly();
  });

  test('matchers refuse what is no replay', async ({ page, replay }) => {
    await expect(expect(page as unknown as typeof replay).toReplayCleanly()).rejects.toThrow('expect(replay).toReplayCleanly() was needed');
    await send(page, 'Say hello to the team');
    await expect(replay).toReplayCleanly();
  });
});

test.describe('attachments', () => {
  test.use({ replayCase: caseFolder('chat-two-turns') });

  test('each checkpoint that was stopped at has a picture, and they differ', async ({ page, replay }) => {
    await send(page, 'Name a colour');
    await replay.playTo('turn.terminal');
    await send(page, 'Name another one');
    await expect(replay).toReplayCleanly();
    const pictures = test.info().attachments.filter(({ contentType }) => contentType === 'image/png');
    expect(pictures.map(({ name }) => name)).toEqual(['checkpoint-0000 turn.terminal.png', 'checkpoint-0001 turn.terminal 2.png']);
    const bytes = pictures.map(({ body, path }) => (body ?? readFileSync(path ?? '')).toString('base64'));
    expect(bytes[0]).not.toBe(bytes[1]);
    const verdict: Verdict = await replay.finish();
    expect(verdict.checkpoints.map(({ attachment }) => attachment)).toEqual(pictures.map(({ name }) => name));
  });
});

test.describe('pictures off', () => {
  test.use({ replayCase: caseFolder('chat-hello'), replayScreenshots: 'off' });

  test('no picture is taken', async ({ page, replay }) => {
    await send(page, 'Say hello to the team');
    await expect(replay).toReplayCleanly();
    expect(test.info().attachments.filter(({ contentType }) => contentType === 'image/png')).toEqual([]);
  });
});

test('a test without a case may not ask for one', async ({ page }) => {
  await page.goto('about:blank');
});
