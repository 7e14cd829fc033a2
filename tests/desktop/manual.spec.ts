import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from 'playhead/playwright';
import { caseFolder } from './lib.ts';

test.describe.configure({ mode: 'parallel', retries: 0 });

test.describe('targets', () => {
  test.use({ replayCase: caseFolder('approve-command') });

  test('playTo() takes kinds, ids and names, and nextCheckpoint() goes on from there', async ({ page, replay }) => {
    expect(await replay.playTo('tool.started')).toEqual({ kind: 'tool.started', passed: false });
    await expect(page.getByRole('article')).toContainText('running');
    expect(await replay.nextCheckpoint()).toEqual({ kind: 'interaction.pending', passed: false });
    const details = page.getByRole('article').getByRole('button', { name: 'Details' });
    await details.click();
    await expect(page.getByRole('article')).toContainText('/bin/bash -lc');
    await expect(page.getByRole('article')).not.toContainText('Exit code');
    await details.click();
    expect(await replay.playTo('checkpoint-0006')).toEqual({ kind: 'tool.completed', passed: false });
    await expect(page.getByRole('article')).toContainText('Exit code 0');
    expect(await replay.playTo('checkpoint-0004')).toEqual({ kind: 'interaction.pending', passed: true });
    await expect(replay).toReplayCleanly();
    await expect(replay.nextCheckpoint()).rejects.toThrow('Cannot play to the next checkpoint: the last one was reached');
  });

  test('playTo() refuses what the rest of the plan does not have', async ({ page, replay }) => {
    await replay.playTo('interaction.pending');
    await expect(replay.playTo('interaction.pending')).rejects.toThrow('Cannot play to "interaction.pending"');
    await expect(replay.playTo({ kind: 'turn.terminal', nth: 2 })).rejects.toThrow('Cannot play to');
    await expect(replay.playTo('no such name')).rejects.toThrow('turn.terminal');
    await expect(page.getByRole('status')).toHaveText('waiting for approval');
    await expect(replay).toReplayCleanly();
  });

  test('sent(), toolCalls() and the matchers show what was said so far', async ({ page, replay }) => {
    await replay.playTo('interaction.pending');
    expect(replay.sent().map((message) => (message as { method?: string }).method)).toEqual(['initialize', 'initialized', 'thread/start', 'turn/start']);
    expect(replay.toolCalls()).toEqual([]);
    await expect(replay).toHaveAskedApproval({ itemId: 'call_note' });
    for (const matches of [() => expect(replay).toMatchEffects(), () => expect(replay).toMatchProtocol(), () => expect(replay).toMatchState()]) await matches();
    await expect(replay).toReplayCleanly();
    expect(replay.toolCalls()).toMatchObject([{ name: 'commandExecution', status: 'completed' }]);
    await expect(expect(replay).toHaveSent({ method: 'turn/interrupt' })).rejects.toThrow('The product has sent no message with these members');
    await expect(page.getByRole('status')).toHaveText('ready');
  });

  test('a person who acts in the window does what nobody recorded', async ({ page, replay }) => {
    await replay.playTo('interaction.pending');
    await page.getByRole('button', { name: 'Decline' }).click();
    expect((await replay.finish()).divergence).toMatchObject({ layer: 'effect', code: 'command_extra', message: expect.stringContaining('"interaction/respond"') });
    // Only from here on: what fails before it fails this test.
    test.fail(true, 'the divergence must fail the test at teardown');
  });

  test('abandon() is the way out and shows in the report', async ({ page, replay }) => {
    await replay.playTo('tool.started');
    await expect(page.getByRole('article')).toContainText('running');
    replay.abandon('only the start of the tool matters here');
    expect(test.info().annotations).toContainEqual({ type: 'abandoned', description: 'only the start of the tool matters here' });
  });
});

test.describe('kinds count from the last target on', () => {
  test.use({ replayCase: caseFolder('two-turns') });

  test('playTo() with nth, and names of a kind that comes twice', async ({ page, replay }) => {
    await replay.playTo({ kind: 'turn.working', nth: 2 });
    await expect(page.getByRole('log')).toContainText('Name another one');
    await expect(page.getByRole('log')).not.toContainText('amber');
    await replay.playTo('turn.terminal 2');
    await expect(page.getByRole('log')).toContainText('Then take amber.');
    await expect(replay).toReplayCleanly();
  });
});

test.describe('parked', () => {
  test.use({ replayCase: caseFolder('hello'), replayStart: 'parked' });

  test('nothing is done before the first target', async ({ page, replay }) => {
    await expect(page.getByRole('status')).toHaveText('ready');
    await frames(page, 20);
    expect(replay.sent()).toEqual([]);
    await expect(page.getByRole('log')).toContainText('What shall we work on?');
    await replay.playTo('turn.working');
    await frames(page, 20);
    await expect(page.getByRole('log')).not.toContainText('Hello to');
    await expect(replay).toReplayCleanly();
  });
});

test.describe('pace', () => {
  test.use({ replayCase: caseFolder('hello') });

  test('pause() holds both lanes, and resume() lets them go', async ({ page, replay }) => {
    replay.pause();
    const at = replay.playTo('turn.terminal');
    await frames(page, 20);
    await expect(page.getByRole('log')).toContainText('What shall we work on?');
    replay.resume();
    await at;
    await expect(page.getByRole('log')).toContainText('Hello to the whole team!');
    await expect(replay).toReplayCleanly();
  });

  test('setSpeed() takes the known speeds and refuses others', async ({ page, replay }) => {
    expect(() => replay.setSpeed(3)).toThrow('Cannot set playback speed: it is 3');
    replay.setSpeed(0.5);
    const startedMs = performance.now();
    await expect(replay).toReplayCleanly();
    expect(performance.now() - startedMs).toBeGreaterThan(2 * recordedMs('hello'));
    await expect(page.getByRole('status')).toHaveText('ready');
  });
});

test.describe('recorded timing', () => {
  test.use({ replayCase: caseFolder('cancel'), replayTiming: 'recorded' });

  test('the same session at its own pace', async ({ page, replay }) => {
    const startedMs = performance.now();
    await expect(replay).toReplayCleanly();
    expect(performance.now() - startedMs).toBeGreaterThan(recordedMs('cancel'));
    await expect(page.getByRole('log')).toContainText('Turn canceled');
    expect((await replay.finish()).timing).toBe('recorded');
  });
});

/** From the launch of the provider to the last it said. */
function recordedMs(name: string): number {
  const lines = readFileSync(join(caseFolder(name), 'cassettes/main/provider/frames.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { kind: string; elapsedMs: number });
  const inbound = lines.filter(({ kind }) => ['stdout', 'stderr'].includes(kind));
  return (inbound.at(-1)?.elapsedMs ?? 0) - (inbound[0]?.elapsedMs ?? 0);
}

/** What would come without us has had time to be painted. */
async function frames(page: Page, count: number): Promise<void> {
  await page.evaluate((left) => new Promise<void>((resolve) => {
    const tick = (n: number): void => void (n === 0 ? resolve() : requestAnimationFrame(() => tick(n - 1)));
    tick(left);
  }), count);
}
