/** The endpoints of a recording daemon: a window appends what it did, a runner waits and completes (replay-runtime 8). */

import type { FastifyInstance } from 'fastify';
import type { RecordStatus } from '../../core/control/daemon.ts';
import { isObject, type Json, type JsonObject } from '../../core/json/exact.ts';
import { listAt, shown, textAt } from '../../core/json/read.ts';
import { limits } from '../../core/limits.ts';
import { Refusal } from '../mode.ts';
import { parseEvents, type SubmittedEvent } from './parse-events.ts';
import type { Progress } from '../progress.ts';
import type { SealDefect } from './seal.ts';

export type RecordingRoutes = {
  progress: Progress;
  status: () => RecordStatus;
  append: (events: readonly SubmittedEvent[]) => number;
  complete: (defects: readonly SealDefect[]) => Promise<void>;
  /** What the product told the provider so far. */
  sent: () => JsonObject[];
};

export function routeRecording(app: FastifyInstance, { progress, status, append, complete, sent }: RecordingRoutes): void {
  app.post<{ Body: Json }>('/v1/recording/activity-events', { config: { role: 'window' } }, async ({ body }) => ({ acceptedThroughSequence: append(parseEvents(body)) }));
  app.get<{ Querystring: { after?: string; waitMs?: string } }>('/v1/recording', { config: { role: 'control' } }, async ({ query }, reply) => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    await progress.since(numberOf(query.after, 'after', -1), Math.min(numberOf(query.waitMs, 'waitMs', 0), limits.pollMsMax), gone.signal);
    return status();
  });
  app.post<{ Body: Json }>('/v1/recording/complete', { config: { role: 'control' } }, async ({ body }) => {
    await complete(parseDefects(body));
    return status();
  });
  app.get('/v1/recording/sent', { config: { role: 'control' } }, async () => sent());
}

function parseDefects(body: Json | undefined): SealDefect[] {
  const defects = listAt(body, 'defects');
  if (!defects) throw refuse('$.defects', 'it is no list', 'a list of defects was needed');
  return defects.map((defect, i) => {
    if (!isObject(defect)) throw refuse(`$.defects[${i}]`, `it is ${shown(defect)}`, 'an object was needed');
    return { kind: textAt(defect, 'kind') ?? '', commandId: textAt(defect, 'commandId') ?? '', type: textAt(defect, 'type') ?? '' };
  });
}

function numberOf(text: string | undefined, name: string, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^-?\d{1,15}$/.test(text)) throw refuse(name, `it is ${shown(text)}`, 'an integer was needed');
  return Number(text);
}

function refuse(at: string, is: string, needed: string): Refusal {
  return new Refusal(400, 'invalid_argument', `Cannot take the request at ${at}: ${is}, ${needed}`);
}
