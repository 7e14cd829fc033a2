/** Observations of a Codex connection (stand-in e): what a session is at, derived from the messages in their order. */

import { isObject, member, writeJson, type Json } from '../../core/json/exact.ts';
import type { Observation, ObservationKind, Observer, OpenEnd } from '../../core/provider/adapter.ts';

export function createCodexObserver(): Observer {
  const requests = new Map<string, string>();
  const pending = new Map<string, { method: string; isAnswered: boolean }>();
  const turns = new Set<string>();

  return {
    see(direction, message) {
      return direction === 'outbound' ? seeOutbound(message) : seeInbound(message);
    },
    open(): OpenEnd[] {
      return [
        ...[...turns].map((turn): OpenEnd => ({ code: 'turn_open', text: `turn ${turn} has no turn/completed` })),
        ...[...requests].map(([id, method]): OpenEnd => ({ code: 'request_open', text: `request ${id} (${method}) has no answer` })),
        ...[...pending].map(([id, { method }]): OpenEnd => ({ code: 'interaction_open', text: `interaction ${id} (${method}) has no resolution` })),
      ];
    },
  };

  function seeOutbound(message: Json): Observation[] {
    const id = member(message, 'id');
    const method = member(message, 'method');
    if (id === undefined) return [];
    if (typeof method === 'string') requests.set(writeJson(id), method);
    else {
      const interaction = pending.get(writeJson(id));
      if (interaction) interaction.isAnswered = true;
    }
    return [];
  }

  function seeInbound(message: Json): Observation[] {
    const method = member(message, 'method');
    const id = member(message, 'id');
    if (typeof method !== 'string') return id === undefined ? [] : seeResponse(id, message);
    const params = member(message, 'params') ?? null;
    if (interactionMethods.has(method) && id !== undefined) {
      pending.set(writeJson(id), { method, isAnswered: false });
      return [{ kind: 'interaction.pending', facts: { method, id, ...(isObject(params) ? params : {}) } }];
    }
    return seeNotification(method, params);
  }

  function seeResponse(id: Json, message: Json): Observation[] {
    const method = requests.get(writeJson(id));
    requests.delete(writeJson(id));
    const isReady = method !== undefined && sessionMethods.has(method) && member(message, 'result') !== undefined;
    return isReady ? [{ kind: 'session.ready', facts: { method } }] : [];
  }

  function seeNotification(method: string, params: Json): Observation[] {
    const item = member(params, 'item') ?? null;
    const turn = member(params, 'turn') ?? null;
    switch (method) {
      case 'turn/started':
        turns.add(nameOf(member(turn, 'id')));
        return [{ kind: 'turn.working', facts: turn }];
      case 'turn/completed':
        turns.delete(nameOf(member(turn, 'id')));
        return [{ kind: member(turn, 'status') === 'interrupted' ? 'turn.canceled' : 'turn.terminal', facts: turn }];
      case 'item/started':
        return isTool(item) ? [{ kind: 'tool.started', facts: item }] : [];
      case 'item/completed':
        if (isTool(item)) return [{ kind: 'tool.completed', facts: item }];
        return member(item, 'type') === 'agentMessage' ? [{ kind: 'response.committed', facts: item }] : [];
      case 'serverRequest/resolved':
        return seeResolved(member(params, 'requestId'));
      default:
        return [];
    }
  }

  function seeResolved(id: Json | undefined): Observation[] {
    const interaction = id === undefined ? undefined : pending.get(writeJson(id));
    if (id === undefined || !interaction) return [];
    pending.delete(writeJson(id));
    const kind: ObservationKind = interaction.isAnswered ? 'interaction.resolved' : 'interaction.superseded';
    return [{ kind, facts: { method: interaction.method, id } }];
  }
}

function isTool(item: Json): boolean {
  return toolTypes.has(nameOf(member(item, 'type')));
}

// Not String(): a number that keeps its source text, and an object with a member "toString", have no string.
function nameOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : writeJson(value ?? null);
}

const sessionMethods = new Set(['thread/start', 'thread/resume', 'thread/fork']);
const toolTypes = new Set(['commandExecution', 'fileChange', 'mcpToolCall', 'dynamicToolCall', 'webSearch']);
const interactionMethods = new Set([
  'item/commandExecution/requestApproval',
  'item/fileChange/requestApproval',
  'item/permissions/requestApproval',
  'item/tool/requestUserInput',
  'execCommandApproval',
  'applyPatchApproval',
]);

