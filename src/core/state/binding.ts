/** The project a session is bound to: portable in a cassette, equal to the live one at readiness (cassette-contract 7.4, 4.8). */

import type { Report } from '../issue.ts';
import type { Json, JsonObject } from '../json/exact.ts';
import { objectAt, textAt, trim } from '../json/read.ts';
import { isAbsolutePath, isMachinePath } from '../portable-path.ts';
import { belowCwdToken, cleanSegments, projectKeyPrefix } from './path.ts';
import { rowsAt, type StateFile } from './walk.ts';

/** Reports project bindings that no other machine can have (7.4): absolute keys, folders outside the project, tokens that leave it. */
export function checkProjectBinding(state: Json, options: { file: StateFile }, report: Report): void {
  for (const { row, index } of rowsAt(objectAt(state, 'agent'), 'sessions'))
    for (const name of ['cwd', 'railProjectPath', 'railSectionKey'] as const) {
      const is = whyUnportable(row, name);
      if (is) report({ code: 'state_binding_not_portable', file: options.file, path: `$.agent.sessions[${index}].${name}`, is, needed: '`${REPLAY_CWD}` or a folder in it was needed' });
    }
}

/** Whether a live session has the binding of the expected one, whose tokens are resolved by now (readiness `project.binding`). */
export function isSameBinding(expected: Json, live: Json, normalisePath: (path: string) => string): boolean {
  const of = (session: Json) => JSON.stringify(bindingOf(session, normalisePath));
  return of(expected) === of(live);
}

function bindingOf(session: Json, normalisePath: (path: string) => string): string[] {
  const text = (name: string) => textAt(session, name) ?? '';
  const folder = (path: string) => (path === '' ? '' : normalisePath(path));
  const key = text('railSectionKey');
  return [
    ...['agentTargetId', 'provider', 'railSectionKind'].map((name) => trim(text(name))),
    folder(text('cwd')),
    folder(text('railProjectPath')),
    key.startsWith(projectKeyPrefix) ? projectKeyPrefix + folder(key.slice(projectKeyPrefix.length)) : key,
  ];
}

function whyUnportable(session: JsonObject, name: 'cwd' | 'railProjectPath' | 'railSectionKey'): string | null {
  const text = textAt(session, name);
  if (!text) return null;
  const isProject = trim(textAt(session, 'railSectionKind') ?? '') === 'project';
  const isKey = name === 'railSectionKey';
  if (isKey && !text.startsWith(projectKeyPrefix)) return isProject ? 'the key names no project' : null;
  const folder = isKey ? text.slice(projectKeyPrefix.length) : text;
  // An absolute path under a path member is `state_path_absolute` already.
  if (isMachinePath(folder)) return isKey ? `the key holds ${isAbsolutePath(folder) ? 'an absolute path' : 'a file address'}` : null;
  const below = belowCwdToken(folder);
  if (below !== null) return cleanSegments(below) === null ? 'the path leaves the project folder' : null;
  return isProject && name !== 'cwd' ? 'the project is bound to some other folder' : null;
}
