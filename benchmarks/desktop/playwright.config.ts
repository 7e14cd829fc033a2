import { defineConfig } from '@playwright/test';
import base from '../../playwright.config.ts';

// One worker: ours and the floor take turns in one browser.
export default defineConfig({ ...base, testDir: '.', testMatch: 'approve.ts', outputDir: process.env.BENCH_OUTPUT ?? '../../.cache/bench-output', fullyParallel: false, workers: 1, timeout: 120_000, reporter: 'json' });
