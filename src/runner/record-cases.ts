/** `playhead record`: run the scenario or spec against the real provider, seal, qualify by a fresh replay, put it in its place. */

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cassetteName, type Case } from '../core/case/case.ts';
import { Fault } from '../core/fault.ts';
import { parseJson } from '../core/json/exact.ts';
import { shown } from '../core/json/read.ts';
import { compareState } from '../core/state/compare.ts';
import { compareTapes, type Disagreement } from '../core/tape/agree.ts';
import { readConversations } from '../tape/conversations.ts';
import type { LoadedTape } from '../tape/tape-loader.ts';
import { caseSchemaFrom } from './case-schema.ts';
import { cassetteFolder, openCassette, readCase, shortPath, type OpenedCassette } from './case-files.ts';
import { groupByConfig, playwrightCommand, runPlaywright, type PlaywrightGroup } from './playwright-run.ts';
import type { Selection } from './selection.ts';
import type { Workroom } from './workroom.ts';

/** `reason` says why the committed cassette could not be compared at all; with `--check` that is a disagreement too. */
export type RecordedCase = { case: string; cassette: string; manifestSha256: string; disagreements: Disagreement[]; reason: string | null; isKept: boolean };
export type RecordCasesResult = { recorded: RecordedCase[]; note: string };

type Step = (text: string) => void;
type RecordGroup = { group: PlaywrightGroup; isScripted: boolean };
type Sealed = { folder: string; tape: LoadedTape };
type Comparison = Pick<RecordedCase, 'disagreements' | 'reason'>;

export async function recordCases(options: { selections: Selection[]; isCheck: boolean; workroom: Workroom; onStep: Step }): Promise<RecordCasesResult> {
  const { selections, isCheck, workroom, onStep } = options;
  if (process.env.CI && !isCheck) throw new Fault({ code: 'recording_in_ci', message: 'Cannot record: CI never writes into a cases folder, --check was needed' });
  const cases = [...new Set(selections.map(({ folder }) => folder))].map(readCase);
  const groups = groupByConfig(selections);
  const out = workroom.makeFolder('out');
  onStep(`recording ${cases.length} case(s)`);
  const notes = new Set<string>();
  for (const recorded of groups.flatMap(splitByModel)) notes.add(await recordGroup({ ...recorded, out, workroom, onStep }));
  onStep('replaying what was recorded');
  for (const group of groups) await qualify({ group, out, workroom });
  return { note: [...notes].join('; '), recorded: cases.flatMap((of) => keep({ of, wanted: wantedOf(of, selections), out, isCheck })) };
}

// Without a script the person's own set-up answers, and that needs the network.
function splitByModel({ config, selections }: PlaywrightGroup): RecordGroup[] {
  const isScripted = ({ of }: Selection) => of !== null && of.model !== null && of.model !== 'live';
  const parts = [
    { isScripted: true, group: { config, selections: selections.filter(isScripted) } },
    { isScripted: false, group: { config, selections: selections.filter((selection) => !isScripted(selection)) } },
  ];
  return parts.filter(({ group }) => group.selections.length > 0);
}

async function recordGroup(options: RecordGroup & { out: string; workroom: Workroom; onStep: Step }): Promise<string> {
  const { group, isScripted, out, workroom, onStep } = options;
  const recording = await runPlaywright({ group, workroom, env: { PLAYHEAD_MODE: 'record', PLAYHEAD_RECORD_OUT: out }, args: ['--workers=1'], isContained: isScripted });
  const note = isScripted ? recording.note : liveNote;
  onStep(note);
  if (recording.exitCode !== 0) throw firstFailure(recording.verdicts) ?? new Fault({ code: 'spec_failed', message: 'Cannot seal recording: the spec failed in record mode, a passing run was needed' });
  return note;
}

const liveNote = 'not contained: a case without a scripted model is answered by your own provider set-up, over the network';

async function qualify(options: { group: PlaywrightGroup; out: string; workroom: Workroom }): Promise<void> {
  const { group, out, workroom } = options;
  const replay = await runPlaywright({ group, workroom, env: { PLAYHEAD_CANDIDATES: out, PLAYHEAD_MODE: 'replay' }, args: [], isContained: false });
  if (replay.exitCode === 0) return;
  const divergence = replay.verdicts.find((verdict) => verdict.divergence)?.divergence;
  // The candidate goes away with this run: only another recording can be looked at.
  const folders = [...new Set(group.selections.map(({ folder }) => shortPath(folder)))];
  throw new Fault({ code: 'recording_not_qualified', message: `Cannot keep recording: ${divergence?.message ?? 'its fresh replay failed'}, a clean replay was needed`, next: [`playhead record ${folders.join(' ')}`] });
}

function wantedOf(of: Case, selections: readonly Selection[]): string[] {
  return selections.flatMap(({ folder, cassette }) => (folder === of.folder && cassette !== null ? [cassette] : []));
}

function keep(options: { of: Case; wanted: string[]; out: string; isCheck: boolean }): RecordedCase[] {
  const { of, wanted, isCheck } = options;
  const fresh = join(options.out, of.name, 'cassettes');
  if (!existsSync(fresh)) throw new Fault({ code: 'recording_empty', message: `Cannot record case "${of.name}": no test of that name ran, one was needed`, next: groupByConfig([{ folder: of.folder, of, cassette: null }]).map(({ config }) => playwrightCommand(config, '--list')) });
  const names = readdirSync(fresh);
  const recorded = names.map((name): RecordedCase => {
    const from = join(fresh, name);
    const to = join(of.folder, 'cassettes', name);
    const isFirst = !isCheck && !of.cassettes.some((cassette) => cassetteName(cassette) === name);
    const compared = isFirst ? { disagreements: [], reason: null } : compareWithCommitted({ of, name, fresh: from });
    if (!isCheck) {
      replaceFolder(from, to);
      pin(of.folder, name);
    }
    return { case: of.name, cassette: name, manifestSha256: hashOf(manifestOf(isCheck ? from : to)), ...compared, isKept: !isCheck };
  });
  return [...recorded, ...wanted.filter((name) => !names.includes(name)).map((name) => unrecorded(of, name))];
}

// A committed cassette that no test recorded again was compared with nothing.
function unrecorded(of: Case, name: string): RecordedCase {
  const manifestSha256 = of.cassettes.find((cassette) => cassetteName(cassette) === name)?.manifestSha256 ?? '';
  return { case: of.name, cassette: name, manifestSha256, disagreements: [], reason: 'no test recorded it', isKept: false };
}

function compareWithCommitted(options: { of: Case; name: string; fresh: string }): Comparison {
  const { of, name, fresh } = options;
  const cassette = of.cassettes.find((candidate) => cassetteName(candidate) === name);
  if (!cassette) return { disagreements: [], reason: 'case.json names no committed cassette of that name' };
  const committed = openCassette({ folder: cassetteFolder(of, cassette), pinned: cassette.manifestSha256, allow: of.allow });
  const recorded = openCassette({ folder: fresh, allow: of.allow });
  if (!committed.tape) return { disagreements: [], reason: `the committed cassette cannot be opened: ${whyClosed(committed)}` };
  if (!recorded.tape) return { disagreements: [], reason: `the recording cannot be opened: ${whyClosed(recorded)}` };
  return { disagreements: compareOpened({ folder: cassetteFolder(of, cassette), tape: committed.tape }, { folder: fresh, tape: recorded.tape }), reason: null };
}

function compareOpened(first: Sealed, second: Sealed): Disagreement[] {
  return [...compareTapes(readConversations(first.tape), readConversations(second.tape)), ...compareStates(first.folder, second.folder)];
}

// Two recordings of a scenario end in one state, but for the ids that were made on the way (design ruling 13).
function compareStates(committed: string, recorded: string): Disagreement[] {
  const [first, second] = [committed, recorded].map((folder) => join(folder, 'expected-state.json')).map((path) => (existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined));
  if (first === undefined && second === undefined) return [];
  if (first === undefined || second === undefined) return [{ connectionId: '', what: 'state', first: first === undefined ? 'none' : '$', second: second === undefined ? 'none' : '$' }];
  const { all } = compareState(first, second, { betweenRecordings: true });
  return all.map(({ path, expected, actual }) => ({ connectionId: '', what: 'state', first: `${path} ${shown(expected)}`, second: `${path} ${shown(actual)}` }));
}

/** The file whose hash a case keeps. */
function manifestOf(folder: string): string {
  const cassette = join(folder, 'cassette.json');
  return existsSync(cassette) ? cassette : join(folder, 'provider', 'manifest.json');
}

/** Whether two cassettes tell the same session and end in the same state; differences in order of the connections. */
export function compareFolders(first: string, second: string): Disagreement[] {
  return compareOpened(openSealed(first), openSealed(second));
}

function openSealed(folder: string): Sealed {
  const opened = openCassette({ folder });
  if (!opened.tape) throw new Fault({ code: 'recording_failed', message: `Cannot compare "${shortPath(folder)}": ${whyClosed(opened)}, a cassette was needed` });
  return { folder, tape: opened.tape };
}

function whyClosed({ issues }: OpenedCassette): string {
  const { is, needed } = issues.find((issue) => issue.severity === 'error') ?? { is: 'nothing could be read', needed: 'a tape was needed' };
  return `${is}, ${needed}`;
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
  const manifestSha256 = hashOf(manifestOf(join(caseFolder, dir)));
  const known = value.cassettes.find((cassette) => cassette.dir === dir);
  if (known) known.manifestSha256 = manifestSha256;
  else value.cassettes.push({ dir, manifestSha256 });
  const $schema = caseSchemaFrom(caseFolder);
  writeFileSync(`${path}.tmp`, `${JSON.stringify($schema === null ? value : { $schema, ...value }, null, 2)}\n`);
  renameSync(`${path}.tmp`, path);
}

function firstFailure(verdicts: readonly { fault: { code: string; message: string; next: string[] } | null }[]): Fault | null {
  const fault = verdicts.find((verdict) => verdict.fault)?.fault;
  return fault ? new Fault({ code: fault.code as Fault['code'], message: fault.message, next: fault.next }) : null;
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
