/** One `playwright test` over a cases repository, and what it left: the JSON report joined with each test's verdict. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');
// Beyond everything seen on a machine that others work on too; a quiet one needs a quarter.
const defaultLimitMs = 400_000;

/** Gives `tests` by title, and the output for a failure to show. */
export async function runPlaywright({ folder, name, projects, env, limitMs = defaultLimitMs }) {
  const verdicts = join(folder, 'verdicts', name);
  const reportFile = join(folder, `${name}-report.json`);
  mkdirSync(verdicts, { recursive: true });
  const args = [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '-c', join(folder, 'playwright.config.mjs'), '--reporter=json', ...projects.map((project) => `--project=${project}`)];
  const output = await run(args, { ...cleanEnv(), ...env, PLAYHEAD_VERDICTS: verdicts, PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile }, limitMs);
  if (!existsSync(reportFile)) throw new Error(`Cannot judge the alarms: the ${name} nested run left no report\n${output}`);
  const report = JSON.parse(readFileSync(reportFile, 'utf8'));
  return { tests: joinVerdicts(report, verdicts), output: `${output}${report.errors.map((error) => error.message).join('\n')}` };
}

// What the outer run asks of itself must not reach the inner one.
function cleanEnv() {
  return { ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('PLAYHEAD_'))), FORCE_COLOR: '0' };
}

function run(args, env, limitMs) {
  return new Promise((resolve, reject) => {
    // In our own process group, so that what ends us ends it too.
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (read) => (output += read));
    child.once('error', reject);
    child.once('close', () => resolve(output));
  });
}

function joinVerdicts(report, folder) {
  const verdicts = new Map(readdirSync(folder).map((file) => [basename(file).replace(/-\d+\.json$/, ''), JSON.parse(readFileSync(join(folder, file), 'utf8'))]));
  const tests = new Map();
  for (const spec of specsOf(report.suites)) {
    const [result] = spec.tests[0].results;
    tests.set(spec.title, { title: spec.title, status: result.status, durationMs: result.duration, errors: result.errors.map((error) => plain(error.message ?? '')), verdict: verdicts.get(spec.id) ?? null });
  }
  return tests;
}

function specsOf(suites) {
  return suites.flatMap((suite) => [...suite.specs, ...specsOf(suite.suites ?? [])]);
}

// eslint-disable-next-line no-control-regex -- colours are what is looked for.
const plain = (text) => text.replace(/\u001b\[[0-9;]*m/g, '');
