/** A SQLite connection whose statements are prepared once (node:sqlite, synchronous). */

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

export type Values = { [name: string]: unknown };
export type Row = { [column: string]: unknown };

export type Connection = {
  run: (sql: string, values?: Values) => number;
  get: (sql: string, values?: Values) => Row | undefined;
  all: (sql: string, values?: Values) => Row[];
  exec: (sql: string) => void;
  close: () => void;
};

/** Values are bound by name (`$name`); one that a statement does not name is passed over. */
export function createConnection(database: DatabaseSync): Connection {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    // So that a key such as a session's can be handed on whole.
    statement.setAllowUnknownNamedParameters(true);
    statements.set(sql, statement);
    return statement;
  };
  return {
    run: (sql, values = {}) => Number(prepare(sql).run(bind(values)).changes),
    get: (sql, values = {}) => prepare(sql).get(bind(values)) as Row | undefined,
    all: (sql, values = {}) => prepare(sql).all(bind(values)) as Row[],
    exec: (sql) => database.exec(sql),
    close: () => {
      statements.clear();
      database.close();
    },
  };
}

function bind(values: Values): { [name: string]: SQLInputValue } {
  const bound: { [name: string]: SQLInputValue } = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === null || typeof value === 'string' || typeof value === 'number') bound[name] = value;
    else if (typeof value === 'boolean') bound[name] = value ? 1 : 0;
  }
  return bound;
}
