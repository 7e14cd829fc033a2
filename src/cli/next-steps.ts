/** Next steps that can be pasted: `<case>` and its like are filled where the command knows them, and `playhead` starts as the package does. */

export type Known = { cases?: readonly string[]; cassettes?: readonly string[]; command?: readonly string[] };

export function nextSteps(steps: readonly string[], known: Known): string[] {
  return steps.map((step) => fill(step, known).replace(/^playhead /, 'npx playhead '));
}

/** Words of a command line as a shell reads them. */
export function quoted(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

function fill(step: string, { cases = [], cassettes = [], command = [] }: Known): string {
  const values = [
    ['<case>', quoted(cases)],
    ['<spec>', quoted(cases.map((folder) => `${folder.replace(/\/+$/, '')}/`))],
    ['<cassette>', quoted(cassettes)],
    ['<command>', quoted(command)],
  ] as const;
  // The value of a function is taken as it is: `$` in a path means nothing.
  return values.reduce((text, [place, value]) => (value === '' ? text : text.replace(place, () => value)), step);
}
