import { defineConfig } from 'tsdown';

const shared = { target: 'node22', platform: 'node', sourcemap: false, outDir: 'dist', clean: false } as const;

export default defineConfig([
  {
    ...shared,
    clean: ['dist'],
    entry: { index: 'src/index.ts', playwright: 'src/plugin/playwright/index.ts', cli: 'src/cli/bin.ts' },
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
