/** `playhead/desktop`: the reference desktop, as a product of a configuration. */

export { createDesktop, desktop as default, type DesktopOptions } from './reference.ts';
