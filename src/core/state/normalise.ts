/** A state without what may differ between a recording and its replay (cassette-contract 7.6). */

import type { Json, JsonObject } from '../json/exact.ts';
import { objectAt } from '../json/read.ts';
import { canonicalFileChanges } from './file-changes.ts';
import { renameIds, type RenameOptions } from './rename.ts';
import { typedState } from './typed.ts';
import { rowsAt } from './walk.ts';

/** The normal form of a state: typed, ids renamed by position, volatile members gone, file changes in one form. The source stays. */
export function normaliseState(state: Json, options: RenameOptions = {}): JsonObject {
  const copy = typedState(state);
  const sessions = rowsAt(objectAt(copy, 'agent'), 'sessions').map(({ row }) => row);
  for (const session of sessions) removeVolatile(session, options);
  renameIds(copy, options);
  for (const session of sessions)
    for (const { row } of rowsAt(session, 'turns')) {
      const changes = canonicalFileChanges(row['fileChanges']);
      if (changes) row['fileChanges'] = changes;
      else delete row['fileChanges'];
    }
  // Once more, because what was emptied on the way is left out like what was empty before.
  return typedState(copy);
}

function removeVolatile(session: JsonObject, { betweenRecordings = false }: RenameOptions): void {
  for (const { row } of rowsAt(session, 'messages')) delete objectAt(row, 'payload')?.['seq'];
  const goal = objectAt(session, 'goal');
  for (const side of ['desired', 'observed'])
    for (const name of ['startedAtUnixMs', 'durationMs']) delete objectAt(goal, side)?.[name];
  if (betweenRecordings) delete session['providerResumeCheckpoint'];
}
