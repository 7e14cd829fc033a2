/** Decides from the survey's facts which steps are done, which commands run, and what cannot be had. */

import { ELECTRON, ELECTRON_MARKER } from './electron.mjs';
import { DEBIAN_BROWSER } from './survey.mjs';
import { OWN_NODE } from './world.mjs';

/**
 * The steps of a set-up in the order they run.
 * A step is `found`, `missing` (with actions), `lost` (optional and not to be had) or `blocked` (with a next thing to do).
 * `isAll` adds what only `npm test` needs.
 */
export function planSetup(facts, { isAll }) {
  const dependencies = planPackages({ name: 'dependencies', difference: facts.dependencies, cwd: '.' });
  return refreshOnce([
    ...planTools(facts),
    planFonts(facts),
    ...(facts.browser.source === 'debian' ? [planDebianBrowser(facts)] : []),
    planNode(facts),
    dependencies,
    ...(needsOwnNode(facts) && hasOwnNode(facts) ? [planNodeLink({ facts, willReplace: dependencies.status === 'missing' })] : []),
    ...(isAll ? [planPackages({ name: 'provider CLIs', difference: facts.providers, cwd: 'tools/providers' })] : []),
    ...(isAll ? planElectronWindow(facts) : []),
    ...(facts.browser.source === 'playwright' ? [planPlaywrightBrowser(facts)] : []),
    planBuild(facts),
  ]);
}

function planTools(facts) {
  return TOOLS.map(({ name, aptPackage, loses }) => {
    const version = facts.tools[name];
    if (version !== null) return { name, status: 'found', detail: version };
    return planAptPackage({ facts, name, aptPackage, loses });
  });
}

const TOOLS = [
  { name: 'git', aptPackage: 'git' },
  { name: 'python3', aptPackage: 'python3' },
  { name: 'ip', aptPackage: 'iproute2', loses: 'no proof that a replay reaches no network' },
  { name: 'unshare', aptPackage: 'util-linux', loses: 'no proof that a replay reaches no network' },
];

function planFonts(facts) {
  if (facts.fontCount > 0) return { name: 'fonts', status: 'found', detail: 'text is drawn' };
  return planAptPackage({ facts, name: 'fonts', aptPackage: 'fonts-dejavu-core', loses: 'pictures show boxes in place of text' });
}

function planDebianBrowser(facts) {
  if (facts.browser.found !== null) return { name: 'browser', status: 'found', detail: facts.browser.found };
  return planAptPackage({ facts, name: 'browser', aptPackage: 'chromium-headless-shell', path: DEBIAN_BROWSER });
}

function planAptPackage({ facts, name, aptPackage, loses, path = name }) {
  if (facts.aptBy !== 'nobody') {
    const action = apt({ by: facts.aptBy, args: ['install', '-y', '--no-install-recommends', ...aptPackage.split(' ')] });
    return { name, status: 'missing', detail: `apt-get install ${aptPackage}`, loses, needs: path, actions: [action] };
  }
  if (loses !== undefined) return { name, status: 'lost', detail: loses };
  if (!facts.hasApt) return { name, status: 'blocked', is: `"${path}" is absent and this machine has no apt-get`, needed: `${name} from its own package manager`, next: `install ${name}, then run the command again` };
  return { name, status: 'blocked', aptPackage, is: `"${facts.user}" is not root and sudo does not work without a password`, needed: 'root for apt-get' };
}

function planNode(facts) {
  const { version, ownVersion, isOwnInstalled } = facts.node;
  if (!needsOwnNode(facts)) return { name: 'node', status: 'found', detail: version };
  if (hasOwnNode(facts)) {
    if (isOwnInstalled) return { name: 'node', status: 'found', detail: `${ownVersion} in tools/node` };
    return { name: 'node', status: 'missing', detail: `${ownVersion} into tools/node`, needs: OWN_NODE, actions: [npmCi('tools/node')] };
  }
  if (isAtLeast(version, NODE_OF_PACKAGE)) return { name: 'node', status: 'found', detail: `${version}, the repository is tested on ${NODE_MAJOR}` };
  return { name: 'node', status: 'blocked', is: `Node is ${version} on ${facts.platform} ${facts.arch}`, needed: `Node ${NODE_MAJOR}`, next: `install Node ${NODE_MAJOR}, then run the command again` };
}

/** True where the machine's Node is too old; one that came from tools/node says nothing about the machine. */
function needsOwnNode({ node }) {
  return node.isOwn || !isAtLeast(node.version, [NODE_MAJOR, 0]);
}

/** The package in tools/node is a program for this platform only. */
const hasOwnNode = ({ platform, arch }) => platform === 'linux' && arch === 'x64';

const NODE_MAJOR = 24;
const NODE_OF_PACKAGE = [22, 13];

function isAtLeast(version, [major, minor]) {
  const [hasMajor, hasMinor] = version.split('.').map(Number);
  return hasMajor > major || (hasMajor === major && hasMinor >= minor);
}

function planPackages({ name, difference, cwd }) {
  if (difference === null) return { name, status: 'found', detail: 'as locked' };
  return { name, status: 'missing', detail: `npm ci, ${difference}`, needs: 'what package-lock.json says', actions: [npmCi(cwd)] };
}

/** Note: npm ci replaces node_modules and the link with it, so the link comes after. */
function planNodeLink({ facts, willReplace }) {
  if (facts.node.isLinked && !willReplace) return { name: 'node link', status: 'found', detail: LINK };
  return { name: 'node link', status: 'missing', detail: LINK, needs: LINK, actions: [{ kind: 'link', file: LINK, target: OWN_NODE }] };
}

const LINK = 'node_modules/.bin/node';

/** A window of Electron: a display where there is none, the libraries it loads, and the program. */
function planElectronWindow(facts) {
  if (facts.platform !== 'linux') return [planElectron(facts)];
  return [planXvfb(facts), planElectronLibraries(facts), planElectron(facts)];
}

function planXvfb(facts) {
  if (facts.hasXvfb) return { name: 'xvfb', status: 'found', detail: 'a display without a screen' };
  return planAptPackage({ facts, name: 'xvfb', aptPackage: 'xvfb', path: 'Xvfb', loses: 'no Electron window where DISPLAY is empty' });
}

function planElectronLibraries(facts) {
  if (facts.missingLibraries.length === 0) return { name: 'electron libs', status: 'found', detail: 'GTK, NSS, GBM and sound' };
  const aptPackage = facts.missingLibraries.map(({ aptPackage }) => aptPackage).join(' ');
  return planAptPackage({ facts, name: 'electron libs', aptPackage, path: facts.missingLibraries[0].file, loses: NO_ELECTRON });
}

function planElectron(facts) {
  if (facts.electron.isMade) return { name: 'electron', status: 'found', detail: `${ELECTRON.version} in ${ELECTRON.folder}` };
  if (facts.platform !== 'linux' || facts.arch !== 'x64') return { name: 'electron', status: 'lost', detail: `${NO_ELECTRON}: ours is a program for linux x64` };
  const install = facts.electron.difference === null ? [] : [npmCi('tools/electron', ['--ignore-scripts'])];
  const make = { kind: 'run', command: 'node', args: ['scripts/make-electron.mjs'] };
  return { name: 'electron', status: 'missing', detail: `${ELECTRON.version} into ${ELECTRON.folder}`, needs: ELECTRON_MARKER, loses: NO_ELECTRON, actions: [...install, make] };
}

const NO_ELECTRON = 'no desktop case is replayed in an Electron window';

function planPlaywrightBrowser(facts) {
  if (facts.browser.found !== null) return { name: 'browser', status: 'found', detail: facts.browser.found };
  const args = ['node_modules/@playwright/test/cli.js', 'install', '--only-shell', 'chromium'];
  return { name: 'browser', status: 'missing', detail: 'npx playwright install --only-shell chromium', needs: 'a headless shell', actions: [{ kind: 'run', command: 'node', args }] };
}

function planBuild(facts) {
  if (facts.build === null) return { name: 'build', status: 'found', detail: 'dist, sources unchanged' };
  return { name: 'build', status: 'missing', detail: `npm run build, ${facts.build}`, needs: 'dist/cli.js', isOurs: true, actions: [{ kind: 'build' }] };
}

/** Puts one `apt-get update` before the first package; a mirror that fails may still leave usable lists. */
function refreshOnce(steps) {
  const first = steps.find((step) => step.actions?.[0].isApt);
  const refresh = first && { ...apt({ by: first.actions[0].by, args: ['update'] }), isTolerated: true };
  return steps.map((step) => (step === first ? { ...step, actions: [refresh, ...step.actions] } : step));
}

function apt({ by, args }) {
  const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-o', 'DPkg::Lock::Timeout=120', ...args];
  const [first, ...rest] = by === 'sudo' ? ['sudo', '-n', ...command] : command;
  return { kind: 'run', isApt: true, by, command: first, args: rest };
}

function npmCi(cwd, more = []) {
  return { kind: 'run', command: 'npm', args: ['ci', '--include=dev', '--no-audit', '--no-fund', ...more], cwd };
}
