import { expect, test } from 'playhead/playwright';
import { caseFolder, send } from './lib.ts';

test.describe('targets', () => {
  test.use({ replayCase: caseFolder('chat-approve-command') });

  test('playTo() returns at once for a kind that was delivered, and says so', async ({ page, replay }) => {
    await send(page, 'Create the release note');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect(await replay.playTo('interaction.pending')).toEqual({ kind: 'interaction.pending', passed: true });
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect(replay).toReplayCleanly();
  });

  test('playTo() armed before the stimulus stops inside a chunk, at the very unit', async ({ page, replay }) => {
    const at = replay.playTo('tool.started');
    await send(page, 'Create the release note');
    expect(await at).toEqual({ kind: 'tool.started', passed: false });
    await expect(page.getByRole('log')).toContainText('RELEASE.txt');
    await expect(page.getByRole('button', { name: 'Approve' })).toBeHidden();
    await replay.playTo('interaction.pending');
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect(replay).toReplayCleanly();
  });

  test('playTo() takes names and ids of checkpoints, and nextCheckpoint() goes on from there', async ({ page, replay }) => {
    expect(replay.checkpoints.map(({ id, name, kind }) => ({ id, name, kind }))).toEqual([
      { id: 'checkpoint-0000', name: 'asked', kind: 'interaction.pending' },
      { id: 'checkpoint-0001', name: 'written', kind: 'tool.completed' },
      { id: 'checkpoint-0002', name: 'end', kind: 'turn.terminal' },
    ]);
    await send(page, 'Create the release note');
    await replay.playTo('asked');
    const next = replay.nextCheckpoint();
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await next).toEqual({ kind: 'tool.completed', passed: false });
    await expect(page.getByRole('log')).not.toContainText('in place');
    await replay.playTo('checkpoint-0002');
    await expect(page.getByRole('log')).toContainText('in place');
    await expect(replay).toReplayCleanly();
  });

  test('playTo() refuses a target that the rest of the tape does not have', async ({ page, replay }) => {
    await send(page, 'Create the release note');
    await replay.playTo('interaction.pending');
    await expect(replay.playTo('interaction.pending')).rejects.toThrow('Cannot play to "interaction.pending"');
    await expect(replay.playTo({ kind: 'turn.terminal', nth: 2 })).rejects.toThrow('Cannot play to');
    await expect(replay.playTo('no such name')).rejects.toThrow('asked, written, end');
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect(replay).toReplayCleanly();
  });

  test('sent(), toolCalls() and the matchers show what was said', async ({ page, replay }) => {
    await send(page, 'Create the release note');
    await replay.playTo('interaction.pending');
    expect(replay.sent().map((message) => (message as { method?: string }).method)).toEqual(['initialize', 'initialized', 'thread/start', 'turn/start']);
    expect(replay.toolCalls()).toEqual([]);
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect(replay).toReplayCleanly();
    expect(replay.toolCalls()).toMatchObject([{ name: 'commandExecution', status: 'completed' }]);
    await expect(replay).toHaveSent({ method: 'turn/start', params: { input: [{ type: 'text', text: 'Create the release note', text_elements: [] }] } });
    await expect(replay).toHaveAskedApproval({ itemId: 'call_note' });
    await expect(replay).toMatchProtocol();
    await expect(expect(replay).toMatchEffects()).rejects.toThrow('Cannot match layer effect: it is not recorded');
    await expect(expect(replay).toMatchState()).rejects.toThrow('Cannot match layer state: it is not recorded');
    await expect(replay).toDrainTransport();
    await expect(expect(replay).toHaveSent({ method: 'thread/archive' })).rejects.toThrow('The product has sent no message with these members');
    await expect(expect(replay).toHaveCalledTool('fileChange')).rejects.toThrow('completed no tool "fileChange"');
  });
});

test.describe('kinds count from the last target on', () => {
  test.use({ replayCase: caseFolder('chat-two-turns') });

  test('playTo() with nth counts behind the last target', async ({ page, replay }) => {
    await send(page, 'Name a colour');
    await replay.playTo('turn.terminal');
    await send(page, 'Name another one');
    await replay.playTo({ kind: 'turn.terminal', nth: 1 });
    await expect(page.getByRole('log')).toContainText('Then take amber.');
    await expect(replay).toReplayCleanly();
  });
});
