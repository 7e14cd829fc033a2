import { expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import { openDatabase } from './open.ts';
import { createWrite, type Write } from './transaction.ts';

/** A database whose next command of that kind fails once. */
function open(failing: 'begin' | 'rollback' | null = null): { write: Write; sql: Connection } {
  const sql = openDatabase(':memory:');
  let left = failing;
  const exec = (command: string): void => {
    if (left === null || !command.startsWith(left)) return sql.exec(command);
    left = null;
    throw new Error(`no ${command}`);
  };
  const { write } = createWrite({ ...sql, exec }, { clock: { nowUnixMs: () => 1 }, ids: { uuid: () => 'tx' }, onCommit: () => {} });
  return { write, sql };
}

test('a transaction that could not begin does not stand in the way of the next one', () => {
  const { write } = open('begin');
  expect(() => write(() => 1)).toThrow('no begin immediate');
  expect(write(() => 2).value).toBe(2);
});

test('a transaction that SQLite has rolled back by itself fails with its cause, and the next one goes on', () => {
  const { write } = open();
  const change = ({ sql }: { sql: Connection }) => {
    sql.exec('rollback');
    throw new Error('database or disk is full');
  };
  expect(() => write(change)).toThrow(new Error('database or disk is full'));
  expect(write(() => 2).value).toBe(2);
});

test('a transaction that cannot be taken back names both troubles', () => {
  const { write, sql } = open('rollback');
  expect(() => write(() => { throw new Error('odd'); })).toThrow(expect.objectContaining({ name: 'AggregateError', errors: [new Error('odd'), new Error('no rollback')] }));
  sql.exec('rollback');
  expect(write(() => 2).value).toBe(2);
});
