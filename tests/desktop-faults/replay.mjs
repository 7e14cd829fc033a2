/** Replays of cases of one repository: many in one run of Playwright, or one by the command line in a place of its own. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runPlaywright } from '../alarms/nested-run.mjs';
import { readVerdict, root } from '../faults/place.mjs';

const environment = {
  // Nothing here is found by standing still: longer than every bound below, so that nothing can pass by it.
  PLAYHEAD_STALL_MS: '60000',
  // A place has a temporary folder of its own, and Playwright would translate the whole package anew for each.
  PWTEST_CACHE_DIR: path.join(tmpdir(), `playwright-transform-cache-${process.getuid?.() ?? 0}`),
};

/** One run of Playwright over these cases; gives what each came to, in the shape that `expectFault` and `expectDivergence` judge. */
export async function replayTogether(repo, place, { names, env = {} }) {
  const given = { ...place.env, ...environment, FAULTS_DECLARED: '1', FAULTS_CASES: names.join(' '), ...env };
  const { tests, output } = await runPlaywright({ folder: repo.path, name: path.basename(place.path), projects: ['run'], env: given });
  return (name) => {
    const test = tests.get(name);
    assert.ok(test, `"${name}" did not run\n${output}`);
    const verdict = test.verdict;
    return { verdict, document: null, stdout: JSON.stringify({ verdict, errors: test.errors }), stderr: output, code: codeOf(verdict), ms: test.durationMs, test };
  };
}

// A verdict has no exit code: no row may ask for that of a fault, and the command line's own runs look at both.
const codeOf = (verdict) => (verdict?.result === 'failed' ? 1 : undefined);

export async function replayAlone(repo, place, { name, env = {}, isForPeople = false }) {
  const result = await place.playhead(['replay', ...(isForPeople ? [] : ['--json']), repo.caseFolder(name)], { env: { ...environment, ...env } });
  return isForPeople ? result : readVerdict(result);
}

/** What Playwright's own reporters make of one red case: its screen, the documents of its HTML report, its Markdown for agents. */
export async function reportOf(repo, place, name) {
  const verdicts = place.at('verdicts');
  mkdirSync(verdicts);
  const env = { ...environment, FAULTS_CASES: name, FAULTS_HTML: place.at('html'), PLAYHEAD_VERDICTS: verdicts };
  const { stdout, stderr } = await place.run([process.execPath, path.join(root, 'node_modules/@playwright/test/cli.js'), 'test', '-c', repo.at('playwright.config.mjs')], { env });
  const [file] = readdirSync(verdicts);
  const page = readFileSync(place.at('html/index.html'), 'utf8');
  const unzip = "import sys,io,base64,zipfile,re; z=zipfile.ZipFile(io.BytesIO(base64.b64decode(re.search(r'data:application/zip;base64,([A-Za-z0-9+/=]+)', sys.stdin.read()).group(1)))); print('\\n'.join(z.read(n).decode() for n in z.namelist()))";
  const unzipped = spawnSync('python3', ['-c', unzip], { input: page, encoding: 'utf8', maxBuffer: 1e8 });
  const results = path.join(place.temp, 'results');
  return {
    screen: stdout + stderr,
    divergence: JSON.parse(readFileSync(path.join(verdicts, file), 'utf8')).divergence,
    html: stringsOf(unzipped.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line))),
    markdown: readdirSync(results, { recursive: true }).filter((entry) => entry.endsWith('.md')).map((entry) => readFileSync(path.join(results, entry), 'utf8')),
  };
}

function stringsOf(value) {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsOf) : [];
}

export const recordAlone = async (repo, place, { name, env = {} }) => readVerdict(await place.playhead(['record', '--json', repo.caseFolder(name)], { env: { ...environment, ...env } }));

/** What the run ended with is the first thing that is shown (interface.md, teardown). */
export function expectFirstError({ verdict, test, stderr }) {
  const { message } = verdict.divergence ?? verdict.fault;
  const shown = test ? (test.errors[0] ?? '') : stderr.slice(stderr.search(/^\s+(?:\w*Error|Fault): /m));
  assert.ok(words(shown).startsWith(words(message).slice(0, 80)), `the first error is another one than the verdict's: ${shown}\n${message}`);
}

const words = (text) => text.replace(/^\s*(\w*Error|Fault): /, '').replace(/\s+/g, ' ').trim();
