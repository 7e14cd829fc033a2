import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'fixtures/**/*.test.ts', 'scripts/**/*.test.mjs', 'tests/unit/**/*.test.ts'],
    testTimeout: 20_000,
    // Two cores: more forks only slow each other down.
    maxWorkers: 2,
    // A worker for each file costs more than the tests; what one file would leave to the next, no test may do.
    isolate: false,
  },
});
