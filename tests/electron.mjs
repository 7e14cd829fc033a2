// A real Electron window on a page of ours: its boot, its walls, its end. Needs the built dist, and a display or Xvfb.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { createChecks } from './lib/checks.mjs';
import { root } from './lib/run.mjs';
import { startDisplay } from '../src/runner/window/display.ts';
import { startElectron } from '../src/runner/window/electron.ts';
import { findElectron } from '../src/runner/window/find-electron.ts';
import { createWorkroom } from '../src/runner/workroom.ts';
import { nodeClock } from '../src/tape/node-clock.ts';

const app = join(root, 'dist/desktop/electron');
if (process.argv[2] === 'owner') await beOwner();
else await main();

async function main() {
  const { check, end } = createChecks('electron');
  const canRun = process.platform !== 'linux' || process.arch === 'x64' || existsSync(join(root, 'node_modules/electron'));
  if (!canRun) console.log('  no Electron: ours is a program for linux x64, and the electron package is not installed');
  const home = mkdtempSync(join(tmpdir(), 'playhead-test-electron-home-'));
  const workroom = createWorkroom();
  const hits = [];
  const own = await serve((url) => hits.push(`own ${url}`));
  const other = await serve((url) => hits.push(`other ${url}`));
  const world = { workroom, home, own, other, hits };
  try {
    await check('an app with main and preload is built, and finds its Electron', () => {
      for (const file of ['main.cjs', 'preload.cjs', 'package.json']) assert.ok(existsSync(join(app, file)), `${file} is absent`);
      assert.ok(existsSync(executable()));
    });
    await check('the window shows the page with its boot, in the size that was asked for', () => inWindow(world, showsPage));
    await check('two windows run side by side, each with its own token', () => Promise.all([inWindow(world, showsPage), inWindow(world, showsPage)]));
    await check('no new window, navigation, download, permission or foreign request', () => inWindow(world, staysIn));
    await check('the token stands in no argument, environment or descriptor of any process', () => inWindow(world, hidesToken));
    await check('a page that crashes ends the window with its cause', () => inWindow(world, tellsCrash));
    await check('a window that is closed ends its process, whatever the page wants', () => inWindow(world, closesWithoutDialog));
    await check('three starts and stops leave no process and no folder', async () => {
      for (let round = 0; round < 3; round++) await inWindow(world, async () => {});
      assert.deepEqual(readdirSync(workroom.path).filter((name) => name.startsWith('window')), []);
      assert.deepEqual(readdirSync(home), []);
    });
    await check('a runner that is killed leaves no process, folder or socket', () => leavesNothing());
  } finally {
    await (await startDisplay({ workroom, clock: nodeClock })).stop();
    workroom.remove();
    for (const { server } of [own, other]) server.close().closeAllConnections();
    rmSync(home, { recursive: true, force: true });
  }
  end();
}

async function inWindow(world, body) {
  const token = `token-${Math.random().toString(36).slice(2)}-of-the-window`;
  let show;
  const electron = await open(world, new Promise((resolve) => (show = () => resolve({ baseUrl: world.own.url, token }))));
  try {
    const browser = await chromium.connectOverCDP(electron.endpoint);
    show();
    const [context] = browser.contexts();
    const page = context.pages()[0] ?? (await context.waitForEvent('page'));
    await page.getByRole('heading', { name: 'ready' }).waitFor({ timeout: 10_000 });
    await body({ ...world, electron, context, page, token });
    await context.close().catch(() => {});
  } finally {
    await electron.stop();
  }
  assert.deepEqual(groupOf(electron.pid), []);
}

async function open({ workroom, home }, boot) {
  const { name } = await startDisplay({ workroom, clock: nodeClock });
  return startElectron({
    executable: executable(), args: [app], boot, env: { ...process.env, HOME: home }, userDataDir: workroom.makeFolder('window'),
    display: name, workroom, clock: nodeClock, size: { width: 1000, height: 700 },
  });
}

function executable() {
  return findElectron({ configFolder: root, packageRoot: root, env: process.env });
}

async function showsPage({ page, token }) {
  assert.deepEqual(await page.evaluate(() => globalThis.desktopBoot()), { baseUrl: new URL(page.url()).origin, token });
  assert.deepEqual(await page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio, typeof require, typeof process]), [1000, 700, 1, 'undefined', 'undefined']);
  const [one, two] = [await page.screenshot(), await page.screenshot()];
  assert.ok(one.equals(two), 'two pictures of one page differ');
}

async function staysIn({ page, context, other, hits }) {
  const before = hits.filter((hit) => hit.startsWith('other')).length;
  const tried = await page.evaluate(async (url) => {
    const result = (promise) => promise.then(() => 'given', () => 'denied');
    const loads = (element, source) => new Promise((resolve, reject) => Object.assign(element, { onload: resolve, onerror: reject, src: source }));
    const opens = (socket) => new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
    const answers = {
      window: String(window.open(url)),
      request: await result(fetch(url)),
      image: await result(loads(new Image(), `${url}/image`)),
      socket: await result(opens(new WebSocket(url.replace('http', 'ws')))),
      outside: await result(fetch('http://example.com/')),
      file: await result(fetch('file:///etc/hostname')),
      clipboard: await result(navigator.clipboard?.readText() ?? Promise.reject(new Error('absent'))),
      notification: await Notification.requestPermission(),
      ownRequest: await result(fetch('/own')),
    };
    document.body.append(Object.assign(document.createElement('iframe'), { src: url }));
    for (const link of [{ href: url, target: '_blank' }, { href: 'data:text/plain,x', download: 'file.txt' }, { href: url }]) {
      const anchor = Object.assign(document.createElement('a'), link);
      document.body.append(anchor);
      anchor.click();
    }
    location.href = `${url}/gone`;
    return answers;
  }, other.url);
  assert.deepEqual(tried, { window: 'null', request: 'denied', image: 'denied', socket: 'denied', outside: 'denied', file: 'denied', clipboard: 'denied', notification: 'denied', ownRequest: 'given' });
  // A request to our own server, answered after them all, is the sign that they were decided.
  await page.evaluate(() => fetch('/last'));
  assert.equal(await page.getByRole('heading').textContent(), 'ready');
  assert.equal(context.pages().length, 1);
  assert.equal(hits.filter((hit) => hit.startsWith('other')).length, before, hits.join(', '));
}

function hidesToken({ electron, token }) {
  const members = groupOf(electron.pid);
  if (process.platform === 'linux') assert.ok(members.length >= 4, `${members.length} processes`);
  for (const pid of members) {
    for (const file of ['cmdline', 'environ']) assert.ok(!readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(token), `process ${pid} has it in ${file}`);
    assert.ok(!readlinkOf(`/proc/${pid}/fd/3`).startsWith('pipe:'));
  }
}

async function tellsCrash({ electron, page }) {
  const session = await page.context().newCDPSession(page);
  // Never answered, for what carries the answer is gone with the page.
  session.send('Page.crash').catch(() => {});
  assert.deepEqual({ ...(await electron.exited), why: '' }, { code: 1, signal: null, why: '' });
  assert.match((await electron.exited).why, /the page's process ended \(crashed/);
}

async function closesWithoutDialog({ electron, page }) {
  await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()));
  page.evaluate(() => window.close()).catch(() => {});
  assert.equal((await electron.exited).code, 0);
}

// Another process opens a window and is killed; its janitor does the rest.
async function leavesNothing() {
  const owner = spawn(process.execPath, [import.meta.filename, 'owner'], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, DISPLAY: '' } });
  try {
    const told = JSON.parse(await new Promise((resolve) => owner.stdout.once('data', resolve)));
    const socket = `/tmp/.X11-unix/X${told.display?.slice(1)}`;
    if (process.platform === 'linux') assert.ok(existsSync(socket), `${socket} is absent`);
    owner.kill('SIGKILL');
    const left = () => [...groupOf(told.pid), ...[told.path, socket].filter((path) => existsSync(path))];
    const untilMs = performance.now() + 5_000;
    while (left().length > 0 && performance.now() < untilMs) await new Promise((resolve) => void setTimeout(resolve, 20));
    assert.deepEqual(left(), []);
  } finally {
    owner.kill('SIGKILL');
  }
}

async function beOwner() {
  const workroom = createWorkroom();
  const own = await serve(() => {});
  const electron = await open({ workroom, home: workroom.path }, { baseUrl: own.url, token: 'token' });
  const { name } = await startDisplay({ workroom, clock: nodeClock });
  console.log(JSON.stringify({ pid: electron.pid, path: workroom.path, display: name }));
}

async function serve(onRequest) {
  const server = createServer((request, response) => {
    onRequest(request.url);
    response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' });
    response.end('<!doctype html><title>desk</title><h1>waiting</h1><script>desktopBoot().then(() => { document.querySelector("h1").textContent = "ready"; })</script>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

// Processes of a group that have not ended; only Linux can be asked.
function groupOf(group) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, , groupOfPid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(groupOfPid) === group && state !== 'Z';
    } catch {
      return false;
    }
  });
}

function readlinkOf(file) {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
