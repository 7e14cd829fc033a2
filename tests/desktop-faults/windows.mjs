/** Windows that never become ready, or go away in mid-replay. */

import { expectFault } from '../faults/expect.mjs';

const app = 'renderer/assets/app.js';
const bridge = '\toptions.target.__playhead = bridge;\n';
const atTurn = (statement) => `export default async ({ page, checkpoint }) => {\n  if (checkpoint.kind !== 'turn.working') return;\n  ${statement}\n};\n`;

/** With a shorter limit than the twenty seconds of a real run. */
export const unreadyRows = [
  { name: 'window-no-bridge', title: 'a window that never installs its bridge', damages: [{ file: app, find: bridge, put: '' }] },
  { name: 'window-broken-script', title: 'a window whose script cannot be read', damages: [{ file: app, put: 'this is no script;\n' }] },
  { name: 'window-busy', title: 'a window whose script never ends', damages: [{ file: app, find: bridge, put: 'for (;;);\n' }] },
];
export const expectUnready = (result, { windowMs, withinMs }) => expectFault(result, { code: 'window_not_ready', message: new RegExp(`within ${windowMs} ms`), withinMs });

const lost = (message) => (result, more) => expectFault(result, { code: 'window_lost', message, ...more });
const killTheWindow = `const { readdirSync, readFileSync } = await import('node:fs');
  for (const pid of readdirSync('/proc').filter((entry) => /^\\d+$/.test(entry)))
    try {
      const isOurs = readFileSync('/proc/' + pid + '/stat', 'utf8').split(') ').at(-1).split(' ')[1] === String(process.pid);
      if (isOurs && readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('--remote-debugging-port')) process.kill(Number(pid), 'SIGKILL');
    } catch {}`;

export const lostRows = [
  { name: 'window-crashes', title: 'a window that crashes in mid-replay is lost', inspect: atTurn("await page.goto('chrome://crash').catch(() => {});"), judge: lost(/crashed|closed/) },
  { name: 'test-runs-out', title: 'a test whose limit is over in mid-replay says so, and not that its window is lost', inspect: atTurn("const { test } = await import('@playwright/test'); test.setTimeout(1); await page.waitForEvent('close', { timeout: 0 });"), judge: (result, more) => expectFault(result, { code: 'test_timeout', message: /the \d+ ms of the test were over after checkpoint "[^"]+"/, next: /timeoutMs/, ...more }) },
  { name: 'window-closes', title: 'a window that is closed in mid-replay is lost', inspect: atTurn('await page.close();'), judge: lost(/closed/) },
];
export const electronRows = [
  { name: 'electron-killed', title: 'an Electron window that is killed in mid-replay is lost', inspect: atTurn(killTheWindow), judge: lost(/its process ended with SIGKILL|closed/) },
  { name: 'electron-crashes', title: 'an Electron page that crashes in mid-replay is lost', inspect: atTurn("const session = await page.context().newCDPSession(page); session.send('Page.crash').catch(() => {});"), judge: lost(/closed|crashed/) },
  { name: 'electron-absent', title: 'an Electron that the product names and that is not there', expression: "{ ...createDesktop(), windows: { browser: true, electron: { executable: '/nowhere/electron', args: [] } } }", judge: (result, more) => expectFault(result, { code: 'no_electron', message: /"electron", is not there/, ...more }) },
];

/** Its script never ends from the first turn on; found by standing still, so in a run with a limit of its own. */
export const hungWindow = { name: 'window-hangs', inspect: atTurn('await page.evaluate(() => void setTimeout(() => { for (;;); }, 0));') };

/** The worker itself ends here, as by the kernel when memory is short. */
export const killedWorker = atTurn("process.kill(process.pid, 'SIGKILL');");
