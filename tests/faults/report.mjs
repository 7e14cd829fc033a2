/** Runs named checks, a few at once, prints each with its time, and ends with the line `N passed, N failed`. */

export function createReport({ atOnce = 2 } = {}) {
  const waiting = [];
  return {
    /** Registers one check; `limitMs` is its own bound. */
    check(name, body, { limitMs = 40_000, isAlone = false } = {}) {
      waiting.push({ name, body, limitMs, isAlone });
    },
    async run(wanted = process.argv.slice(2)) {
      const chosen = waiting.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
      const counts = { passed: 0, failed: 0 };
      const together = chosen.filter((one) => !one.isAlone);
      await Promise.all(Array.from({ length: atOnce }, async () => {
        for (let one = together.shift(); one; one = together.shift()) await judge(one, counts);
      }));
      // What measures memory or whole runs would disturb its neighbours.
      for (const one of chosen.filter((other) => other.isAlone)) await judge(one, counts);
      console.log(`${counts.passed} passed, ${counts.failed} failed`);
      process.exitCode = counts.failed > 0 ? 1 : 0;
    },
  };
}

async function judge({ name, body, limitMs }, counts) {
  const beganMs = performance.now();
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${limitMs} ms`)), limitMs);
  });
  try {
    await Promise.race([body(), late]);
    counts.passed++;
    console.log(`ok    ${name} (${Math.round(performance.now() - beganMs)} ms)`);
  } catch (error) {
    counts.failed++;
    console.log(`FAIL  ${name} (${Math.round(performance.now() - beganMs)} ms)\n${indent(error instanceof Error ? (error.stack ?? error.message) : String(error))}`);
  } finally {
    clearTimeout(timer);
  }
}

const indent = (text) => text.split('\n').map((line) => `      ${line}`).join('\n');
