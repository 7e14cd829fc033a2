import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, TestInfo } from '@playwright/test';
import { expect } from 'playhead/playwright';
import type { Stop } from './stops.ts';

/** A committed case of the desktop, or one of `fixtures/desktop`. */
export const caseFolder = (name: string) => join(import.meta.dirname, '../..', fixtures.includes(name) ? `fixtures/desktop/${name}` : `cases/desktop-${name}`);
const fixtures = ['fast', 'late'];

/** The whole window by role and name: where it stands, what it says, what can be done. */
export async function expectStop(page: Page, stop: Stop, prompt: string): Promise<void> {
  const isOpen = stop.turns.some((turn) => ['submitted', 'running'].includes(turn));
  await expect(page.getByRole('status')).toHaveText(stop.status);
  await expect(page.getByRole('log', { name: 'Transcript' })).toMatchAriaSnapshot(['- log "Transcript":', '  - /children: deep-equal', ...stop.transcript.map((line) => `  ${line}`)].join('\n'));
  expect(await page.locator('[data-entity="turn"]').evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.status))).toEqual(stop.turns);
  await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('listitem').getByRole('button')).toHaveText(stop.turns.length === 0 ? [] : [prompt]);
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(isOpen ? 1 : 0);
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('');
  await expect(page.getByRole('list', { name: 'Queue' }).getByRole('listitem')).toHaveText((stop.queue ?? []).map((text) => new RegExp(`^${text}`)));
  // Nobody's pointer is over the question, wherever that of the display stands.
  if (stop.status === 'waiting for approval') await expect(page.locator('button:hover')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(stop.status === 'failed' ? 1 : 0);
}

/** Names and hashes of the pictures of this test so far, in order. */
export function picturesOf({ attachments }: TestInfo): { name: string; hash: string }[] {
  const pictures = attachments.filter(({ contentType }) => contentType === 'image/png');
  return pictures.map(({ name, body, path }) => ({ name, hash: createHash('sha256').update(body ?? readFileSync(path ?? '')).digest('hex') }));
}

/** The run that comes first leaves its pictures for the one that comes second, which has to have the same. */
export function expectSamePictures(testInfo: TestInfo, caseName: string): void {
  const folder = join(testInfo.project.outputDir, 'pictures');
  const file = join(folder, `${testInfo.project.name}-${caseName}.json`);
  const own = `${file}.${testInfo.testId}`;
  mkdirSync(folder, { recursive: true });
  const pictures = picturesOf(testInfo);
  writeFileSync(own, JSON.stringify(pictures));
  try {
    // Under its name it is there with all that it holds, or not at all: the other one may read it at this moment.
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    expect(pictures).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    rmSync(own);
  }
}
