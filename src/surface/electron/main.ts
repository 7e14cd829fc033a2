/** The window's main process: one window on one daemon, walled in (design rulings 16 and 17). */

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { app, BrowserWindow, ipcMain, Menu } from 'electron';
import type { WindowBoot } from '../../core/agent/wire.ts';
import { bootChannel } from './boot-channel.ts';
import { readWindowBoot } from './boot.ts';
import { isOwnPage, wallContents, wallSession } from './walls.ts';
import { parseWindowSize, type WindowSize } from './window-size.ts';

async function main(): Promise<void> {
  const userData = app.commandLine.getSwitchValue('user-data-dir');
  if (userData !== '') app.setPath('userData', userData);
  const asked = app.commandLine.getSwitchValue('window-size');
  // In the corner, where a size is asked for: nobody's pointer stands in the middle of a display, and would show in pictures.
  const place = { ...parseWindowSize(asked), ...(asked === '' ? {} : { x: 0, y: 0 }) };
  // No name is resolved, so that not even a lookup leaves the machine.
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE [::1]');
  app.commandLine.appendSwitch('no-proxy-server');
  Menu.setApplicationMenu(null);
  app.on('window-all-closed', () => app.exit(0));
  const [boot] = await Promise.all([readWindowBoot(process.env), app.whenReady()]);
  await openWindow(boot, place);
}

async function openWindow(boot: WindowBoot, place: WindowSize & { x?: number; y?: number }): Promise<void> {
  app.on('web-contents-created', (_event, contents) => wallContents(contents, boot.baseUrl));
  ipcMain.handle(bootChannel, ({ senderFrame }) => {
    if (senderFrame === null || senderFrame.parent !== null || !isOwnPage(senderFrame.origin, boot.baseUrl)) throw new Error('Cannot give the boot: another page asks, the window itself was needed');
    return boot;
  });
  const window = new BrowserWindow({ ...place, useContentSize: true, show: true, webPreferences });
  const { webContents } = window;
  wallSession(webContents.session, boot.baseUrl);
  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason !== 'clean-exit') fail('window_crashed', `Cannot go on: the page's process ended (${reason}, ${exitCode}), a running one was needed`);
  });
  await window.loadURL(boot.baseUrl);
}

// Throttling would slow the page down as soon as another window covers it, and dialogs would hold it.
const webPreferences = {
  preload: join(__dirname, 'preload.cjs'),
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webviewTag: false,
  backgroundThrottling: false,
  spellcheck: false,
  disableDialogs: true,
  navigateOnDragDrop: false,
};

// Written at once, because the exit does not wait for a stream.
function fail(code: string, message: string): void {
  writeSync(2, `${JSON.stringify({ error: { code, message } })}\n`);
  app.exit(1);
}

const failMain = (error: unknown) => fail('window_not_ready', error instanceof Error ? error.message : String(error));
// Without it Electron shows a dialog that nobody closes.
process.on('uncaughtException', failMain);
main().catch(failMain);
