/** The part of Electron that the window uses, written down because the `electron` package is no dependency of ours (https://www.electronjs.org/docs/latest/api/app). */

declare module 'electron' {
  export type Cancelable = { preventDefault: () => void };
  export type Gone = { reason: string; exitCode: number };

  export const app: {
    commandLine: { appendSwitch: (name: string, value?: string) => void; getSwitchValue: (name: string) => string };
    whenReady: () => Promise<void>;
    exit: (code: number) => void;
    setPath: (name: 'userData' | 'sessionData', path: string) => void;
    on: {
      (event: 'window-all-closed', listener: () => void): void;
      (event: 'web-contents-created', listener: (event: Cancelable, contents: WebContents) => void): void;
    };
  };

  export type WebContents = {
    mainFrame: object;
    session: Session;
    setWindowOpenHandler: (handler: (details: { url: string }) => { action: 'deny' }) => void;
    setWebRTCIPHandlingPolicy: (policy: 'disable_non_proxied_udp') => void;
    on: {
      (event: 'will-navigate' | 'will-frame-navigate' | 'will-redirect', listener: (details: Cancelable & { url: string }) => void): void;
      (event: 'will-attach-webview' | 'will-prevent-unload', listener: (event: Cancelable) => void): void;
      (event: 'render-process-gone', listener: (event: Cancelable, details: Gone) => void): void;
      (event: 'did-fail-load', listener: (event: Cancelable, errorCode: number, errorDescription: string, url: string, isMainFrame: boolean) => void): void;
    };
  };

  export type Session = {
    setSpellCheckerEnabled: (isEnabled: boolean) => void;
    setPermissionRequestHandler: (handler: (contents: WebContents | null, permission: string, answer: (isGranted: boolean) => void) => void) => void;
    setPermissionCheckHandler: (handler: () => boolean) => void;
    setDevicePermissionHandler: (handler: () => boolean) => void;
    setDisplayMediaRequestHandler: (handler: ((request: object, answer: (streams: object) => void) => void) | null) => void;
    on: (event: 'will-download', listener: (event: Cancelable) => void) => void;
    webRequest: { onBeforeRequest: (listener: (details: { url: string }, answer: (response: { cancel: boolean }) => void) => void) => void };
  };

  export type WindowOptions = {
    width: number;
    height: number;
    x?: number;
    y?: number;
    useContentSize: boolean;
    show: boolean;
    webPreferences: { [name: string]: string | boolean };
  };

  export class BrowserWindow {
    constructor(options: WindowOptions);
    webContents: WebContents;
    loadURL: (url: string) => Promise<void>;
  }

  export const Menu: { setApplicationMenu: (menu: null) => void };
  export const ipcMain: { handle: (channel: string, answer: (event: { senderFrame: { origin: string; parent: object | null } | null }) => unknown) => void };
  export const ipcRenderer: { invoke: (channel: string) => Promise<unknown> };
  export const contextBridge: { exposeInMainWorld: (name: string, value: () => unknown) => void };
}
