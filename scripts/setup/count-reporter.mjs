/**
 * A Playwright reporter that writes `{ passed, failed, skipped }` to PLAYHEAD_COUNTS_FILE.
 * Why not the JSON reporter: its file is named by PLAYWRIGHT_JSON_OUTPUT_FILE, and a Playwright
 * that a test starts by itself would inherit the name and write over our counts.
 */

import { writeFileSync } from 'node:fs';

// Playwright takes a reporter from the default export and calls `new` on it.
export default class CountReporter {
  // An error of a config or a file may come before onBegin.
  errorCount = 0;

  onBegin(_config, suite) {
    this.suite = suite;
  }

  onError() {
    this.errorCount += 1;
  }

  onEnd() {
    const counts = countOutcomes(this.suite?.allTests() ?? []);
    writeFileSync(process.env.PLAYHEAD_COUNTS_FILE, JSON.stringify({ ...counts, failed: counts.failed + this.errorCount }));
  }

  printsToStdio() {
    return false;
  }
}

/** A flaky test has failed once, which is a failure here; one that never ran because of a stop is skipped. */
function countOutcomes(tests) {
  const outcomes = tests.map((test) => test.outcome());
  const count = (...names) => outcomes.filter((outcome) => names.includes(outcome)).length;
  return { passed: count('expected'), failed: count('unexpected', 'flaky'), skipped: count('skipped') };
}
