/** The size of the page in the window, from `--window-size=<width>x<height>`. */

export type WindowSize = { width: number; height: number };

export const defaultWindowSize: WindowSize = { width: 1280, height: 800 };

/** The size that a switch gives; another text than `<width>x<height>` in pixels is refused, an empty one is the default. */
export function parseWindowSize(text: string): WindowSize {
  if (text === '') return defaultWindowSize;
  const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(text) ?? [];
  if (width === undefined) throw new Error(`Cannot size the window: --window-size is "${text}", <width>x<height> in pixels was needed`);
  return { width: Number(width), height: Number(height) };
}
