/** The Host's rows as checkpoints ask for them, while they are recorded: what is recorded is by definition as recorded (cassette-contract 4.8). */

import type { AgentHost } from '../../core/agent/host.ts';
import type { SessionGraphView } from '../../core/agent/views.ts';
import type { EntityAddress } from '../../core/checkpoint/entity.ts';
import type { ReadinessView } from '../../core/checkpoint/readiness.ts';
import type { EntityRef, EntityRegistry } from '../../core/observation/registry.ts';

export type LiveViewOptions = { host: Pick<AgentHost, 'graph'>; workspaceId: string; registry: EntityRegistry };

export function createLiveView({ host, workspaceId, registry }: LiveViewOptions): ReadinessView {
  const find = <Kind extends EntityRef['kind'], Row>(kind: Kind, read: (graph: SessionGraphView, ref: Extract<EntityRef, { kind: Kind }>) => Row | undefined) => (address: EntityAddress): Row | undefined => {
    const ref = registry.refOf(address);
    const graph = ref && host.graph({ workspaceId, agentSessionId: ref.sessionId || registry.rootId });
    return ref?.kind === kind && graph ? read(graph, ref as Extract<EntityRef, { kind: Kind }>) : undefined;
  };
  return {
    session: find('session', ({ session }) => ({ hasActiveTurn: session.activeTurnId !== null, hasEnded: session.kind === 'child' && session.activeTurnId === null })),
    turn: find('turn', ({ turns, messages }, { turnId }) => {
      const turn = turns.find((row) => row.turnId === turnId);
      return turn && { phase: turn.phase, outcome: turn.outcome ?? '', messages: messages.filter((message) => message.turnId === turnId) };
    }),
    interaction: find('interaction', ({ interactions }, { turnId, requestId }) => interactions.find((row) => row.turnId === turnId && row.requestId === requestId)),
    call: find('tool-call', ({ messages }, { turnId, callId }) => messages.find((row) => row.turnId === turnId && row.payload['callId'] === callId)),
    goal: () => undefined,
    attachment: () => undefined,
    areSettingsRecorded: () => true,
    isProjectRecorded: () => true,
  };
}
