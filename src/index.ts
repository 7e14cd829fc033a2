/** `playhead`: what a cases repository and a backend's set-up need; loads neither Playwright nor Vitest. */

export { defineConfig, defineProduct } from './core/product.ts';
export type { PlayheadConfig, Product, ProductStart, ProductWindows, RunBackend, RunningProduct } from './core/product.ts';
export { shimEnv } from './runner/shim-env.ts';
