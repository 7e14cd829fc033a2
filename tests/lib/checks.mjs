// A plain runner for programs whose checks are whole processes: one line a check, one closing line, no retries.
import { performance } from 'node:perf_hooks';

export function createChecks(name) {
  const failures = [];
  let passed = 0;
  return {
    /** Runs one check; an error is a failure and the others go on. */
    async check(title, body) {
      const startedMs = performance.now();
      try {
        await body();
        passed++;
        console.log(`  ✓ ${title} (${Math.round(performance.now() - startedMs)} ms)`);
      } catch (error) {
        failures.push(title);
        console.log(`  ✗ ${title}\n${indent(error instanceof Error ? (error.stack ?? error.message) : String(error))}`);
      }
    },
    end() {
      if (failures.length > 0) console.log(`\n${name}: failed\n${failures.map((title) => `  ${title}`).join('\n')}`);
      console.log(`${passed} passed, ${failures.length} failed`);
      process.exitCode = failures.length > 0 ? 1 : 0;
    },
  };
}

function indent(text) {
  return text.split('\n').map((line) => `      ${line}`).join('\n');
}
