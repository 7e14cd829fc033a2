import { Fault } from '../core/fault.ts';
import { recordCases, type RecordedCase } from '../runner/record-cases.ts';
import { findCases } from '../runner/case-files.ts';
import { selectCassettes } from '../runner/selection.ts';
import { createWorkroom } from '../runner/workroom.ts';
import { casePath, casesRoot } from './cases-root.ts';
import { printJson, say } from './output.ts';

export type RecordOptions = { all?: boolean; check?: boolean; json?: boolean };

/** `playhead record <case…> [--all] [--check]` */
export async function record(named: string[], options: RecordOptions): Promise<number> {
  const paths = pathsOf(named, options);
  if (paths.length === 0) throw new Fault({ code: 'usage', message: 'Cannot record: no case was named, a case folder or --all was needed' });
  if (options.all && findCases(casesRoot()).length === 0) throw new Fault({ code: 'case_not_found', message: `Cannot record every case below "${casesRoot()}": there is none, one was needed` });
  const workroom = createWorkroom();
  try {
    const { recorded, note } = await recordCases({ selections: selectCassettes(paths), isCheck: options.check === true, workroom, onStep: (text) => say(text) });
    if (options.json) printJson({ schemaVersion: 1, containment: note, recorded });
    for (const one of recorded) sayRecorded(one);
    return options.check && !recorded.every(isAgreed) ? 1 : 0;
  } finally {
    workroom.remove();
  }
}

/** The folders that the words of the command line mean. */
export function pathsOf(named: readonly string[], options: RecordOptions): string[] {
  return options.all ? [casesRoot()] : named.map(casePath);
}

function sayRecorded(one: RecordedCase): void {
  say(`${one.case} › ${one.cassette}  ${one.isKept ? 'recorded' : 'compared'}`, { mark: isAgreed(one) ? 'good' : 'changed' });
  if (one.reason !== null) say(`    ${one.reason}`);
  for (const { connectionId, what, first, second } of one.disagreements) say(`    ${[connectionId, what].filter(Boolean).join(' ')} differs from the committed cassette${what === 'state' ? `: ${first} became ${second}` : ''}`);
}

function isAgreed(one: RecordedCase): boolean {
  return one.disagreements.length === 0 && one.reason === null;
}
