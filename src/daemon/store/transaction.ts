/** One synchronous transaction: all of it or nothing, then everybody hears what changed (agent-host 1.11, participant and observer). */

import { assert } from '../../core/assert.ts';
import type { CommittedDelta } from '../../core/agent/delta.ts';
import type { InputUnit } from '../../core/ports.ts';
import type { Connection } from './connection.ts';
import { createTouched, type Touched } from './delta.ts';

export type Tx = { sql: Connection; nowUnixMs: number; touched: Touched };

export type TransactionPorts = {
  clock: { nowUnixMs: () => number };
  ids: { uuid: () => string };
  /** Inside the transaction: what it throws rolls everything back. */
  participant?: (delta: CommittedDelta) => void;
  /** After the commit. */
  onCommit: (delta: CommittedDelta) => void;
};

export type Write = <Value>(change: (tx: Tx) => Value, unit?: InputUnit | null) => { value: Value; delta: CommittedDelta };

/** A commit that changed no row is told only where it handled a provider unit: its lane matters even then (desktop-order b6). */
export function createWrite(sql: Connection, ports: TransactionPorts): { write: Write; tell: (unit: InputUnit | null) => CommittedDelta } {
  let revision = 0;
  let isOpen = false;
  const describe = (touched: Touched, unit: InputUnit | null): CommittedDelta => ({ transactionId: ports.ids.uuid(), revision: revision + 1, unit, ...touched.changes() });
  const publish = (delta: CommittedDelta): CommittedDelta => {
    revision++;
    ports.onCommit(delta);
    return delta;
  };
  const write: Write = (change, unit = null) => {
    assert(!isOpen, 'a transaction is not begun inside another one');
    const touched = createTouched(sql);
    let done: { value: ReturnType<typeof change>; delta: CommittedDelta };
    // One that does not begin, because the database is busy, leaves nothing open.
    sql.exec('begin immediate');
    isOpen = true;
    try {
      const value = change({ sql, nowUnixMs: ports.clock.nowUnixMs(), touched });
      done = { value, delta: describe(touched, unit) };
      ports.participant?.(done.delta);
      sql.exec('commit');
    } catch (error) {
      rollBack(sql, error);
      throw error;
    } finally {
      isOpen = false;
    }
    if (unit !== null || hasRows(done.delta)) publish(done.delta);
    return done;
  };
  return { write, tell: (unit) => publish(describe(createTouched(sql), unit)) };
}

// After a full disk, say, SQLite has rolled back by itself and this has nothing to do: the cause is the one to tell.
function rollBack(sql: Connection, cause: unknown): void {
  try {
    sql.exec('rollback');
  } catch (error) {
    if (!/no transaction is active/.test(String(error))) throw new AggregateError([cause, error], 'Cannot take back a transaction: the database refuses it, the state before was needed', { cause: error });
  }
}

function hasRows({ sessions, turns, messages, interactions, removed }: CommittedDelta): boolean {
  return sessions.length + turns.length + messages.length + interactions.length > 0 || removed !== undefined;
}
