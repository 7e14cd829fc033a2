/** Gestures of a person at the reference desktop, by role and name: scenarios share them. */

import type { Page } from '@playwright/test';
import type { ScenarioContext } from 'playhead/playwright';

type Expect = ScenarioContext['expect'];

export type Desk = {
  /** Writes a message and sends it; in an empty session it is the first one. */
  send: (text: string) => Promise<void>;
  approve: () => Promise<void>;
  decline: () => Promise<void>;
  stop: () => Promise<void>;
  /** Opens the details of the tool card with this title. */
  openTool: (title: string | RegExp) => Promise<void>;
  /** The status line says that nothing is open. */
  ready: () => Promise<void>;
  says: (text: string | RegExp) => Promise<void>;
};

export function deskOf(page: Page, expect: Expect): Desk {
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  return {
    async send(text) {
      await page.getByRole('textbox', { name: 'Message' }).fill(text);
      await button('Send').click();
    },
    approve: () => button('Approve').click(),
    decline: () => button('Decline').click(),
    stop: () => button('Stop').click(),
    openTool: (title) => page.getByRole('article', { name: title }).getByRole('button', { name: 'Details' }).click(),
    ready: () => expect(page.getByRole('status')).toHaveText('ready', { timeout: 30_000 }),
    says: (text) => expect(page.getByRole('log')).toContainText(text, { timeout: 30_000 }),
  };
}
