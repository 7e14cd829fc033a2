/** The sessions of a state as one settled graph (cassette-contract 7.1, 7.3). */

import { isObject, type Json, type JsonObject } from '../json/exact.ts';
import { isBlank, listAt, objectAt, shown, textAt, trim } from '../json/read.ts';
import { isWrongText, reportBlank, type StateReport } from './report.ts';

type Graph = {
  root: string | undefined;
  ids: Set<string>;
  isRootFound: boolean;
  /** Some id is blank, repeated or no text: what points to it has nowhere to point, and one finding is enough. */
  hasDamagedId: boolean;
};

/** Reports what is wrong with the sessions, and with what each of them holds. */
export function checkGraph({ root, sessions }: { root: string | undefined; sessions: readonly Json[] }, report: StateReport): void {
  const path = (index: number) => `$.agent.sessions[${index}]`;
  const hasDamagedId = checkIds(sessions, { path: '$.agent.sessions', repeated: 'state_session_repeated' }, report);
  const ids = new Set(sessions.flatMap((session) => textAt(session, 'id') ?? []));
  const graph = { root, ids, isRootFound: root !== undefined && ids.has(root), hasDamagedId };
  if (!isBlank(root) && !graph.isRootFound && !hasDamagedId)
    report({ code: 'state_root_invalid', path: '$.agent.rootSessionId', is: `no session is called ${shown(root)}`, needed: 'the root was needed among the sessions' });
  for (const [index, session] of sessions.entries()) if (isObject(session)) checkSession(session, { graph, path: path(index) }, report);
}

type Place = { graph: Graph; path: string };

function checkSession(session: JsonObject, { graph, path }: Place, report: StateReport): void {
  for (const name of ['agentTargetId', 'provider', 'providerSessionId'])
    if (isBlank(textAt(session, name)) && !isWrongText(session, name)) reportBlank(report, `${path}.${name}`, session[name]);
  checkKind(session, { graph, path }, report);
  if (graph.isRootFound ? textAt(session, 'id') !== graph.root : textAt(session, 'kind') !== 'root') checkChild(session, { graph, path }, report);
  if (textAt(session, 'activeTurnId')) report({ code: 'state_not_settled', path: `${path}.activeTurnId`, is: 'a turn is under way', needed: 'a settled session was needed' });
  if (textAt(objectAt(session, 'goal'), 'pendingOperationId'))
    report({ code: 'state_not_settled', path: `${path}.goal.pendingOperationId`, is: 'an operation on the goal is under way', needed: 'a settled goal was needed' });
  checkTurns(session, path, report);
}

function checkKind(session: JsonObject, { graph, path }: Place, report: StateReport): void {
  const kind = textAt(session, 'kind');
  if (isWrongText(session, 'kind')) return;
  if (kind !== 'root' && kind !== 'child') report({ code: 'state_session_kind_unknown', path: `${path}.kind`, is: `the kind is ${shown(kind)}`, needed: '"root" or "child" was needed' });
  else if (kind === 'child' && graph.isRootFound && !graph.hasDamagedId && textAt(session, 'id') === graph.root)
    report({ code: 'state_root_invalid', path: `${path}.kind`, is: 'the root of the state is a child', needed: '"root" was needed' });
}

// A second session of kind `root` is no mistake as long as it hangs on the first like a child.
function checkChild(session: JsonObject, { graph, path }: Place, report: StateReport): void {
  const root = textAt(session, 'rootSessionId');
  if (graph.isRootFound && root !== graph.root && !isWrongText(session, 'rootSessionId'))
    report({ code: 'state_child_detached', path: `${path}.rootSessionId`, is: `its root is ${shown(root)}`, needed: `the root of the state is ${shown(graph.root)}` });
  const parent = textAt(session, 'parentSessionId') ?? '';
  if (isWrongText(session, 'parentSessionId') || graph.ids.has(parent)) return;
  const isConsequence = parent !== '' && (graph.hasDamagedId || (!graph.isRootFound && parent === graph.root));
  if (!isConsequence) report({ code: 'state_child_detached', path: `${path}.parentSessionId`, is: `its parent is ${parent === '' ? 'absent' : shown(parent)}`, needed: 'a session of the state was needed' });
}

function checkTurns(session: JsonObject, path: string, report: StateReport): void {
  const turns = listAt(session, 'turns') ?? [];
  const hasDamagedTurn = checkIds(turns, { path: `${path}.turns`, repeated: 'state_turn_repeated' }, report);
  const known = new Set(turns.flatMap((turn) => textAt(turn, 'id') ?? []));
  const messages = listAt(session, 'messages') ?? [];
  checkIds(messages, { path: `${path}.messages`, repeated: null }, report);
  for (const [index, message] of messages.entries()) {
    const turn = textAt(message, 'turnId');
    if (turn && !known.has(turn) && !hasDamagedTurn)
      report({ code: 'state_turn_unknown', path: `${path}.messages[${index}].turnId`, is: `the turn is ${shown(turn)}`, needed: 'a turn of the same session was needed' });
  }
}

type IdRule = { path: string; repeated: 'state_session_repeated' | 'state_turn_repeated' | null };

/** Whether an id is damaged in a way that others can trip over. */
function checkIds(rows: readonly Json[], { path, repeated }: IdRule, report: StateReport): boolean {
  const seen = new Set<string>();
  let isDamaged = false;
  for (const [index, row] of rows.entries()) {
    const id = textAt(row, 'id');
    const key = id === undefined ? '' : trim(id);
    if (key !== '' && !seen.has(key)) {
      seen.add(key);
      continue;
    }
    if (row === null) report({ code: 'state_invalid', path: `${path}[${index}]`, is: 'it is null', needed: 'an object was needed' });
    else if (key !== '') {
      if (repeated === null) continue;
      report({ code: repeated, path: `${path}[${index}].id`, is: `the id ${shown(id)} was there before`, needed: 'each id once was needed' });
    } else if (isObject(row) && !isWrongText(row, 'id')) reportBlank(report, `${path}[${index}].id`, row['id']);
    isDamaged = true;
  }
  return isDamaged;
}
