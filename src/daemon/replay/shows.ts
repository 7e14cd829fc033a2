/** What a window must show at a checkpoint, in the ids of this run (design ruling 23). */

import type { EntityAddress } from '../../core/checkpoint/entity.ts';
import type { ShownEntity } from '../../core/control/daemon.ts';
import { callOf, findLive, interactionOf, messageOf, turnOf, type LiveState } from '../readiness-view.ts';

/** The subjects as elements of the window; one that no element stands for is left out. */
export function shownEntities(subjects: readonly EntityAddress[], live: LiveState): ShownEntity[] {
  return subjects.flatMap((address) => shown(address, live) ?? []);
}

function shown(address: EntityAddress, live: LiveState): ShownEntity | null {
  switch (address.kind) {
    case 'session': {
      const found = findLive(live, address, 'session');
      return found ? { kind: 'session', ...idsOf(found.graph, found.graph.session.agentSessionId), status: found.graph.session.activeTurnId === null ? 'ready' : 'working' } : null;
    }
    case 'turn': {
      const found = findLive(live, address, 'turn');
      const turn = found && turnOf(found.graph, found.ref);
      return found && turn ? { kind: 'turn', ...idsOf(found.graph, turn.turnId), status: turn.outcome ?? turn.phase } : null;
    }
    case 'interaction': {
      const found = findLive(live, address, 'interaction');
      const row = found && interactionOf(found.graph, found.ref);
      return found && row ? { kind: 'interaction', ...idsOf(found.graph, row.requestId), status: row.status } : null;
    }
    case 'tool-call': {
      const found = findLive(live, address, 'tool-call');
      const row = found && callOf(found.graph, found.ref);
      return found && row ? { kind: 'message', ...idsOf(found.graph, row.messageId), status: row.status } : null;
    }
    case 'message':
    case 'attachment': {
      const found = findLive(live, address, 'message') ?? findLive(live, address, 'attachment');
      const row = found && messageOf(found.graph, found.ref);
      return found && row ? { kind: 'message', ...idsOf(found.graph, row.messageId), status: row.status } : null;
    }
    case 'goal':
      return null;
  }
}

function idsOf({ session }: { session: { agentSessionId: string } }, id: string): { sessionId: string; id: string } {
  return { sessionId: session.agentSessionId, id };
}
