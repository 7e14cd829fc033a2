/** The command that a shell was asked to run, out of the words that started the shell. */

/** `bash -lc '<script>'` as `<script>`; anything else as it is. */
export function withoutShell(command: string): string {
  const script = /^(?:\S*\/)?(?:ba|z|da|k)?sh -l?c ([^]+)$/.exec(command)?.[1];
  return (script === undefined ? null : readWord(script)) ?? command;
}

/** The text of one quoted shell word; `null` where it is more or less than one. */
function readWord(text: string): string | null {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const piece = pieces.find(({ pattern }) => pattern.test(rest));
    const found = piece?.pattern.exec(rest);
    if (!piece || !found) return null;
    parts.push(piece.read(found[1] ?? ''));
    rest = rest.slice(found[0].length);
  }
  return parts.length > 0 ? parts.join('') : null;
}

const unescape = (text: string) => text.replaceAll(/\\([^])/g, '$1');
const pieces: { pattern: RegExp; read: (inner: string) => string }[] = [
  { pattern: /^'([^']*)'/, read: (inner) => inner },
  { pattern: /^"((?:[^"\\]|\\[^])*)"/, read: (inner) => inner.replaceAll(/\\([\\"$`])/g, '$1') },
  { pattern: /^((?:[^\s'"\\]|\\[^])+)/, read: unescape },
];
