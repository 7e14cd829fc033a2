/** Turns what a runner left behind into counts; a runner that says nothing has failed. */

/** The counts of a run, with a note where they are not the runner's own. */
export function judgeRun({ code, counts }) {
  if (counts === null) return { passed: 0, failed: 1, skipped: 0, note: `ended with ${code} and no count` };
  if (counts.passed + counts.failed === 0) return { ...counts, failed: 1, note: `ended with ${code} and ran no test` };
  if (code !== 0 && counts.failed === 0) return { ...counts, failed: 1, note: `ended with ${code}, no test failed` };
  return { ...counts, note: counts.skipped > 0 ? `${counts.skipped} skipped` : '' };
}

/** One check: passed where its command ended with 0. */
export function countCheck(code) {
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/** Vitest's JSON report; a file that did not load has no test in it and counts as one failed. */
export function countVitest(text) {
  const report = parse(text);
  if (report === null) return null;
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The file that `count-reporter.mjs` writes. */
export function countPlaywright(text) {
  return parse(text);
}

/** The last line `N passed, N failed` of a program's output. */
export function countProgram(output) {
  const match = LAST_LINE.exec(output.trimEnd().split('\n').at(-1));
  return match === null ? null : { passed: Number(match[1]), failed: Number(match[2]), skipped: 0 };
}

const LAST_LINE = /^(\d+) passed, (\d+) failed$/;

/** The closing table and, as its last line, the sum. */
export function renderTable(rows) {
  const sum = (field) => rows.reduce((total, row) => total + row[field], 0);
  const line = ([name, ...cells]) => [name.padEnd(16), ...cells.slice(0, 3).map((cell) => String(cell).padStart(8)), `  ${cells[3]}`].join('').trimEnd();
  return [
    line(['part', 'passed', 'failed', 'seconds', '']),
    ...rows.map((row) => line([row.name, row.passed, row.failed, row.seconds.toFixed(1), row.note])),
    '',
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ].join('\n');
}

function parse(text) {
  try {
    return JSON.parse(text ?? '');
  } catch {
    // A runner that was killed leaves half a file or none: no count, which is a failure.
    return null;
  }
}
