/**
 * Builds the window's static files: one script, one sheet, one font, all from `'self'` (design ruling 17). Names stay the same
 * from build to build and nothing is minified, so that a test can patch what it wants to see caught.
 *
 * node scripts/build-renderer.mjs [folder]      default: dist/desktop/renderer
 */

import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../src/surface/renderer', import.meta.url));
const standard = fileURLToPath(new URL('../dist/desktop/renderer', import.meta.url));

/** Builds into `outDir`, which is emptied first. `entryRoot` is another folder with an `index.html`, for a page with other data. */
export async function buildRenderer(outDir = standard, entryRoot = root) {
  await build({
    configFile: false,
    root: entryRoot,
    base: './',
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'chrome130',
      minify: false,
      // Inlined files would need `data:` in the content policy.
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: { output: { entryFileNames: 'assets/app.js', codeSplitting: false, assetFileNames: nameAsset } },
    },
  });
}

function nameAsset({ names }) {
  return names.some((name) => name.endsWith('.css')) ? 'assets/app.css' : 'assets/[name][extname]';
}

if (argv[1] === fileURLToPath(import.meta.url)) await buildRenderer(argv[2]);
