/** Finding and reading cases and cassettes on disk; core judges what was read. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { cassetteName, type Case, type CaseCassette } from '../core/case/case.ts';
import { parseCase } from '../core/case/parse-case.ts';
import { Fault } from '../core/fault.ts';
import { createIssue, type Issue } from '../core/issue.ts';
import type { AllowedResidue } from '../core/projection/allow.ts';
import type { ProviderAdapter } from '../core/provider/adapter.ts';
import { findProvider } from '../providers/registry.ts';
import { loadTape, type LoadedTape } from '../tape/load.ts';

/** Reads a case folder, or throws `case_invalid` with every issue in its text. */
export function readCase(folder: string): Case {
  const path = join(folder, 'case.json');
  if (!existsSync(path)) throw new Fault({ code: 'case_not_found', message: `Cannot read case "${basename(folder)}": it has no case.json, one was needed`, at: shortPath(folder) });
  const { case: parsed, issues } = parseCase({ text: readFileSync(path, 'utf8'), name: basename(folder), folder: resolve(folder) });
  if (!parsed) throw invalidCase(basename(folder), issues);
  return parsed;
}

/** Issues of `case.json` alone. */
export function checkCase(folder: string): Issue[] {
  return parseCase({ text: readFileSync(join(folder, 'case.json'), 'utf8'), name: basename(folder), folder }).issues;
}

/** Every folder below `root` that holds a `case.json`, in alphabetical order. */
export function findCases(root: string): string[] {
  if (existsSync(join(root, 'case.json'))) return [root];
  if (!existsSync(root) || !statSync(root).isDirectory()) return [];
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'));
  return folders.map((entry) => entry.name).sort().flatMap((name) => findCases(join(root, name)));
}

export type CassetteFacts = { id: string; name: string; dir: string; manifestSha256: string };
export type OpenedCassette = { facts: CassetteFacts; tape: LoadedTape | null; issues: Issue[] };

/** Judges one cassette on every level there is for a tape; `pinned` is what `case.json` says of it. */
export function openCassette(options: { folder: string; pinned?: string | null; allow?: Case['allow'] }): OpenedCassette {
  const { folder, pinned } = options;
  const shown = shortPath(folder);
  const manifestSha256 = hashOf(join(folder, 'provider', 'manifest.json'));
  const facts: CassetteFacts = { id: `tape-${manifestSha256.slice(0, 12)}`, name: basename(folder), dir: shown, manifestSha256 };
  const issues = [...checkFolder(folder)];
  if (issues.length > 0) return { facts, tape: null, issues };
  const loaded = loadTape({ folder: join(folder, 'provider'), findProvider: (name) => withAllowances(findProvider(name), options.allow ?? []), allow: allowedResidue(options.allow ?? []) });
  issues.push(...loaded.issues);
  if (pinned && manifestSha256 !== '' && pinned !== manifestSha256)
    issues.unshift(createIssue({ level: 'resolve', code: 'manifest_sha256_mismatch', file: 'provider/manifest.json', path: '$', is: `its SHA-256 is ${manifestSha256}`, needed: `case.json says ${pinned}` }));
  return { facts, tape: issues.some((issue) => issue.severity === 'error') ? null : loaded.tape, issues };
}

export function cassetteFolder(of: Case, cassette: CaseCassette): string {
  return join(of.folder, cassette.dir);
}

/** The cassette of a case by name; the first one where none is named. */
export function findCassette(of: Case, name: string | null): CaseCassette {
  const found = name === null ? of.cassettes[0] : of.cassettes.find((cassette) => cassetteName(cassette) === name || cassette.dir === name);
  if (!found) throw new Fault({ code: 'case_not_found', message: `Cannot replay case "${of.name}": it has ${name === null ? 'no cassette' : `no cassette "${name}"`}, one of ${of.cassettes.map(cassetteName).join(', ') || 'none'} was expected` });
  return found;
}

/** Relative to the working folder where that is shorter: verdicts must not hold machine paths. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === '' ? '.' : short.startsWith('..') ? basename(path) : short;
}

function invalidCase(name: string, issues: Issue[]): Fault {
  return new Fault({
    code: 'case_invalid',
    message: `Cannot read case "${name}": ${issues.map((issue) => `${issue.path ?? issue.file} ${issue.is}, ${issue.needed}`).join('; ')}`,
    at: `${name}/case.json`,
  });
}

// A tape-only cassette holds provider/ and nothing else; anything more is a v7 cassette without its manifest (interface.md).
function checkFolder(folder: string): Issue[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    return [createIssue({ level: 'resolve', code: 'cassette_missing', file: '.', is: 'there is no such folder', needed: 'a cassette was needed' })];
  const others = readdirSync(folder).filter((name) => name !== 'provider' && name !== '.DS_Store');
  if (others.length === 0) return [];
  return [createIssue({ level: 'resolve', code: 'cassette_manifest_missing', file: 'cassette.json', is: `the folder also holds ${others.slice(0, 3).join(', ')}`, needed: 'a v7 cassette.json was needed, or provider/ alone' })];
}

/** Places of a tape at which a case accepts a machine path. */
export function allowedResidue(allow: Case['allow']): AllowedResidue[] {
  return allow.filter((rule) => rule.layer === 'cassette').map((rule) => ({ method: rule.method ?? null, rule: rule.rule }));
}

// What a case allows beyond the provider's own rules, each with its reason and its date (interface.md, `allow`).
function withAllowances(adapter: ProviderAdapter | null, allow: Case['allow']): ProviderAdapter | null {
  const methods = allow.filter((rule) => rule.layer === 'protocol' && rule.rule === 'observer_only' && rule.method).map((rule) => rule.method as string);
  return adapter === null || methods.length === 0 ? adapter : { ...adapter, rules: { ...adapter.rules, observerOnlyMethods: [...adapter.rules.observerOnlyMethods, ...methods] } };
}

function hashOf(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return '';
  }
}
