import base from '../playwright.config.ts';
import { defineConfig } from '@playwright/test';
import type { ReplayOptions, ReplayWorkerOptions } from 'playhead/playwright';

// What a person sees at each checkpoint of the desktop's cases, in both kinds of window.
export default defineConfig<ReplayOptions, ReplayWorkerOptions>({
  ...base,
  testDir: './desktop',
  outputDir: '../test-results/desktop',
  reporter: 'list',
  projects: [
    { name: 'chromium', use: { replaySurface: 'chromium' } },
    // Targets and pace are the daemon's and the runner's; which window shows them makes no difference.
    // Equal pictures from run to run are asserted on Chromium alone, which takes half the time.
    { name: 'electron', testMatch: 'checkpoints.spec.ts', grepInvert: /without stops/, use: { replaySurface: 'electron' } },
  ],
});
