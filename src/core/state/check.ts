/** Whether a state is a settled graph of one root that names nothing of its workspace or machine (cassette-contract 7.1, 7.3, 7.4). */

import type { Report } from '../issue.ts';
import { zeroInteger } from '../json/zero.ts';
import { isObject, member, type Json } from '../json/exact.ts';
import { isBlank, listAt, objectAt, present, shown, textAt } from '../json/read.ts';
import { checkPortable } from './check-portable.ts';
import { checkGraph } from './check-graph.ts';
import { isAbsent, isWrongText, reportAbsent, reportBlank, type StateReport } from './report.ts';
import type { StateFile } from './walk.ts';

/** Reports everything that the codec of `tutti.agent-session-replay-state.v1` refuses (7.1, 7.3, 7.4); types are the shape check's. */
export function checkState(value: Json, options: { file: StateFile }, report: Report): void {
  const here: StateReport = (finding) => report({ file: options.file, ...finding });
  checkVersion(value, here);
  if (!isObject(value)) return;
  checkAgent(value, here);
  checkLists(value, here);
  checkPortable(value, here);
}

/** Reports an initial state whose root is not the cassette's (7.3). */
export function checkStateRoot(state: Json, rootAgentSessionId: string, report: Report): void {
  const root = textAt(objectAt(state, 'agent'), 'rootSessionId');
  if (root === undefined || isBlank(root) || root === rootAgentSessionId) return;
  report({ code: 'state_root_mismatch', file: 'initial-state.json', path: '$.agent.rootSessionId', is: `the root is ${shown(root)}`, needed: `the root of the cassette is ${shown(rootAgentSessionId)}` });
}

function checkVersion(value: Json, report: StateReport): void {
  const version = zeroInteger(value, 'schemaVersion');
  const isWrongType = version === null || (value !== null && !isObject(value));
  if (version === 1n || isWrongType) return;
  report({ code: 'state_schema_unsupported', path: '$.schemaVersion', is: `the schema version is ${shown(present(value, 'schemaVersion'))}`, needed: '1 was needed' });
}

function checkAgent(state: Json, report: StateReport): void {
  if (isAbsent(state, 'agent')) return reportAbsent(report, '$.agent');
  const agent = objectAt(state, 'agent');
  if (!agent) return;
  const root = textAt(agent, 'rootSessionId');
  if (isBlank(root) && !isWrongText(agent, 'rootSessionId')) reportBlank(report, '$.agent.rootSessionId', member(agent, 'rootSessionId'));
  if (isAbsent(agent, 'sessions')) return reportAbsent(report, '$.agent.sessions');
  const sessions = listAt(agent, 'sessions');
  if (sessions?.length === 0) report({ code: 'state_invalid', path: '$.agent.sessions', is: 'there is no session', needed: 'at least one was needed' });
  else if (sessions) checkGraph({ root, sessions }, report);
}

function checkLists(state: Json, report: StateReport): void {
  if (isAbsent(state, 'tuttiMode')) reportAbsent(report, '$.tuttiMode');
  const mode = objectAt(state, 'tuttiMode');
  if (mode) for (const name of ['activations', 'turnSnapshots']) if (isAbsent(mode, name)) reportAbsent(report, `$.tuttiMode.${name}`);
  for (const name of ['workflows', 'issues']) if (isAbsent(state, name)) reportAbsent(report, `$.${name}`);
  for (const [index, workflow] of (listAt(state, 'workflows') ?? []).entries())
    if (workflow === null || (isObject(workflow) && isAbsent(workflow, 'issueIds'))) reportAbsent(report, `$.workflows[${index}].issueIds`);
}
