/**
 * Tells every open window what the store committed, in the order of the commits: a snapshot first, then changes (agent-host 4,
 * desktop-order b3 and b6).
 */

import type { CommittedDelta } from '../../core/agent/delta.ts';
import type { AgentHost } from '../../core/agent/host.ts';
import type { WindowEvent } from '../../core/agent/wire.ts';
import { raise, type LanePlaceView } from '../../core/control/lanes.ts';

/** One window's stream; `write` may close it, but never waits. */
export type Subscriber = { write: (bytes: Buffer) => void; end: () => void };

export type Publisher = {
  /** Open streams. */
  readonly count: number;
  /** Writes the snapshot at once; the result takes the subscriber away. */
  open: (subscriber: Subscriber) => () => void;
  /** Ends every stream. */
  close: () => void;
};

export type PublisherOptions = {
  host: Pick<AgentHost, 'observe' | 'graphs'>;
  workspaceId: string;
  /** Lanes that a window which opens its stream now starts from. */
  lanes: () => LanePlaceView[];
};

/** Has to be made before anybody else observes the Host: a window hears of a unit before the unit is held (design ruling 4). */
export function createPublisher({ host, workspaceId, lanes }: PublisherOptions): Publisher {
  const subscribers = new Set<Subscriber>();
  let handled: LanePlaceView[] = [];
  let revision = 0;

  const publish = (delta: CommittedDelta) => {
    revision = delta.revision;
    handled = raise(handled, placesOf(delta));
    if (subscribers.size === 0) return;
    const bytes = frame(changeOf(delta, handled));
    for (const subscriber of subscribers) subscriber.write(bytes);
  };
  const stop = host.observe(publish);

  return {
    get count() {
      return subscribers.size;
    },
    open(subscriber) {
      // Rows and lanes of one moment: nothing is committed between these lines.
      subscriber.write(frame({ type: 'snapshot', revision, lanes: raise(handled, lanes()), sessions: host.graphs(workspaceId, { includeHidden: true }) }));
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    close() {
      stop();
      for (const subscriber of subscribers) subscriber.end();
      subscribers.clear();
    },
  };
}

/** A connection has no name outside of record and replay; such a unit stands in no lane. */
function placesOf({ unit }: CommittedDelta): LanePlaceView[] {
  if (!unit || unit.position.connectionId === '') return [];
  const { connectionId, chunkSeq, unitIndex } = unit.position;
  return [{ connectionId, chunkSeq, unitIndex }];
}

// Commands' own changes carry no lane, else a window could have seen a unit that a replay has not handled yet (desktop-order b6).
function changeOf(delta: CommittedDelta, lanes: LanePlaceView[]): WindowEvent {
  const isAppend = ({ appended }: { appended?: string }) => appended !== undefined;
  return {
    type: 'change',
    revision: delta.revision,
    ...(delta.unit ? { lanes } : {}),
    sessions: delta.sessions.map(({ after }) => after),
    turns: delta.turns.map(({ after }) => after),
    messages: delta.messages.filter((change) => !isAppend(change)).map(({ after }) => after),
    appends: delta.messages.filter(isAppend).map(({ after, appended = '' }) => ({ agentSessionId: after.agentSessionId, messageId: after.messageId, version: after.version, text: appended })),
    interactions: delta.interactions.map(({ after }) => after),
    ...(delta.removed ? { removed: delta.removed } : {}),
  };
}

function frame(event: WindowEvent): Buffer {
  return Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
}
