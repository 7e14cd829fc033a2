/** `playhead record`: run the scenario or spec against the real provider, seal, qualify by a fresh replay, put it in its place. */

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../core/fault.ts';
import { compareTapes, type Disagreement } from '../core/tape/agree.ts';
import { readConversations } from '../tape/conversations.ts';
import { openCassette, readCase } from './case-files.ts';
import { runPlaywright } from './playwright-run.ts';
import type { Workroom } from './workroom.ts';

export type RecordedCase = { case: string; cassette: string; manifestSha256: string; disagreements: Disagreement[]; isKept: boolean };
export type RecordCasesResult = { recorded: RecordedCase[]; note: string };

export async function recordCases(options: { caseFolders: string[]; isCheck: boolean; workroom: Workroom; onStep: (text: string) => void }): Promise<RecordCasesResult> {
  const { caseFolders, isCheck, workroom, onStep } = options;
  if (process.env.CI && !isCheck) throw new Fault({ code: 'recording_in_ci', message: 'Cannot record: CI never writes into a cases folder, --check was needed' });
  const out = workroom.makeFolder('out');
  onStep(`recording ${caseFolders.length} case(s)`);
  const recording = await runPlaywright({ caseFolders, workroom, env: { PLAYHEAD_MODE: 'record', PLAYHEAD_RECORD_OUT: out }, args: ['--workers=1'], isContained: true });
  onStep(recording.note);
  if (recording.exitCode !== 0) throw firstFailure(recording.verdicts) ?? new Fault({ code: 'spec_failed', message: 'Cannot seal recording: the spec failed in record mode, a passing run was needed' });
  onStep('replaying what was recorded');
  const replay = await runPlaywright({ caseFolders, workroom, env: { PLAYHEAD_CANDIDATES: out, PLAYHEAD_MODE: 'replay' }, args: [], isContained: false });
  if (replay.exitCode !== 0) {
    const divergence = replay.verdicts.find((verdict) => verdict.divergence)?.divergence;
    throw new Fault({ code: 'recording_not_qualified', message: `Cannot keep recording: ${divergence?.message ?? 'its fresh replay failed'}, a clean replay was needed` });
  }
  return { note: recording.note, recorded: caseFolders.flatMap((folder) => keep({ folder, out, isCheck })) };
}

function keep(options: { folder: string; out: string; isCheck: boolean }): RecordedCase[] {
  const of = readCase(options.folder);
  const fresh = join(options.out, of.name, 'cassettes');
  if (!existsSync(fresh)) throw new Fault({ code: 'recording_empty', message: `Cannot record case "${of.name}": no test of that name ran, one was needed`, next: [`npx playwright test --list`] });
  return readdirSync(fresh).map((name) => {
    const from = join(fresh, name);
    const to = join(of.folder, 'cassettes', name);
    const disagreements = existsSync(to) ? compareFolders(to, from) : [];
    if (!options.isCheck) {
      replaceFolder(from, to);
      pin(of.folder, name);
    }
    return { case: of.name, cassette: name, manifestSha256: hashOf(join(options.isCheck ? from : to, 'provider', 'manifest.json')), disagreements, isKept: !options.isCheck };
  });
}

/** Whether two tape-only cassettes tell the same session; differences in order of the connections. */
export function compareFolders(first: string, second: string): Disagreement[] {
  const tapes = [first, second].map((folder) => openCassette({ folder }).tape);
  const [a, b] = tapes;
  return a && b ? compareTapes(readConversations(a), readConversations(b)) : [];
}

// The old cassette goes only when the new one stands in its place.
function replaceFolder(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const candidate = `${to}.new`;
  const old = `${to}.old`;
  cpSync(from, candidate, { recursive: true });
  if (existsSync(to)) renameSync(to, old);
  renameSync(candidate, to);
  rmSync(old, { recursive: true, force: true });
}

function pin(caseFolder: string, name: string): void {
  const path = join(caseFolder, 'case.json');
  const value = JSON.parse(readFileSync(path, 'utf8')) as { cassettes: { dir: string; manifestSha256: string }[] };
  const dir = `cassettes/${name}`;
  const manifestSha256 = hashOf(join(caseFolder, dir, 'provider', 'manifest.json'));
  const known = value.cassettes.find((cassette) => cassette.dir === dir);
  if (known) known.manifestSha256 = manifestSha256;
  else value.cassettes.push({ dir, manifestSha256 });
  writeFileSync(`${path}.tmp`, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(`${path}.tmp`, path);
}

function firstFailure(verdicts: readonly { fault: { code: string; message: string; next: string[] } | null }[]): Fault | null {
  const fault = verdicts.find((verdict) => verdict.fault)?.fault;
  return fault ? new Fault({ code: fault.code as Fault['code'], message: fault.message, next: fault.next }) : null;
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

