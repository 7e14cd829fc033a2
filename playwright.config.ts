import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// Debian's headless shell where it is installed (scripts/setup.mjs), else the browser that Playwright brings.
const debianShell = '/usr/lib/chromium/chromium-headless-shell';
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: './cases',
  outputDir: './test-results',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  reporter: [['list'], ['html', { open: 'never', outputFolder: 'playwright-report' }]],
  use: {
    viewport: { width: 900, height: 700 },
    launchOptions: {
      ...(existsSync(debianShell) ? { executablePath: debianShell } : {}),
      args: [...(isRoot ? ['--no-sandbox'] : []), '--disable-gpu', '--disable-partial-raster', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
});
