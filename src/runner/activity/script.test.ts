import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeDraft, type Draft } from '../../../fixtures/cassettes/draft.ts';
import { drop, put } from '../../../fixtures/cassettes/edit.ts';
import { writeFiles } from '../../../fixtures/cassettes/on-disk.ts';
import { findShape } from '../../../fixtures/cassettes/shapes.ts';
import { readScript, unknownNames } from './script.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'playhead-script-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(shape: string, change: (draft: Draft) => void = () => {}, names: Parameters<typeof readScript>[1] = {}) {
  const draft = findShape(shape).make();
  change(draft);
  writeFiles(folder, writeDraft(draft));
  return readScript(folder, names);
}

const seen = [{ connectionId: 'connection-1', chunkSeq: 5, unitIndex: 1 }];

test('readScript() gives the events with their lanes, in order', () => {
  const { events, hasLanes } = read('lanes');
  expect(events.map(({ sequence, kind, type, eventId, causedByEventId, seen, started }) => ({ sequence, kind, type, eventId, causedByEventId, seen, started }))).toEqual([
    { sequence: 1, kind: 'intent', type: 'activation/requested', eventId: 'ev-1', causedByEventId: null, seen: [], started: null },
    { sequence: 2, kind: 'effect', type: 'session/activate', eventId: 'ev-2', causedByEventId: 'ev-1', seen: null, started: [] },
    { sequence: 3, kind: 'intent', type: 'submit/requested', eventId: 'ev-3', causedByEventId: null, seen, started: null },
    { sequence: 4, kind: 'effect', type: 'queue/sendPrompt', eventId: 'ev-4', causedByEventId: 'ev-3', seen: null, started: seen },
  ]);
  expect(hasLanes).toBe(true);
});

test.each<[string, string, (draft: Draft) => void, boolean]>([
  ['no lanes at all', 'create-session', () => {}, false],
  ['one event without', 'lanes', (draft) => drop(draft.events[2] as object, 'lanes'), false],
  ['no events', 'no event', () => {}, true],
])('readScript() of a cassette with %s says so', (_title, shape, change, expected) => {
  const { hasLanes, events } = read(shape, change);
  expect(hasLanes).toBe(expected);
  if (shape === 'create-session') expect(events.map(({ seen, started }) => [seen, started])).toEqual(events.map(() => [null, null]));
});

test('readScript() gives the checkpoints with their cursors, triggers and names', () => {
  const { checkpoints } = read('lanes', () => {}, { greeted: { kind: 'turn.terminal', nth: 1 } });
  expect(checkpoints.map(({ id, index, name, kind, activitySequence, lanes, position }) => [id, index, name, kind, activitySequence, lanes.map(({ chunkSeq }) => chunkSeq), position?.chunkSeq ?? null])).toEqual([
    ['checkpoint-0000', 0, 'replay.bootstrap', 'replay.bootstrap', 0, [0], null],
    ['checkpoint-0001', 1, 'session.ready', 'session.ready', 2, [5], null],
    ['checkpoint-0002', 2, 'turn.working', 'turn.working', 4, [8], 8],
    ['checkpoint-0003', 3, 'greeted', 'turn.terminal', 4, [11], 11],
  ]);
  expect(checkpoints[1]?.tags).toEqual(['session.ready', 'project.binding-ready']);
});

test('readScript() counts checkpoints of one kind in their names', () => {
  const same = (draft: Draft) => put(draft.plan, 'checkpoints[2].kind', 'turn.terminal');
  const names = { again: { kind: 'turn.terminal', nth: 2 } };
  expect(read('lanes', same).checkpoints.map(({ name }) => name).slice(2)).toEqual(['turn.terminal', 'turn.terminal 2']);
  expect(read('lanes', same, names).checkpoints.map(({ name }) => name).slice(2)).toEqual(['turn.terminal', 'again']);
});

test('unknownNames() names those that the plan does not have', () => {
  const names = { greeted: { kind: 'turn.terminal', nth: 1 }, twice: { kind: 'turn.terminal', nth: 2 }, asked: { kind: 'interaction.pending', nth: 1 } };
  expect(unknownNames(read('lanes', () => {}, names), names)).toEqual(['twice', 'asked']);
});

test('readScript() refuses a direct stimulus, which no window makes', () => {
  const change = (draft: Draft) => put(draft.events[2] as object, 'kind', 'direct-stimulus');
  expect(() => read('lanes', change)).toThrow(expect.objectContaining({ code: 'stimulus_unsupported', message: 'Cannot replay event 3: it is a direct stimulus "submit/requested", an intent of a window was needed' }));
});
