/** Values known of the recording machine that no cassette may hold (design, secret scan): credentials around us, by name. */

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isObject, parseJson, type Json } from '../core/json/exact.ts';
import type { Canary } from '../core/secrets/scan.ts';

/** `files` are where providers keep their logins, below the home; host and user name are the projection's affair (decision 0006). */
export function collectCanaries(options: { env: NodeJS.ProcessEnv; home: string; files?: readonly string[] }): Canary[] {
  const { env, home, files = loginFiles } = options;
  const found = new Map<string, Canary>();
  const add = (name: string, value: string) => {
    if (!isPath.test(value) && !found.has(value)) found.set(value, { name, value });
  };
  for (const [name, value] of Object.entries(env)) if (isCredentialName.test(name) && value) add(name, value);
  for (const file of files) for (const { name, value } of credentialsIn(join(home, file))) add(`${file} ${name}`, value);
  return [...found.values()];
}

/** Those of this process and this person. */
export function machineCanaries(): Canary[] {
  return collectCanaries({ env: process.env, home: homedir() });
}

function credentialsIn(path: string): Canary[] {
  try {
    return leaves(parseJson(readFileSync(path, 'utf8')) ?? null, '');
  } catch {
    // No such login.
    return [];
  }
}

function leaves(value: Json, name: string): Canary[] {
  if (typeof value === 'string') return isCredentialName.test(name) ? [{ name, value }] : [];
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, name));
  return isObject(value) ? Object.keys(value).flatMap((key) => leaves(value[key] as Json, key)) : [];
}

const isCredentialName = /key$|token|secret|passw|credential/i;
const isPath = /^[/~]|^[A-Za-z]:[/\\]/;
const loginFiles = ['.codex/auth.json', '.claude/.credentials.json', '.claude.json', '.pi/agent/auth.json', '.config/gh/hosts.json'];
