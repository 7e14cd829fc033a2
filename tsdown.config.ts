import { defineConfig } from 'tsdown';

const shared = { target: 'node22', platform: 'node', sourcemap: false, outDir: 'dist', clean: false } as const;

export default defineConfig([
  {
    ...shared,
    clean: ['dist'],
    entry: { index: 'src/index.ts', playwright: 'src/plugin/playwright/index.ts', desktop: 'src/products/index.ts', cli: 'src/cli/bin.ts' },
    format: 'esm',
    dts: true,
    outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  },
  {
    ...shared,
    entry: { model: 'fixtures/model/main.ts' },
    format: 'esm',
    dts: false,
    outExtensions: () => ({ js: '.js' }),
  },
  // The daemon of the reference desktop, one entry for each composition; the libraries in it are no dependencies of the package.
  {
    ...shared,
    entry: Object.fromEntries(['live', 'record', 'replay'].map((mode) => [`daemon-${mode}`, `src/daemon/main-${mode}.ts`])),
    outDir: 'dist/desktop',
    format: 'esm',
    dts: false,
    outExtensions: () => ({ js: '.js' }),
  },
  ...(['main', 'preload'] as const).map((part) => ({
    ...shared,
    entry: { [part]: `src/surface/electron/${part}.ts` },
    outDir: 'dist/desktop/electron',
    format: 'cjs' as const,
    dts: false,
    deps: { neverBundle: ['electron'] },
    ...(part === 'main' ? { copy: [{ from: 'src/surface/electron/app.json', to: 'dist/desktop/electron', rename: 'package.json' }] } : {}),
    outExtensions: () => ({ js: '.cjs' }),
  })),
  // The stand-ins are CommonJS: the nearest package.json of the product decides about `.js` (stand-in c3).
  ...(['replay', 'record'] as const).map((mode) => ({
    ...shared,
    entry: { [`stand-in-${mode}`]: `src/shim/${mode}.ts` },
    format: 'cjs' as const,
    dts: false,
    minify: true,
    outExtensions: () => ({ js: '.cjs' }),
  })),
]);
