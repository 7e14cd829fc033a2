/**
 * Copies of the built desktop with exact texts exchanged in its bundle. Nothing of the product knows: a copy is a product of a
 * folder of its own. A text has to stand once in the files of its part (or as often as is said), so that a change can never be
 * silently absent.
 */
import { cpSync, linkSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');

/** `make` gives the folder of a copy; `plain` is one without a change. The build may be exchanged under us, so it is copied first. */
export function createDesktopCopies(folder) {
  const plain = join(folder, 'plain');
  cpSync(join(root, 'dist/desktop'), plain, { recursive: true });
  const files = readdirSync(plain, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => relative(plain, join(entry.parentPath, entry.name)));
  const parts = { daemon: filesOfDaemon(plain), window: ['renderer/assets/app.js'], style: ['renderer/assets/app.css'], page: ['renderer/index.html'] };
  return {
    plain,
    make({ name, swaps = [], renames = {} }) {
      const changed = exchangeAll({ plain, parts, name, swaps });
      const copy = join(folder, name);
      for (const file of files) {
        const to = join(copy, file);
        mkdirSync(dirname(to), { recursive: true });
        if (changed.has(file)) writeFileSync(to, changed.get(file));
        else linkSync(join(plain, file), to);
      }
      for (const [from, to] of Object.entries(renames)) renameSync(join(copy, from), join(copy, to));
      return copy;
    },
  };
}

function exchangeAll({ plain, parts, name, swaps }) {
  const changed = new Map();
  const textOf = (file) => changed.get(file) ?? readFileSync(join(plain, file), 'utf8');
  for (const { part, text, by, count = 1 } of swaps) {
    const found = parts[part].map((file) => ({ file, count: textOf(file).split(text).length - 1 })).filter((one) => one.count > 0);
    const total = found.reduce((sum, one) => sum + one.count, 0);
    if (count === 'all' ? total < 2 : total !== count) throw new Error(`Cannot make desktop "${name}": "${text}" stands ${total} times in its ${part}, ${count} was needed`);
    for (const { file } of found) changed.set(file, textOf(file).replaceAll(text, () => by));
  }
  return changed;
}

/** The replaying daemon and all that it imports; record and live have copies of some texts. */
function filesOfDaemon(folder) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, next] of readFileSync(join(folder, file), 'utf8').matchAll(/^(?:import|export) .*?["']\.\/([^"']+\.js)["'];$/gm)) visit(next);
  };
  visit('daemon-replay.js');
  return [...found];
}
