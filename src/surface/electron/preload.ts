/** Runs before the page, apart from it: gives it one function, by which the page asks for its boot. */

import { contextBridge, ipcRenderer } from 'electron';
import { bootChannel } from './boot-channel.ts';

contextBridge.exposeInMainWorld('desktopBoot', () => ipcRenderer.invoke(bootChannel));
