import { existsSync } from 'node:fs';
import { Fault } from '../core/fault.ts';
import { findCases } from '../runner/case-files.ts';
import { recordCases } from '../runner/record-cases.ts';
import { selectCases } from '../runner/replay-cases.ts';
import { createWorkroom } from '../runner/workroom.ts';
import { printJson, say } from './output.ts';

/** `playhead record <case…> [--all] [--check]` */
export async function record(paths: string[], options: { all?: boolean; check?: boolean; json?: boolean }): Promise<number> {
  const folders = options.all ? findCases('cases') : paths.flatMap((path) => selectCases(existsSync(path) ? path : `cases/${path}`).map((selection) => selection.folder));
  if (folders.length === 0) throw new Fault({ code: 'usage', message: 'Cannot record: no case was named, a case folder or --all was needed' });
  const workroom = createWorkroom();
  try {
    const { recorded, note } = await recordCases({ caseFolders: folders, isCheck: options.check === true, workroom, onStep: say });
    const isSame = recorded.every((one) => one.disagreements.length === 0);
    if (options.json) printJson({ schemaVersion: 1, containment: note, recorded });
    for (const one of recorded) {
      say(`${one.disagreements.length === 0 ? '✓' : '≠'} ${one.case} › ${one.cassette}  ${one.isKept ? 'recorded' : 'compared'}`);
      for (const { connectionId, what } of one.disagreements) say(`    ${connectionId} ${what} differs from the committed cassette`);
    }
    return options.check && !isSame ? 1 : 0;
  } finally {
    workroom.remove();
  }
}
