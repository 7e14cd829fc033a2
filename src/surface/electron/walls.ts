/** What the window may not do: everything but its own page and its own daemon (design ruling 17). */

import type { Session, WebContents } from 'electron';

/** Whether the window may ask for `url`: its own daemon, and what never leaves the process. */
export function isAllowedRequest(url: string, origin: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host } = new URL(url);
  switch (protocol) {
    case 'data:':
    case 'blob:':
    case 'devtools:':
      return true;
    case 'http:':
    case 'ws:':
      return host === new URL(origin).host;
    default:
      return false;
  }
}

/** Whether a frame may go to `url`. */
export function isOwnPage(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === new URL(origin).origin;
}

/** Denies every permission and download, and every request that is not for the daemon. */
export function wallSession(session: Session, origin: string): void {
  session.setSpellCheckerEnabled(false);
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler(null);
  session.on('will-download', (event) => event.preventDefault());
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isAllowedRequest(url, origin) }));
}

/** Denies new windows, embedded pages and every way to another page. */
export function wallContents(contents: WebContents, origin: string): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  // WebRTC has its own sockets, which no request filter sees.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect'] as const)
    contents.on(event, (details) => {
      if (!isOwnPage(details.url, origin)) details.preventDefault();
    });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // A page cannot hold its window open, and so no dialog asks about it.
  contents.on('will-prevent-unload', (event) => event.preventDefault());
}
