/** The scripted model as a child process, steered and asked over its stdio (fixtures/model). */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Fault } from '../core/fault.ts';
import { programsFolder } from './versions.ts';
import type { Workroom } from './workroom.ts';

export type ModelRequest = { n: number; endpoint: string; prompt: string; outputs: number; toolOutputs: string[]; status: string };
export type ScriptedModel = {
  url: string;
  /** Opens a hold for good. */
  release: (hold: string) => void;
  /** Resolves when a reply waits there, or has. */
  holding: (hold: string) => Promise<void>;
  log: () => Promise<ModelRequest[]>;
  stop: () => Promise<void>;
};

type ModelEvent = { event: string; hold?: string; port?: number; requests?: ModelRequest[]; message?: string; prompt?: string; outputs?: number };

export async function startScriptedModel(options: { script: string; workroom: Workroom }): Promise<ScriptedModel> {
  const child = spawn(process.execPath, [join(programsFolder(), 'model.js'), options.script], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  if (child.pid !== undefined) options.workroom.guardGroup(child.pid);
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let errors = '';
  child.stderr.on('data', (read: Buffer) => (errors += read.toString()));
  child.stdin.on('error', () => {});
  const held = createReached();
  const waiting: ((event: ModelEvent) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = JSON.parse(line) as ModelEvent;
    if (event.event === 'holding') held.reach(event.hold ?? '');
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
    release: (hold) => tell({ do: 'release', hold }),
    holding: (hold) => Promise.race([held.wait(hold), exited.then(() => Promise.reject(new Fault({ code: 'scenario_invalid', message: `Cannot wait for hold "${hold}": the scripted model ended, a reply that reaches it was needed` })))]),
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

function createReached(): { reach: (name: string) => void; wait: (name: string) => Promise<void> } {
  const reached = new Map<string, PromiseWithResolvers<void>>();
  const of = (name: string) => reached.get(name) ?? (reached.set(name, Promise.withResolvers<void>()), reached.get(name) as PromiseWithResolvers<void>);
  return { reach: (name) => of(name).resolve(), wait: (name) => of(name).promise };
}
