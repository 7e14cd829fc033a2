/** Opens the database of a daemon, or makes an empty one (agent-host 4.1, schema). */

import { DatabaseSync } from 'node:sqlite';
import { createConnection, type Connection } from './connection.ts';
import { applicationId, schema, schemaVersion } from './schema.ts';
import { StoreError } from './store-error.ts';

/** Rejects what is no database of ours with `StoreError`, and changes nothing of it. */
export function openDatabase(path: string): Connection {
  const connection = connect(path);
  try {
    judge(connection, path);
    prepare(connection, path);
    return connection;
  } catch (error) {
    connection.close();
    throw error instanceof StoreError ? error : damaged(path, error);
  }
}

function connect(path: string): Connection {
  try {
    return createConnection(new DatabaseSync(path, { timeout: busyTimeoutMs }));
  } catch (error) {
    throw new StoreError('database_unavailable', { path, is: `it cannot be opened (${textOf(error)})` }, { cause: error });
  }
}

function judge(sql: Connection, path: string): void {
  const id = pragma(sql, 'application_id');
  const version = pragma(sql, 'user_version');
  const isEmpty = sql.get('select 1 as found from sqlite_schema') === undefined;
  if (isEmpty && id === 0 && version === 0) return;
  if (id !== applicationId) throw new StoreError('database_corrupt', { path, is: 'it belongs to another program' });
  if (version !== schemaVersion) throw new StoreError('database_corrupt', { path, is: `its schema is version ${version} instead of ${schemaVersion}` });
  const check = String(sql.get('pragma quick_check(1)')?.['quick_check']);
  if (check !== 'ok') throw new StoreError('database_corrupt', { path, is: `it is damaged (${check})` });
}

function prepare(sql: Connection, path: string): void {
  if (path !== ':memory:') sql.exec('pragma journal_mode = wal');
  // A crash of the process loses nothing; what a power cut may take are the last commits, never their order.
  sql.exec('pragma synchronous = normal; pragma foreign_keys = on; pragma trusted_schema = off');
  if (pragma(sql, 'user_version') === schemaVersion) return;
  sql.exec(`begin immediate; ${schema} pragma application_id = ${applicationId}; pragma user_version = ${schemaVersion}; commit`);
}

function damaged(path: string, error: unknown): StoreError {
  const isBusy = /locked|busy/i.test(textOf(error));
  return new StoreError(isBusy ? 'database_unavailable' : 'database_corrupt', { path, is: isBusy ? 'another process holds it' : `it is damaged or no database (${textOf(error)})` }, { cause: error });
}

function pragma(sql: Connection, name: string): number {
  return Number(sql.get(`pragma ${name}`)?.[name]);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const busyTimeoutMs = 1_000;
