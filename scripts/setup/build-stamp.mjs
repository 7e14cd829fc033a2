/** The stamp of a build: what went in and what came out, by hash, in `.cache/build.json`. */

import { createHash } from 'node:crypto';

/** The hash of everything a build reads; a test beside a source is not part of it. */
export function hashSources(world) {
  const files = SOURCE_FOLDERS.flatMap((folder) => world.listFiles(folder).map((file) => `${folder}/${file}`));
  return hashFiles(world, [...files.filter((file) => !TEST_FILE.test(file)), ...SOURCE_FILES]);
}

/** The hash of the built files, null where the command line is absent. */
export function hashBuilt(world) {
  if (!world.exists('dist/cli.js')) return null;
  return hashFiles(world, world.listFiles('dist').map((file) => `dist/${file}`));
}

/** Why a build is needed, or null where the stamp says that `dist` is the build of these sources. */
export function findStaleness(world) {
  const stamp = JSON.parse(world.readText(STAMP_FILE) ?? '{}');
  const built = hashBuilt(world);
  if (built === null) return 'dist is absent';
  if (stamp.sources !== hashSources(world)) return 'the sources changed';
  return stamp.built === built ? null : 'dist changed';
}

/** Writes the stamp; `sources` is the hash from before the build, so that an edit during it counts. */
export function writeStamp(world, sources) {
  world.writeText(STAMP_FILE, `${JSON.stringify({ sources, built: hashBuilt(world) })}\n`);
}

function hashFiles(world, files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0${world.readText(file) ?? ''}\0`);
  return hash.digest('hex');
}

const STAMP_FILE = '.cache/build.json';
const SOURCE_FOLDERS = ['src', 'fixtures/model'];
const SOURCE_FILES = ['tsdown.config.ts', 'scripts/build-renderer.mjs', 'tsconfig.json', 'package.json', 'package-lock.json'];
const TEST_FILE = /\.test\.[cm]?ts$/;
