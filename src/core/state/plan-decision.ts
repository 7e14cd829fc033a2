/** The runtime operation behind a plan decision has another id in each run; that there was one stays visible (cassette-contract 7.5). */

import type { JsonObject } from '../json/exact.ts';
import { isBlank, objectAt, textAt } from '../json/read.ts';

/** A message with its plan operation made neutral, and the id that was built from it. Ordinary submit ids stay exact. */
export function withoutPlanOperation(message: JsonObject): JsonObject {
  const payload = objectAt(message, 'payload');
  if (!payload) return message;
  const submit = textAt(payload, 'clientSubmitId');
  const operation = textAt(payload, 'operationId');
  let changed = message;
  if (submit?.startsWith(planDecision)) changed = renamed(changed, { name: 'clientSubmitId', value: planDecision + runtimeOperation, ids: [`client-submit:user:${submit}`, `client-submit:user:${planDecision}${runtimeOperation}`] });
  if (textAt(payload, 'noticeKind')?.startsWith('plan_implementation_') && !isBlank(operation))
    changed = renamed(changed, { name: 'operationId', value: runtimeOperation, ids: [`${planDecision}${operation}:status`, `${planDecision}${runtimeOperation}:status`] });
  return changed;
}

function renamed(message: JsonObject, { name, value, ids: [before, after] }: { name: string; value: string; ids: [string, string] }): JsonObject {
  return { ...message, ...(message['id'] === before && { id: after }), payload: { ...objectAt(message, 'payload'), [name]: value } };
}

const planDecision = 'plan-decision:';
const runtimeOperation = '<runtime-operation>';
