/** One changed byte in a file of a cassette, at several places each; the same places in every run, PLAYHEAD_SEED chooses others. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cassetteOf, committed } from './cases-repo.mjs';
import { filesBelow } from './cassette.mjs';

export const seed = Number(process.env.PLAYHEAD_SEED ?? 20_270_402);
const seededCount = 2;

/** The changed copies of every file of every case: `{ name, base, file, change }`. */
export function listFlips(bases) {
  const random = createRandom(seed);
  return bases.flatMap((base) =>
    filesBelow(cassetteOf(committed(base))).flatMap((file) => {
      const { length } = readFileSync(join(cassetteOf(committed(base)), file));
      const places = [0, length - 1, ...Array.from({ length: seededCount }, () => Math.floor(random() * length))];
      const flips = places.map((place) => ({ place, bit: Math.floor(random() * 8) })).map(({ place, bit }) => ({ what: `bit ${bit} of byte ${place}`, change: (bytes) => void (bytes[place] ^= 1 << bit) }));
      return [...flips, ...(file === 'cassette.json' ? whiteSpace : [])].map((flip, i) => ({ ...flip, base, file, name: `${base}-${file.replaceAll(/\W/g, '-')}-${i}` }));
    }),
  );
}

const whiteSpace = [
  { what: 'a line feed behind its end', change: (bytes) => Buffer.concat([bytes, Buffer.from('\n')]) },
  { what: 'a tab in place of two spaces', change: (bytes) => Buffer.from(String(bytes).replace('\n  ', '\n\t')) },
  { what: 'no line feed at its end', change: (bytes) => bytes.subarray(0, -1) },
];

/** Changes one file; a `change` that gives nothing has changed the bytes themselves. */
export function changeFile(path, change) {
  const bytes = readFileSync(path);
  writeFileSync(path, change(bytes) ?? bytes);
}

/** A case as `validate` reads it: its description and its cassette, one file of it changed. */
export function writeFlipped(folder, { name, base, file, change }) {
  for (const path of ['case.json', ...filesBelow(cassetteOf(committed(base))).map((path) => join('cassettes/main', path))]) {
    const to = join(folder, name, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, readFileSync(join(committed(base), path)));
  }
  changeFile(join(cassetteOf(join(folder, name)), file), change);
}

// mulberry32
function createRandom(start) {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
