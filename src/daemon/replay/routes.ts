/** The endpoints of a replay: the window's lane and verdicts, the runner's controls (replay-runtime 8). */

import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { PlaybackCommand } from '../../core/control/daemon.ts';
import { limits } from '../../core/limits.ts';
import { layerNames, type DivergenceFacts } from '../../core/verdict/divergence.ts';
import { isFault } from '../../core/fault.ts';
import { Refusal, type Windows } from '../mode.ts';
import type { DaemonApp } from '../http/type-provider.ts';
import type { Replay } from './replay.ts';

export function routeReplay(instance: FastifyInstance, replay: Replay, windows: Windows): void {
  const app = instance as unknown as DaemonApp;
  // Whoever waits is answered before the connections are cut.
  app.addHook('preClose', async () => replay.progress.close());
  routeLane(app, replay);
  routeStatus(app, replay, windows);
  routeControls(app, replay);
}

function routeLane(app: DaemonApp, replay: Replay): void {
  app.get('/v1/replay/lane', { config: { role: 'window' }, schema: { summary: 'The recorded activity lane' } }, async () => replay.lane());
  app.post('/v1/replay/events/:sequence/accept', { config: { role: 'window' }, schema: { summary: 'A recorded event was dispatched', params: Type.Object({ sequence: count }) } }, async ({ params }) => {
    replay.accept(Number(params.sequence));
    return { revision: replay.progress.revision };
  });
  app.post('/v1/replay/divergence', { config: { role: ['window', 'control'] }, schema: { summary: 'Reports a difference; answers with the one that stands', body: divergenceBody } }, async ({ body }) => replay.report(body as DivergenceFacts));
}

function routeStatus(app: DaemonApp, replay: Replay, windows: Windows): void {
  app.get('/v1/replay/status', { config, schema: { summary: 'How far the replay is; waits for something to happen after a revision', querystring: statusQuery } }, async ({ query }, reply) => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    await replay.progress.since(Number(query.after ?? -1), Math.min(Number(query.waitMs ?? 0), limits.pollMsMax), gone.signal);
    return { ...replay.status(), windowCount: windows.count };
  });
  app.get('/v1/replay/sent', { config, schema: { summary: 'Messages that were sent to providers' } }, async () => replay.sent());
  app.get('/v1/replay/state', { config, schema: { summary: 'The state as a cassette would hold it' } }, async () => {
    const state = replay.capture();
    if (state === null) throw new Refusal(404, 'session_not_found', 'Cannot capture state: the root session was not made, an existing one was needed');
    return state;
  });
}

function routeControls(app: DaemonApp, replay: Replay): void {
  app.post('/v1/replay/playback', { config, schema: { summary: 'Pauses, speeds up, or holds provider lanes', body: playbackBody } }, async ({ body }) => {
    try {
      replay.play(body as PlaybackCommand);
    } catch (error) {
      // Two targets for one connection, or a speed that no clock has.
      if (isFault(error) && (error.code === 'option_invalid' || error.code === 'target_unknown')) throw new Refusal(400, 'option_invalid', error.message, { cause: error });
      throw error;
    }
    return { revision: replay.progress.revision };
  });
  app.post('/v1/replay/checkpoints/:index/verify', { config, schema: { summary: 'Whether a checkpoint is reached', params: Type.Object({ index: count }) } }, async ({ params }) => replay.verify(Number(params.index)));
  app.post('/v1/replay/finish', { config, schema: { summary: 'Closes providers and compares the state' } }, async () => replay.finish());
}

const config = { role: 'control' } as const;
const closed = { additionalProperties: false };
const count = Type.String({ pattern: '^(0|[1-9][0-9]{0,8})$' });
const natural = Type.Integer({ minimum: 0 });
const text = Type.String();
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) => Type.Union([schema, Type.Null()]);
const statusQuery = Type.Object({ after: Type.Optional(count), waitMs: Type.Optional(count) }, closed);
const place = Type.Object({ connectionId: Type.String({ minLength: 1 }), chunkSeq: natural, unitIndex: natural }, closed);
const activityPlace = Type.Object({ activitySequence: natural, eventId: text }, closed);
const filePlace = Type.Object({ file: text, line: natural }, closed);

const playbackBody = Type.Union([
  Type.Object({ command: Type.Union([Type.Literal('pause'), Type.Literal('resume'), Type.Literal('clear-provider-cursor')]) }, closed),
  Type.Object({ command: Type.Literal('set-speed'), speed: Type.Number() }, closed),
  Type.Object({ command: Type.Literal('set-timing'), timing: Type.Union([Type.Literal('instant'), Type.Literal('recorded')]) }, closed),
  Type.Object({ command: Type.Literal('set-provider-cursor'), providerConnections: Type.Array(place), activityEventSequence: Type.Optional(natural) }, closed),
]);

// A whole divergence may come back as it was given out; its fingerprint is made anew.
const divergenceBody = Type.Object(
  {
    layer: Type.Union(layerNames.map((name) => Type.Literal(name))),
    code: Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
    message: Type.String({ minLength: 1 }),
    fingerprint: Type.Optional(text),
    lane: Type.Optional(orNull(text)),
    checkpoint: Type.Optional(orNull(Type.Object({ id: text, name: text }, closed))),
    position: Type.Optional(orNull(Type.Union([place, activityPlace, filePlace]))),
    path: Type.Optional(orNull(text)),
    recorded: Type.Optional(orNull(text)),
    live: Type.Optional(orNull(text)),
    nearest: Type.Optional(orNull(Type.Object({ position: place, changed: Type.Array(text) }, closed))),
    causes: Type.Optional(Type.Array(Type.Object({ code: text, text }, closed))),
    next: Type.Optional(Type.Array(text)),
  },
  closed,
);
