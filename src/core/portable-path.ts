/** The tokens that stand for folders in a cassette, and what counts as a path of the recording machine (cassette-contract 0.5). */

export const cwdToken = '${REPLAY_CWD}';
export const homeToken = '${REPLAY_HOME}';

/** POSIX, Windows drive and UNC alike: a cassette is checked on another system than the one that recorded it. */
export function isAbsolutePath(text: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(text);
}

export function isMachinePath(text: string): boolean {
  return isAbsolutePath(text) || text.startsWith('file://');
}
