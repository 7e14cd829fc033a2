import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { sha256, type Draft, type Files } from '../../../fixtures/cassettes/draft.ts';
import { asCandidate, findShape, shapes } from '../../../fixtures/cassettes/shapes.ts';
import { writeActivityLine } from '../../../src/core/activity/write-line.ts';
import { issueCatalogue, type IssueCode } from '../../../src/core/issue-catalogue.ts';
import type { Issue, IssueLevel } from '../../../src/core/issue.ts';
import { parseJson, setMember, type Json, type JsonObject } from '../../../src/core/json/exact.ts';
import { writeGoDocument, writeGoJson } from '../../../src/core/json/go-text.ts';
import { findProvider } from '../../../src/providers/registry.ts';
import { readCassette } from '../../../src/runner/read-cassette.ts';
import { shownIssue } from './judge.ts';

// Processor time, because other work on the machine must not turn anything red.
const cpuMsMax = 3_000;
const cpuMsMean = 30;

/** One folder for all: of every cassette only the files that differ from the one before are written. */
const folder = mkdtempSync(join(tmpdir(), 'playhead-mutations-'));
const written = new Map<string, Buffer>();
let cpuMsTotal = 0;
let judgedCount = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export function judge(files: Files): Issue[] {
  for (const path of [...written.keys()].filter((one) => !files.has(one))) {
    rmSync(join(folder, path));
    written.delete(path);
  }
  for (const [path, bytes] of files) {
    if (written.get(path)?.equals(bytes)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
    written.set(path, bytes);
  }
  const startUs = cpuUs();
  const { issues } = readCassette({ folder, findProvider });
  const cpuMs = (cpuUs() - startUs) / 1_000;
  cpuMsTotal += cpuMs;
  judgedCount++;
  expect(cpuMs).toBeLessThan(cpuMsMax);
  expect(issues.flatMap(malformed)).toEqual([]);
  return issues;
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** What is wrong with an issue itself. */
function malformed(issue: Issue): string[] {
  const { code, level, severity, file, line, path, is, needed, message } = issue;
  const entry = Object.hasOwn(issueCatalogue, code) ? issueCatalogue[code as IssueCode] : null;
  const rules: [string, boolean][] = [
    ['its code is in the catalogue', entry !== null],
    ['its level is one of its code', (entry?.levels as readonly IssueLevel[] | undefined)?.includes(level) ?? false],
    ['its severity is known', severity === 'error' || severity === 'warning'],
    ['its file is below the folder', file !== null && file !== '' && !file.startsWith('/') && !file.split('/').includes('..') && !file.includes(folder)],
    ['its line counts from 1', line === null || (Number.isSafeInteger(line) && line > 0)],
    ['its path begins at the root', path === null || path.startsWith('$')],
    ['it says what is, and what was needed', is.trim() !== '' && needed.trim() !== '' && message.includes(is) && message.includes(needed)],
    ['it is short', message.length < 20_000],
    ['it does not name the machine', !message.includes(folder)],
  ];
  return rules.filter(([, holds]) => !holds).map(([rule]) => `not so: ${rule}: ${JSON.stringify(issue)}`);
}

/** The levels at which nothing but warnings stands; of a candidate only publication is asked. */
function acceptedAt(files: Files, issues: readonly Issue[]): IssueLevel[] {
  const errors = issues.filter(({ severity }) => severity === 'error').map(({ code }) => issueCatalogue[code as IssueCode].levels as readonly IssueLevel[]);
  return askedOf(files).filter((level) => !errors.some((levels) => levels.includes(level)));
}

function askedOf(files: Files): readonly IssueLevel[] {
  return files.has('cassette.json') ? ['resolve', 'tape_load', 'runner', 'publish'] : ['publish'];
}

function checkAccepted(files: Files): void {
  const issues = judge(files);
  const levels = acceptedAt(files, issues);
  if (levels.length === 0) return;
  const again = rewritten(files, levels.length === askedOf(files).length);
  const issuesAgain = judge(again);
  // More may be accepted then: the hashes are right again.
  expect(acceptedAt(again, issuesAgain), issuesAgain.map(shownIssue).join('\n')).toEqual(expect.arrayContaining(levels));
}

/** Every document parsed and written by this repository, and everything hashed anew. What was counted wrongly stays so. */
function rewritten(files: Files, isWhole: boolean): Files {
  const again: Files = new Map(files);
  const rewrite = (path: string, write: (text: string) => string | null) => {
    const bytes = files.get(path);
    const text = bytes && write(bytes.toString());
    // A reader that looks at the tape alone accepts the cassette whatever stands in the other documents.
    if (text === null && isWhole) throw new Error(`${path} was accepted at every level, and is no JSON`);
    if (typeof text === 'string') again.set(path, Buffer.from(text));
  };
  rewrite('activity-events.jsonl', (text) => writeLines(text, (value) => (isMembers(value) ? writeActivityLine(value) : `${writeGoJson(value)}\n`)));
  for (const path of ['provider/frames.jsonl', '.recording/observation-journal.jsonl']) rewrite(path, (text) => writeLines(text, (value) => `${writeGoJson(value)}\n`));
  for (const path of ['checkpoint-plan.json', 'initial-state.json', 'expected-state.json', 'blobs/manifest.json']) rewrite(path, (text) => writeDocument(text, (value) => value));
  const hashes = [files, again].map((from) => sha256(from.get('provider/frames.jsonl') ?? Buffer.alloc(0)));
  rewrite('provider/manifest.json', (text) => writeDocument(text, (value) => withFramesHash(value, hashes)));
  rewrite('cassette.json', (text) => writeDocument(text, (value) => withInventory(value, again)));
  return again;
}

function writeDocument(text: string, change: (value: Json) => Json): string | null {
  const value = parseJson(text);
  return value === undefined ? null : writeGoDocument(change(value));
}

function writeLines(text: string, write: (value: Json) => string): string | null {
  const values = linesOf(text).map((line) => parseJson(line));
  return values.every((value) => value !== undefined) ? values.map((value) => write(value)).join('') : null;
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/\r$/, '')).filter((line) => line !== '');
}

function withFramesHash(value: Json, [before, after]: readonly string[]): Json {
  const isRight = isMembers(value) && typeof value.framesSha256 === 'string' && value.framesSha256.toLowerCase() === before;
  if (isRight) setMember(value, 'framesSha256', after as string);
  return value;
}

function withInventory(value: Json, again: Files): Json {
  if (!isMembers(value) || !Array.isArray(value.files)) return value;
  const listed = value.files.map((file): Json => {
    const bytes = isMembers(file) && typeof file.path === 'string' ? again.get(file.path) : undefined;
    return bytes ? { ...(file as JsonObject), sizeBytes: bytes.length, sha256: sha256(bytes) } : file;
  });
  const totalBytes = listed.reduce<number>((sum, file) => sum + (isMembers(file) ? Number(file.sizeBytes) : 0), 0);
  setMember(value, 'files', listed);
  setMember(value, 'totalBytes', totalBytes);
  return value;
}

function isMembers(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('rawJSON' in value);
}

// The same seed everywhere; another one, and the place of one case in it, come from outside.
const seed = Number(process.env.PLAYHEAD_SEED ?? 20_270_402);
const replayPath = process.env.PLAYHEAD_SEED_PATH;

type Run<Case> = { cases: fc.Arbitrary<Case>; count: number; title: string; part?: string };

export function check<Case>({ cases, count, title, part = '' }: Run<Case>, take: (one: Case) => void): void {
  // Every title has numbers of its own: the same ones would draw the same changes for every shape.
  const details = fc.check(fc.property(cases, take), { seed: seed ^ parseInt(sha256(Buffer.from(title + part)).slice(0, 7), 16), numRuns: count, ...(replayPath === undefined ? {} : { path: replayPath }) });
  if (!details.failed) return;
  const how = `PLAYHEAD_SEED=${seed} PLAYHEAD_SEED_PATH=${details.counterexamplePath ?? ''} npx vitest run tests/unit/contract -t '${title}'`;
  throw new Error(`Cannot judge case ${details.numRuns} of ${count}: ${JSON.stringify(details.counterexample)}\n${messageOf(details.errorInstance)}\nPlay it again: ${how}`, { cause: details.errorInstance });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export const timeoutMs = 120_000;
// A candidate now and then: its journal and the rules of publication.
export const draftOf = (name: string, isCandidate: boolean): Draft => (isCandidate ? asCandidate(findShape(name).make()) : findShape(name).make());
export const oneInFour = fc.nat({ max: 3 }).map((n) => n === 3);
export const names = shapes.map(({ name }) => name);

/** Judges many of one shape, and asks that they took little time on the whole. */
export function checkShape<Change>({ cases, count, title }: Run<Change>, filesOf: (change: Change) => Files): void {
  const [startMs, startCount] = [cpuMsTotal, judgedCount];
  check({ cases, count, title }, (change) => checkAccepted(filesOf(change)));
  if (replayPath === undefined) expect((cpuMsTotal - startMs) / (judgedCount - startCount)).toBeLessThan(cpuMsMean);
}
