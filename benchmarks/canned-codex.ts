/** The floor of a replayed case: a program that says what the tape says after each line, and knows nothing else. */

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseChunkLine } from '../src/core/tape/chunk.ts';

/** Makes `codex` in a folder and gives the environment in which it is found first. */
export function createCannedCodex(options: { folder: string; cassette: string }): { [name: string]: string } {
  const bin = join(options.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const program = join(bin, 'codex');
  writeFileSync(program, programText(answersOf(options.cassette)));
  chmodSync(program, 0o755);
  const kept = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(kept), PATH: [bin, process.env.PATH].join(delimiter) };
}

/** What came after each message of the product, and before its next one. */
function answersOf(cassette: string): string[] {
  const answers: string[] = [];
  for (const line of readFileSync(join(cassette, 'provider', 'frames.jsonl'), 'utf8').split('\n').filter(Boolean)) {
    const chunk = parseChunkLine(line);
    if (typeof chunk === 'string') throw new Error(chunk);
    if (chunk.kind === 'outbound') answers.push('');
    if (chunk.kind === 'stdout') answers.push(`${answers.pop() ?? ''}${chunk.data.toString()}`);
  }
  return answers;
}

// `import()` is right whether the nearest package.json makes the file a module or not (stand-in c3).
function programText(answers: readonly string[]): string {
  return `#!${process.execPath}
const answers = ${JSON.stringify(answers)}.map((text) => text.replace(/\\$\\{SESSION_CWD:[^}]*\\}/g, process.cwd()));
import('node:readline').then(({ createInterface }) => createInterface({ input: process.stdin })
  .on('line', () => process.stdout.write(answers.shift() ?? ''))
  .on('close', () => process.exit(0)));
`;
}
