/** One live daemon per state folder: the lock is the system's own, so that a daemon that was killed holds nothing. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './start-error.ts';

export type StateDir = { databasePath: string; logPath: string; release: () => void };

/** Makes the folder where it is missing. Rejects with `state_dir_taken` where another live daemon holds it. */
export function openStateDir(path: string): StateDir {
  const lock = openLock(path);
  try {
    // An open transaction on a file of its own is a lock that ends with its process; nothing is ever written into it.
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) throw new StartError('state_dir_taken', `Cannot use state folder "${path}": another daemon that runs holds it, a folder of its own was needed`, { cause: error });
    throw unusable(path, error);
  }
  return { databasePath: join(path, 'agent.sqlite'), logPath: join(path, 'daemon.log'), release: () => lock.close() };
}

function openLock(path: string): DatabaseSync {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return new DatabaseSync(join(path, 'daemon.lock'), { timeout: 0 });
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): StartError {
  return new StartError('state_dir_unusable', `Cannot use state folder "${path}": ${(error as Error).message}, a folder that can be written was needed`, { cause: error });
}

const sqliteBusy = 5;
