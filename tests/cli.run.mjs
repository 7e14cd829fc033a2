/** The command line as a person and as a program sees it: exit codes, one document, sentences. Uses the built package alone. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { createReport } from './faults/report.mjs';
import { cassetteChecks } from './cli/cassettes.mjs';
import { cli, inPlace, root } from './faults/place.mjs';

const report = createReport();
const { check } = report;
const hello = path.join(root, 'cases/chat-hello');
const steps = ['hello', 'turn=hello', 'close'];
const inRoot = { cwd: root };

// One row: words, exit code, and what the document or the error says.
const usage = [
  { words: ['reply'], says: /"reply": it is no verb, "replay" is near/, next: /playhead replay --help/ },
  { words: ['valdate', 'x'], says: /"validate" is near/ },
  { words: ['xyzzyxyzzy'], says: /it is no verb/ },
  { words: ['replay', '--timin', 'instant', 'x'], says: /--timin.*--timing/ },
  { words: ['wrap', 'codex', '--rekord', 'x', '--', 'true'], says: /--rekord.*--record/ },
  { words: ['replay'], says: /path/ },
  { words: ['validate'], says: /dir/ },
  { words: ['wrap', 'codex', '--record', 'x'], says: /there is no command/ },
  { words: ['wrap', 'codex', '--', 'true'], says: /exactly one of --record and --replay/ },
  { words: ['wrap', 'codex', '--record', 'x', '--replay', 'y', '--', 'true'], says: /exactly one of --record and --replay/ },
  { words: ['record'], says: /no case was named/ },
  { words: ['doctor', '--wrap'], says: /there is no command/ },
  { words: ['rename'], says: /cassette/ },
  { words: ['rename', 'x'], says: /name/ },
  ...['init', 'accept', 'rebase', 'diff', 'fetch', 'show'].map((verb) => ({ words: [verb], says: /it is no verb/ })),
];
for (const { words, says, next = /./ } of usage)
  check(`playhead ${words.join(' ')} is wrong usage`, () => inPlace(async (place) => {
    const at = words.indexOf('--') < 0 ? words.length : words.indexOf('--');
    const result = await place.playhead(words.toSpliced(at, 0, '--json'));
    const error = expectError(result, 'usage', 2);
    assert.match(error.message, says);
    assert.match(error.next.join(), next);
    const shown = await place.playhead(words);
    assert.equal(shown.code, 2);
    assert.equal(shown.stdout, '');
    assert.match(shown.stderr, /^✗ Cannot /);
    assert.match(shown.stderr, /docs\/errors\.md#usage/);
  }));

const refused = [
  { words: ['replay', 'cases/nowhere'], code: 'case_not_found', exitCode: 2 },
  { words: ['list', 'nowhere'], code: 'case_not_found', exitCode: 2 },
  { words: ['record', 'nowhere'], code: 'case_not_found', exitCode: 2 },
  { words: ['replay', '--timing', '3', hello], code: 'option_invalid', exitCode: 2 },
  { words: ['replay', '--surface', 'phone', hello], code: 'option_invalid', exitCode: 2 },
  { words: ['replay', hello], env: { PLAYHEAD_STALL_MS: 'soon' }, code: 'option_invalid', exitCode: 2 },
  { words: ['replay', hello], env: { PLAYHEAD_SURFACE: 'phone' }, code: 'option_invalid', exitCode: 2 },
  { words: ['record', hello], env: { CI: '1' }, code: 'recording_in_ci', exitCode: 2 },
  { words: ['doctor', '--wrap', '--seconds', 'x', '--', 'true'], code: 'option_invalid', exitCode: 2 },
  { words: ['doctor', '--wrap', '--', 'true'], code: 'provider_not_intercepted', exitCode: 3 },
];
for (const { words, env, code, exitCode } of refused)
  check(`playhead ${words.map((word) => path.relative(root, word) && word.replace(`${root}/`, '')).join(' ')} ${Object.keys(env ?? {}).join()} ends with ${exitCode}, ${code}`, () => inPlace(async (place) => {
    const at = words.indexOf('--') < 0 ? words.length : words.indexOf('--');
    expectError(await place.playhead(words.toSpliced(at, 0, '--json'), { env }), code, exitCode);
  }));

check('no verb, --help and --version end with 0; verbs that are not built are not named', () => inPlace(async (place) => {
  const bare = await place.playhead([]);
  const help = await place.playhead(['--help']);
  assert.deepEqual([bare.code, help.code, bare.stdout], [0, 0, help.stdout]);
  for (const verb of ['wrap', 'record', 'replay', 'validate', 'list', 'rename', 'doctor']) {
    assert.match(help.stdout, new RegExp(`^  ${verb} `, 'm'));
    const own = await place.playhead([verb, '--help']);
    assert.equal(own.code, 0);
    assert.match(own.stdout, /--json/);
  }
  for (const verb of ['init', 'accept', 'rebase', 'diff', 'fetch', 'show']) assert.doesNotMatch(help.stdout, new RegExp(`\\b${verb}\\b`));
  const version = await place.playhead(['--version']);
  assert.deepEqual([version.code, version.stdout], [0, '0.1.0\n']);
}));

check('validate --json has one entry for each folder, an absent one included', () => inPlace(async (place) => {
  cpSync(path.join(hello, 'cassettes/main'), place.at('work/bad'), { recursive: true });
  writeFileSync(place.at('work/bad/provider/manifest.json'), '{}');
  const good = path.join(hello, 'cassettes/main');
  const result = await place.playhead(['validate', '--json', good, 'bad', 'absent', hello]);
  assert.equal(result.code, 1);
  const document = oneDocument(result);
  assert.deepEqual([document.schemaVersion, document.valid], [1, false]);
  assert.deepEqual(document.cassettes.map(({ cassette, valid }) => [cassette, valid]), [[good, true], ['bad', false], ['absent', false], [`${hello}/cassettes/main`, true]]);
  for (const issue of document.cassettes.flatMap(({ issues }) => issues)) {
    assert.deepEqual(Object.keys(issue).sort(), ['code', 'file', 'is', 'level', 'line', 'message', 'needed', 'path', 'severity']);
    assert.ok(['publish', 'resolve', 'tape_load', 'runner'].includes(issue.level) && ['error', 'warning'].includes(issue.severity));
    assert.ok(issue.file === null || !path.isAbsolute(issue.file));
  }
  const clean = await place.playhead(['validate', '--json', good]);
  assert.deepEqual([clean.code, oneDocument(clean).valid], [0, true]);
}));

check('validate walks a folder of cases, and says where nothing was judged', () => inPlace(async (place) => {
  cpSync(hello, place.at('work/cases/deep/hello'), { recursive: true });
  writeCase(place.at('work/cases/empty'), []);
  const result = await place.playhead(['validate', '--json', 'cases']);
  assert.equal(result.code, 0, result.stdout);
  const { valid, cassettes } = oneDocument(result);
  assert.deepEqual([valid, cassettes.map(({ cassette }) => cassette)], [true, ['cases/deep/hello/cassettes/main', 'cases/empty']]);
  assert.deepEqual(cassettes[1].issues.map(({ severity, code, path: at }) => [severity, code, at]), [['warning', 'cassette_missing', '$.cassettes']]);
  assert.match((await place.playhead(['validate', 'cases'])).stderr, /cases\/empty\n.*it names no cassette/);
}));

check('text of a tape reaches no terminal as a command', () => inPlace(async (place) => {
  const evil = '\u001b]0;owned\u0007\u001b[31m\u009b2J\u202e';
  for (const [name, spoil] of [['version', (manifest) => (manifest.recordedWith.provider.version = evil)], ['ids', (manifest) => manifest.connections.forEach((connection) => Object.assign(connection, { connectionId: evil, provider: evil }))]]) {
    const provider = place.at('work/cases', name, 'cassettes/main/provider');
    cpSync(path.join(hello, 'cassettes/main/provider'), provider, { recursive: true });
    const manifest = JSON.parse(readFileSync(path.join(provider, 'manifest.json'), 'utf8'));
    spoil(manifest);
    const text = JSON.stringify(manifest);
    writeFileSync(path.join(provider, 'manifest.json'), text);
    writeCase(place.at('work/cases', name), [{ dir: 'cassettes/main', manifestSha256: createHash('sha256').update(text).digest('hex') }], `${evil} title`);
  }
  writeCase(place.at('work/cases/unreadable'), [], evil, { [evil]: 1 });
  for (const words of [['validate', 'cases'], ['list'], ['validate', 'cases', '--json'], ['list', '--json'], ['replay', 'cases/version/cassettes/main', '--surface', 'none'], ['replay', `${evil}/nowhere`], ['wrap', 'codex', '--replay', 'cases/ids/cassettes/main', '--', 'true']]) {
    const { stdout, stderr } = await place.playhead(words);
    // eslint-disable-next-line no-control-regex -- these are what is looked for.
    assert.doesNotMatch(stdout + stderr, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/, words.join(' '));
    if (words[0] === 'list' || words[0] === 'validate') assert.match(stdout + stderr, /\\u001b/, words.join(' '));
  }
}));

check('list and its kin look in PLAYHEAD_CASES', () => inPlace(async (place) => {
  writeCase(place.at('elsewhere/one'), []);
  const result = await place.playhead(['list', '--json'], { env: { PLAYHEAD_CASES: place.at('elsewhere') } });
  assert.deepEqual(oneDocument(result).cases.map((one) => one.case), ['one']);
  expectError(await place.playhead(['record', '--all', '--json'], { env: { PLAYHEAD_CASES: place.at('bin') } }), 'case_not_found', 2);
}));

check('list --json names every case of the repository', () => inPlace(async (place) => {
  const result = await place.playhead(['list', '--json'], inRoot);
  assert.equal(result.code, 0);
  const { cases } = oneDocument(result);
  assert.ok(cases.length >= 9);
  const found = cases.find((one) => one.case === 'chat-hello');
  assert.deepEqual([found.product, found.drive, found.problem, found.cassettes[0].provider], ['chat-node', 'spec', null, 'codex']);
  const shown = await place.playhead(['list'], inRoot);
  assert.match(shown.stdout, /^chat-hello +main +tape-[0-9a-f]{12} /m);
}));

check('doctor names values with their origin', () => inPlace(async (place) => {
  const result = await place.playhead(['doctor', '--json'], { ...inRoot, env: { PLAYHEAD_STALL_MS: '777' } });
  assert.equal(result.code, 0, result.stderr);
  const { findings } = oneDocument(result);
  const stall = findings.find(({ name }) => name === 'stall limit');
  assert.deepEqual([stall.value, stall.origin], ['777 ms', 'environment PLAYHEAD_STALL_MS']);
  assert.match((await place.playhead(['doctor'], inRoot)).stdout, /^✓ node +v\d+/m);
  // Whoever only wraps needs no configuration.
  const bare = await place.playhead(['doctor', '--json']);
  assert.equal(bare.code, 0, bare.stdout + bare.stderr);
  assert.match(JSON.parse(bare.stdout).findings.find(({ name }) => name === 'configuration').value, /none found/);
}));

check('doctor --wrap counts launches', () => inPlace(async (place) => {
  const result = await place.playhead(['doctor', '--wrap', '--json', '--', 'sh', '-c', 'codex --version; codex app-server </dev/null; true']);
  assert.equal(result.code, 0, result.stderr);
  const document = oneDocument(result);
  assert.deepEqual([document.arrived, document.exitCode], [2, 0]);
  assert.deepEqual(document.launches, [{ provider: 'codex', argv: ['--version'] }, { provider: 'codex', argv: ['app-server'] }]);
  const late = await place.playhead(['doctor', '--wrap', '--seconds', '1', '--json', '--', 'sh', '-c', 'codex --version; exec sleep 600']);
  assert.deepEqual([late.code, oneDocument(late).exitCode], [0, 143]);
}));

check('wrap --record and --replay print one document each, and the command’s output goes to stderr', () => inPlace(async (place) => {
  const command = place.client([...steps, 'exit=6']);
  const recorded = await place.playhead(['wrap', 'codex', '--record', 'tape', '--json', '--', ...command]);
  assert.equal(recorded.code, 6, recorded.stderr);
  const document = oneDocument(recorded);
  assert.deepEqual([document.schemaVersion, document.result, document.exitCode, document.cassette.name], [1, 'recorded', 6, 'tape']);
  assert.match(document.cassette.id, /^tape-[0-9a-f]{12}$/);
  const replayed = await place.playhead(['wrap', 'codex', '--replay', 'tape', '--json', '--', ...command]);
  assert.equal(replayed.code, 6);
  const { result, verdicts } = oneDocument(replayed);
  assert.deepEqual([result, verdicts.length, verdicts[0].cassette.id], ['passed', 1, document.cassette.id]);
  const talking = await place.playhead(['wrap', 'codex', '--replay', 'tape', '--json', '--', 'sh', '-c', 'echo loud']);
  expectError(talking, 'provider_not_intercepted', 3);
  assert.match(talking.stderr, /^loud$/m);
}));

check('wrap without --json leaves stdout to the command', () => inPlace(async (place) => {
  await place.record('tape', steps);
  const result = await place.playhead(['wrap', 'codex', '--replay', place.at('tape'), '--', 'sh', '-c', `echo mine; ${place.client(steps).join(' ')}`]);
  assert.deepEqual([result.code, result.stdout], [0, 'mine\n']);
  assert.match(result.stderr, /✓ tape/);
}));

check('an option behind -- belongs to the command', () => inPlace(async (place) => {
  await place.record('tape', steps);
  const result = await place.playhead(['wrap', 'codex', '--replay', place.at('tape'), '--', 'sh', '-c', 'exit 0', '--json', '--record']);
  assert.deepEqual([result.code, result.stdout], [3, '']);
}));

check('replay of a changed prompt ends with 1 and a first screen of 24 lines', () => inPlace(async (place) => {
  await place.record('tape', ['hello', 'turn=hello world', 'close']);
  const wrong = ['wrap', 'codex', '--replay', place.at('tape')];
  const command = place.client(['hello', 'turn=hello  world', 'close']);
  const result = await place.playhead([...wrong, '--json', '--', ...command]);
  assert.equal(result.code, 1);
  const document = oneDocument(result);
  assert.deepEqual([document.result, document.error], ['failed', undefined]);
  const shown = await place.playhead([...wrong, '--', ...command]);
  assert.equal(shown.code, 1);
  const screen = shown.stderr.split('\n').slice(1, -1);
  assert.ok(screen.length <= 25 && screen.every((line) => line.length <= 102), shown.stderr);
}));

check('replay --json of a case with a window gives its verdict', () => inPlace(async (place) => {
  const result = await place.playhead(['replay', 'cases/chat-hello', '--json'], { ...inRoot, env: { PLAYHEAD_STALL_MS: '5000' } });
  assert.equal(result.code, 0, result.stderr);
  const document = oneDocument(result);
  assert.deepEqual([document.schemaVersion, document.result, document.verdicts.map((verdict) => verdict.case.name)], [1, 'passed', ['chat-hello']]);
}, { codex: null }));

check('replay is red where one of its cases never ran, and runs each repository by its own configuration', () => inPlace(async (place) => {
  symlinkSync(path.join(root, 'node_modules'), place.at('work/node_modules'));
  writeFileSync(place.at('work/playwright.config.mjs'), 'export default {};\n');
  writeCase(place.at('work/cases/ghost'), ['a', 'b'].map((name) => ({ dir: `cassettes/${name}`, manifestSha256: '0'.repeat(64) })));
  const result = await place.playhead(['replay', 'cases/chat-hello', place.at('work/cases/ghost'), '--json'], { ...inRoot, env: { PLAYHEAD_STALL_MS: '5000' } });
  const error = expectError(result, 'spec_failed', 1);
  assert.match(error.message, /ghost › a, ghost › b/);
  assert.match(error.next.join(), /^npx playwright test --config \S+playwright\.config\.mjs --list$/);
  const document = oneDocument(result);
  assert.deepEqual([document.result, document.verdicts.map((verdict) => [verdict.case.name, verdict.result])], ['failed', [['chat-hello', 'passed']]]);
}, { codex: null }), { limitMs: 90_000 });

check('a selection of one cassette judges that one, and one that case.json lacks is not found', () => inPlace(async (place) => {
  for (const name of ['a', 'b', 'c']) cpSync(path.join(hello, 'cassettes/main'), place.at('work/cases/two/cassettes', name), { recursive: true });
  const { manifestSha256 } = JSON.parse(readFileSync(path.join(hello, 'case.json'), 'utf8')).cassettes[0];
  writeCase(place.at('work/cases/two'), ['a', 'b'].map((name) => ({ dir: `cassettes/${name}`, manifestSha256 })));
  symlinkSync(path.join(root, 'node_modules'), place.at('work/node_modules'));
  writeFileSync(place.at('work/playwright.config.mjs'), 'export default {};\n');
  writeFileSync(place.at('work/cases/two/two.spec.mjs'), `import { defineCase } from ${JSON.stringify(path.join(root, 'dist/playwright.js'))};\ndefineCase(import.meta.url, async ({ replay }) => replay.abandon('nothing is played'));\n`);
  writeFileSync(place.at('work/playhead.config.mjs'), "export default { products: { none: './product.mjs' } };\n");
  writeFileSync(place.at('work/product.mjs'), "export default { name: 'none', windows: {} };\n");
  for (const [selected, names] of [['cases/two/cassettes/b', ['b']], ['cases/two', ['a', 'b']]]) {
    const result = await place.playhead(['replay', selected, '--json']);
    assert.deepEqual(oneDocument(result).verdicts.map((verdict) => verdict.cassette.name).sort(), names, result.stderr);
  }
  expectError(await place.playhead(['replay', 'cases/two/cassettes/c', '--json']), 'case_not_found', 2);
}, { codex: null }), { limitMs: 90_000 });

check('next steps can be followed', () => inPlace(async (place) => {
  mkdirSync(place.at('work/cases/bad'), { recursive: true });
  writeFileSync(place.at('work/cases/bad/case.json'), '{}');
  assert.deepEqual(expectError(await place.playhead(['record', 'bad', '--json']), 'case_invalid', 2).next, ['npx playhead validate cases/bad']);
  assert.match((await place.playhead(['record', 'bad'])).stderr, /^ {2}next {2}npx playhead validate cases\/bad$/m);
  await place.record('work/my tape', ['hello', 'turn=hello', 'close']);
  const result = await place.playhead(['wrap', 'codex', '--replay', 'my tape', '--json', '--', ...place.client(['hello', 'turn=other', 'close'])]);
  const [first = ''] = oneDocument(result).verdicts[0].divergence.next;
  assert.match(first, /^npx playhead wrap codex --replay 'my tape' --timing recorded -- \S+/);
}));

check('a Node that is too old gets one sentence and 3', () => inPlace(async (place) => {
  const old = oldNode();
  if (!old) return console.log('      no Node before 22.13 is on this machine: the check ran against a faked version');
  const shown = await place.run([old, cli, 'list']);
  assert.deepEqual([shown.code, shown.stdout], [3, '']);
  assert.match(shown.stderr, /^Cannot run playhead: this is Node \d+\.\d+\.\d+, 22\.13 or newer was needed\n$/);
  expectError(await place.run([old, cli, 'list', '--json']), 'runtime_too_old', 3);
}));

check('a faked old version gets the same', () => inPlace(async (place) => {
  mkdirSync(place.at('fake'));
  writeFileSync(place.at('fake/old.mjs'), "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.12.0' } });\n");
  const result = await place.run([process.execPath, '--import', place.at('fake/old.mjs'), cli, 'validate', 'x', '--json']);
  expectError(result, 'runtime_too_old', 3);
}));

cassetteChecks({ check, expectError, oneDocument, writeCase });

await report.run();

function expectError(result, code, exitCode) {
  const document = oneDocument(result);
  assert.ok(document.error, `an error was expected: ${result.stdout}\n${result.stderr}`);
  assert.deepEqual([document.error.code, result.code], [code, exitCode], document.error.message);
  assert.equal(document.schemaVersion, 1);
  assert.deepEqual(Object.keys(document.error), ['code', 'message', 'at', 'facts', 'next']);
  assert.match(document.error.message, /^Cannot [a-z]/);
  assert.ok(document.error.next.length > 0);
  return document.error;
}

function writeCase(folder, cassettes, title = 't', more = {}) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'case.json'), JSON.stringify({ schemaVersion: 1, title, product: 'none', drive: 'spec', cassettes, ...more }));
}

function oneDocument({ stdout, stderr, code }) {
  try {
    return JSON.parse(stdout);
  } catch (error) {
    throw new Error(`stdout is not one document (exit ${code}): ${stdout}\n${stderr}`, { cause: error });
  }
}

function oldNode() {
  return ['/usr/local/bin/node', '/usr/bin/node'].find((file) => existsSync(file) && /^v(1\d|20|21)\./.test(execFileSync(file, ['--version']).toString())) ?? null;
}
