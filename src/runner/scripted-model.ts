/** The scripted model as a child process, steered and asked over its stdio (fixtures/model). */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Fault } from '../core/fault.ts';
import { programsFolder } from './versions.ts';
import type { Workroom } from './workroom.ts';

export type ModelRequest = { n: number; endpoint: string; prompt: string; outputs: number; toolOutputs: string[]; status: string };
export type ScriptedModel = { url: string; log: () => Promise<ModelRequest[]>; stop: () => Promise<void> };

type ModelEvent = { event: string; port?: number; requests?: ModelRequest[]; message?: string; prompt?: string; outputs?: number };

export async function startScriptedModel(options: { script: string; workroom: Workroom }): Promise<ScriptedModel> {
  const child = spawn(process.execPath, [join(programsFolder(), 'model.js'), options.script], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  if (child.pid !== undefined) options.workroom.guardGroup(child.pid);
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let errors = '';
  child.stderr.on('data', (read: Buffer) => (errors += read.toString()));
  child.stdin.on('error', () => {});
  const waiting: ((event: ModelEvent) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = JSON.parse(line) as ModelEvent;
    if (event.event === 'ready' || event.event === 'log') waiting.shift()?.(event);
  });
  const next = () =>
    new Promise<ModelEvent>((resolve, reject) => {
      waiting.push(resolve);
      void exited.then(() => reject(new Fault({ code: 'scenario_invalid', message: errors.trim() || 'Cannot run the scripted model: it ended, an answer was needed' })));
    });
  const tell = (command: object) => void child.stdin.write(`${JSON.stringify(command)}\n`);
  const ready = await next();
  return {
    url: `http://127.0.0.1:${ready.port}`,
    async log() {
      tell({ do: 'log' });
      return (await next()).requests ?? [];
    },
    async stop() {
      child.stdin.end();
      await exited;
      if (child.pid !== undefined) options.workroom.releaseGroup(child.pid);
    },
  };
}
