import type { Page } from '@playwright/test';

export const caseFolder = (name: string) => `${import.meta.dirname}/../../cases/${name}`;

export async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}
