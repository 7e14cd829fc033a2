import { expect, test } from 'playhead/playwright';
import { caseFolder, expectSamePictures, expectStop, picturesOf } from './lib.ts';
import { stops } from './stops.ts';

test.describe.configure({ mode: 'parallel', retries: 0 });

for (const [name, wanted] of Object.entries(stops)) {
  const prompt = wanted[1]?.transcript[1]?.replace('- paragraph: ', '') ?? '';

  test.describe(name, () => {
    test.use({ replayCase: caseFolder(name) });

    test(`${name}: each checkpoint shows its state and nothing of the next`, async ({ page, replay }) => {
      expect(replay.checkpoints.map((checkpoint) => checkpoint.name)).toEqual(wanted.map(({ at }) => at));
      for (const stop of wanted)
        await test.step(stop.at, async () => {
          await replay.nextCheckpoint();
          await expectStop(page, stop, prompt);
        });
      await expect(replay).toReplayCleanly();

      const pictures = picturesOf(test.info());
      expect(pictures.map((picture) => picture.name)).toEqual(replay.checkpoints.map((checkpoint) => `${checkpoint.id} ${checkpoint.name}.png`));
      for (const [i, { at, alike }] of wanted.entries()) {
        const [before, here] = [pictures[i - 1]?.hash, pictures[i]?.hash];
        if (alike) expect(here, `${at}: ${alike}`).toBe(before);
        else expect(here, `${at} looks like what comes before it`).not.toBe(before);
      }
      expect(test.info().annotations.filter(({ type }) => type === 'picture')).toEqual([]);
      expectSamePictures(test.info(), name);
    });

    test(`${name}: a replay without stops takes the same pictures`, async ({ page, replay }) => {
      await expect(replay).toReplayCleanly();
      await expect(page.getByRole('status')).toHaveText(wanted.at(-1)?.status ?? '');
      expectSamePictures(test.info(), name);
    });
  });
}

test.describe('the queue', () => {
  test.use({ replayCase: caseFolder('two-turns') });

  // No checkpoint may lie between a prompt in the queue and its command, so the page is watched on the way to the next one.
  test('a prompt stands in the queue or in the transcript, and goes from one to the other once', async ({ page, replay }) => {
    await replay.playTo('turn.working');
    await page.evaluate(() => {
      const seen: string[] = [];
      const look = () => {
        const has = (selector: string) => [...document.querySelectorAll(selector)].some((each) => each.textContent?.includes('Name another one'));
        const now = [has('[aria-label="Queue"]') ? 'queue' : '', has('[role="log"]') ? 'transcript' : ''].filter(Boolean).join('+') || 'nowhere';
        if (seen.at(-1) !== now) seen.push(now);
      };
      look();
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
      Object.assign(globalThis, { seen });
    });
    await replay.playTo('submission.accepted');
    expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual(['nowhere', 'queue', 'transcript']);
    await expect(replay).toReplayCleanly();
  });
});
