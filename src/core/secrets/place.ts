/** Where a secret stands, without the secret: a file name or a member name may hold it too. */

/** `file` relative to the cassette; `path` a JSON path, or connection and stream of a provider's bytes. */
export type Place = { file: string; line?: number | null; path?: string | null };

/** The place up to the first name that has a part of the secret in it; the rest reads as `…`. */
export function withoutSecret({ file, line, path }: Place, secret: string): Place {
  return { file: cut(file, secret, /\/[^/]*$/), line: line ?? null, path: typeof path === 'string' ? cut(path, secret, /(?:[.[/]|^)[^.[/]*$/) : null };
}

function cut(whole: string, secret: string, lastName: RegExp): string {
  const text = whole.slice(0, placeCharactersMax);
  const at = sharedPart(text, secret);
  if (at < 0) return text.length < whole.length ? `${text}…` : text;
  const before = text.slice(0, at);
  const name = before.search(lastName);
  return `${name < 0 ? '' : before.slice(0, /[.[/]/.test(before[name] ?? '') ? name + 1 : name)}…`;
}

/** Where a text has six characters in a row in common with a secret, or all of a shorter one; -1 where it has not. */
export function sharedPart(text: string, secret: string): number {
  const size = Math.min(partSize, secret.length);
  if (text.length < size) return -1;
  const parts = new Set<string>();
  for (let i = 0; i + size <= secret.length; i++) parts.add(secret.slice(i, i + size));
  for (let i = 0; i + size <= text.length; i++) if (parts.has(text.slice(i, i + size))) return i;
  return -1;
}

const partSize = 6;
/** A name may have megabytes; nobody reads more of it than this. */
const placeCharactersMax = 2_048;
