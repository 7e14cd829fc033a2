// Running a program to its end with its output in memory.
import { spawn } from 'node:child_process';

export const root = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');

/** `{ code, stdout, stderr }`; `limitMs` ends the whole process group. */
export function run(command, { cwd = root, env = process.env, limitMs = 120_000, input = null } = {}) {
  const [program, ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe'], detached: true });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (read) => (stdout += read));
    child.stderr.on('data', (read) => (stderr += read));
    if (input !== null) child.stdin.end(input);
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), limitMs);
    // A program that never started has no group to end.
    child.once('error', (error) => (clearTimeout(timer), reject(error)));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout, stderr });
    });
  });
}

/** The decoded bytes of a tape, all kinds. */
export function decodeFrames(text) {
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line)).map((chunk) => Buffer.from(chunk.data ?? '', 'base64').toString()).join('');
}

export const playwright = ['node', `${root}/node_modules/@playwright/test/cli.js`, 'test'];
