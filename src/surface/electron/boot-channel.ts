/** The one channel between page and main process; apart, because the preload script may load nothing of Node. */

export const bootChannel = 'desktop-boot';
