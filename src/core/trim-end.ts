/** Texts without what is only at their end. */

/** The text without any of these characters at its end. By index: an expression for the end takes time with the square of a run in the middle. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
