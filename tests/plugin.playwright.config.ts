import base from '../playwright.config.ts';
import { defineConfig } from '@playwright/test';

// What the plugin promises of its fixtures and matchers; alarms have programs of their own.
export default defineConfig({ ...base, testDir: './plugin', outputDir: '../test-results/plugin', reporter: 'list' });
