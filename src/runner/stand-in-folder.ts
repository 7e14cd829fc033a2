/** The folder that goes first on PATH: a program for each provider, and the files a stand-in reads (stand-in b7, c3 to c6). */

import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Fault } from '../core/fault.ts';
import { limits } from '../core/limits.ts';
import { folderFiles, type RefusedLaunch, type Route, type ShimConfig } from '../core/shim/folder.ts';

export type StandInFolder = {
  path: string;
  mode: ShimConfig['mode'];
  /**
   * `base` with the stand-ins first on PATH. Its homes are an empty folder (the default) or the given one, and its provider
   * keys are gone; `own` keeps both, for recording with a person's own set-up.
   */
  env: (base: NodeJS.ProcessEnv, home?: string | 'own') => { [name: string]: string };
  program: (provider: string) => string;
  register: (name: string, route: Route) => () => void;
  refused: () => RefusedLaunch[];
  /** Refused launches that nobody has reported yet; each is given once, whoever asks. */
  claimRefused: () => RefusedLaunch[];
  arrivals: () => RefusedLaunch[];
};

export type FolderOptions = {
  path: string;
  mode: ShimConfig['mode'];
  providers: readonly { id: string; homeEnv: readonly string[]; keyEnv?: readonly string[] }[];
  /** Folder of the bundled stand-ins. */
  programs: string;
  node?: string;
  stallMs?: number;
};

export function createStandInFolder(options: FolderOptions): StandInFolder {
  const { path, mode, providers, programs } = options;
  if (process.platform === 'win32')
    throw new Fault({ code: 'platform_unsupported', message: 'Cannot make stand-ins: Windows starts no scripts by name, Linux or macOS was needed' });
  for (const name of [folderFiles.bin, folderFiles.routes, folderFiles.home]) mkdirSync(join(path, name), { recursive: true });
  const homeEnv = [...new Set(providers.flatMap((provider) => provider.homeEnv))];
  const keyEnv = [...new Set(providers.flatMap((provider) => provider.keyEnv ?? []))];
  const config: ShimConfig = { schemaVersion: 1, mode, homeEnv, keyEnv, stallMs: options.stallMs ?? limits.stallMs };
  writeFileSync(join(path, folderFiles.config), JSON.stringify(config));
  const file = join(programs, `stand-in-${mode}.cjs`);
  for (const provider of providers) {
    const program = join(path, folderFiles.bin, provider.id);
    writeFileSync(program, launcher({ node: options.node ?? process.execPath, file, folder: path, provider: provider.id }));
    chmodSync(program, 0o755);
  }
  return openStandInFolder(path);
}

/** The face of a folder that exists, for workers that share one backend. */
export function openStandInFolder(path: string): StandInFolder {
  const config = JSON.parse(readFileSync(join(path, folderFiles.config), 'utf8')) as ShimConfig;
  const program = (provider: string) => join(path, folderFiles.bin, provider);
  return {
    path,
    mode: config.mode,
    env(base, home = join(path, folderFiles.home)) {
      const isOwn = home === 'own';
      const homes = isOwn ? {} : Object.fromEntries(['HOME', ...config.homeEnv].map((name) => [name, home]));
      const kept = Object.entries(base).filter((entry): entry is [string, string] => entry[1] !== undefined && (isOwn || !config.keyEnv.includes(entry[0])));
      return { ...Object.fromEntries(kept), ...homes, PATH: [join(path, folderFiles.bin), ...pathWithout(base.PATH)].join(delimiter) };
    },
    program(provider) {
      if (!existsSync(program(provider)))
        throw new Fault({ code: 'provider_unknown', message: `Cannot give a stand-in for "${provider}": it has no adapter, a registered provider was needed` });
      return program(provider);
    },
    register(name, route) {
      const file = join(path, folderFiles.routes, `${name}.json`);
      const claims = claimPrefixes(path, route.prefixes);
      writeFileSync(`${file}.tmp`, JSON.stringify(route));
      // Renamed, so that no stand-in reads half a route.
      renameSync(`${file}.tmp`, file);
      return () => [file, ...claims].forEach((each) => rmSync(each, { force: true }));
    },
    refused: () => readLines(join(path, folderFiles.refused)),
    claimRefused: () => readLines(join(path, folderFiles.refused)).filter((_, index) => isFirst(join(path, `${folderFiles.refused}.${index}`))),
    arrivals: () => readLines(join(path, folderFiles.arrivals)),
  };
}

/** The face of a folder that another process made, for a run of that mode: the other mode's stand-ins would never reach it. */
export function openSharedFolder(path: string, mode: ShimConfig['mode']): StandInFolder {
  const folder = openStandInFolder(path);
  if (folder.mode !== mode)
    throw new Fault({
      code: 'option_invalid',
      message: `Cannot register a run of mode "${mode}": the shared stand-in folder was made for mode "${folder.mode}", one of the run's mode was needed`,
      at: path,
      next: [`Set PLAYHEAD_MODE=${mode} before shimEnv() is called`],
    });
  return folder;
}

// Two tests in one folder could not be told apart. A file that is made exclusively says so across workers.
function claimPrefixes(path: string, prefixes: readonly string[]): string[] {
  const claims: string[] = [];
  for (const prefix of prefixes) {
    const claim = join(path, folderFiles.routes, `${createHash('sha256').update(prefix).digest('hex')}.claim`);
    if (isFirst(claim)) claims.push(claim);
    else {
      claims.forEach((each) => rmSync(each, { force: true }));
      throw new Fault({ code: 'cwd_taken', message: 'Cannot register project folder: a running test has it already, a folder of its own was needed', at: prefix });
    }
  }
  return claims;
}

function isFirst(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A folder as given and with symlinks resolved: providers return it either way (stand-in b7). */
export function bothNames(folder: string): string[] {
  return [...new Set([folder, realpathSync(folder)])];
}

// A shell first: NODE_OPTIONS of the backend would reach the stand-in (stand-in c4), and paths may hold spaces.
function launcher(options: { node: string; file: string; folder: string; provider: string }): string {
  const quoted = [options.node, options.file, options.folder, options.provider].map((part) => `'${part.replaceAll("'", "'\\''")}'`);
  return `#!/bin/sh\nunset NODE_OPTIONS NODE_PATH NODE_V8_COVERAGE ELECTRON_RUN_AS_NODE\nexec ${quoted.join(' ')} "$@"\n`;
}

// Another stand-in folder further back on PATH (a run inside a run) must not be taken for the real program.
function pathWithout(path: string | undefined): string[] {
  return (path ?? '').split(delimiter).filter((entry) => entry !== '' && !isStandInBin(entry));
}

export function isStandInBin(folder: string): boolean {
  return existsSync(join(folder, '..', folderFiles.config)) && existsSync(join(folder, '..', folderFiles.routes));
}

function readLines(file: string): RefusedLaunch[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as RefusedLaunch);
}
