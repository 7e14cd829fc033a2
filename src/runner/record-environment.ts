/** What a recording gives the real provider: the scripted model, a private home, and nothing else (spec providers, 1). */

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { providers } from '../providers/registry.ts';
import { startScriptedModel, type ScriptedModel } from './scripted-model.ts';
import type { Workroom } from './workroom.ts';

export type RecordEnvironment = { model: ScriptedModel; env: { [name: string]: string } };

export async function openRecordEnvironment(options: { script: string; home: string; workroom: Workroom }): Promise<RecordEnvironment> {
  const { script, home, workroom } = options;
  const model = await startScriptedModel({ script, workroom });
  // Note: Codex refuses to make its helpers below TMPDIR and says so on stderr.
  const env: { [name: string]: string } = { HOME: home, TMPDIR: workroom.makeFolder('tmp') };
  mkdirSync(home, { recursive: true });
  for (const provider of providers) {
    const recordHome = provider.recordHome({ modelUrl: model.url });
    for (const [name, text] of Object.entries(recordHome.files)) writeFileSync(join(home, name), text, { mode: 0o600 });
    Object.assign(env, recordHome.env, Object.fromEntries(provider.homeEnv.map((name) => [name, home])));
  }
  return { model, env };
}

/** The work tree as the session left it; large files are only named. */
export function readSmallFiles(folder: string): { [name: string]: string } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name))).filter((path) => !path.startsWith('.git/')).sort();
  return Object.fromEntries(paths.slice(0, fileCountMax).map((path) => [path, statSync(join(folder, path)).size > fileBytesMax ? '(large)' : readFileSync(join(folder, path), 'utf8')]));
}

const fileCountMax = 200;
const fileBytesMax = 16_384;
