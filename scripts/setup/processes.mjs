/** Child processes: started with the repository's Node first in PATH, ended as a group on Ctrl-C. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT_INTERRUPTED } from './fault.mjs';
import { INTERRUPT_GRACE_MS, PIPE_GRACE_MS, POLL_MS, TAIL_CHARS_MAX } from './limits.mjs';

const running = new Set();
let isEnding = false;
const isWindows = process.platform === 'win32';

/**
 * Runs a command to its end and never throws; answers nothing more once an interrupt ends us.
 * `output`: `inherit` shows it, `keep` keeps its end, `both` does both with stdout.
 * `isGroup` gives it a process group of its own, so that an end reaches its children too.
 */
export function runChild({ command, args, cwd, env, output, limitMs, isGroup = false }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: STDIO[output], detached: isGroup && !isWindows });
    const entry = { child, isGroup: isGroup && !isWindows };
    running.add(entry);
    let tail = '';
    let isTimedOut = false;
    const keep = (chunk) => { tail = (tail + chunk).slice(-TAIL_CHARS_MAX); };
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      keep(chunk);
      if (output === 'both') process.stdout.write(chunk);
    });
    child.stderr?.setEncoding('utf8').on('data', keep);
    const timer = setTimeout(() => { isTimedOut = true; signal(entry, 'SIGKILL'); }, limitMs);
    const end = (code) => {
      clearTimeout(timer);
      if (running.delete(entry) && !isEnding) resolve({ code, tail, isTimedOut });
    };
    child.once('error', (error) => { keep(`${error.message}\n`); end(NOT_STARTED); });
    child.once('close', (code) => end(code ?? KILLED));
    // A grandchild that keeps the pipe open must not hold us.
    child.once('exit', (code) => setTimeout(end, PIPE_GRACE_MS, code ?? KILLED).unref());
  });
}

const STDIO = { inherit: 'inherit', keep: ['ignore', 'pipe', 'pipe'], both: ['ignore', 'pipe', 'inherit'] };
const NOT_STARTED = 127;
const KILLED = 137;

/** On Ctrl-C (or a stop from outside) ends every child, kills what stays, and exits 130. */
export function exitOnInterrupt() {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, onInterrupt);
}

async function onInterrupt() {
  if (isEnding) return killAll();
  isEnding = true;
  for (const entry of running) signal(entry, 'SIGINT');
  const endMs = Date.now() + INTERRUPT_GRACE_MS;
  while (running.size > 0 && Date.now() < endMs) await sleep(POLL_MS);
  killAll();
  process.exit(EXIT_INTERRUPTED);
}

function killAll() {
  for (const entry of running) signal(entry, 'SIGKILL');
}

function signal({ child, isGroup }, name) {
  if (child.pid === undefined) return;
  try {
    process.kill(isGroup ? -child.pid : child.pid, name);
  } catch (error) {
    // It ended between our look and our signal: the wanted state.
    if (error.code !== 'ESRCH') throw error;
  }
}

/** The Node the repository runs on: the linked one, else the one that runs this. */
export function repoNode(root) {
  const linked = path.join(root, 'node_modules/.bin/node');
  return existsSync(linked) ? linked : process.execPath;
}

/** The command for `npm <args>`; under npm it is the npm that started us. */
export function npmCommand({ node, args, env }) {
  const cli = env.npm_execpath;
  if (cli !== undefined && path.basename(cli) === 'npm-cli.js') return { command: node, args: [cli, ...args] };
  // Note: Windows has npm as a .cmd file, which spawn refuses; its cli lies beside node.exe.
  if (isWindows) return { command: node, args: [path.join(path.dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js'), ...args] };
  return { command: 'npm', args };
}

/** The environment of a child: the repository's Node first in PATH, nothing of the npm script that runs us. */
export function childEnv({ root, env, extra = {} }) {
  const kept = Object.entries(env).filter(([name]) => !OF_OUR_NPM_SCRIPT.test(name));
  const pathName = kept.find(([name]) => name.toUpperCase() === 'PATH')?.[0] ?? 'PATH';
  const ours = ['node_modules/.bin', 'tools/node/node_modules/.bin'].map((folder) => path.join(root, folder));
  return { ...Object.fromEntries(kept), [pathName]: [...ours, env[pathName]].join(path.delimiter), ...extra };
}

const OF_OUR_NPM_SCRIPT = /^npm_(package_|lifecycle_|config_local_prefix$|command$)/;
