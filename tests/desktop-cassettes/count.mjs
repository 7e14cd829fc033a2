/** What a cassette holds, counted from its files alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function countCassette(folder) {
  const read = (path) => readFileSync(join(folder, path), 'utf8');
  const linesOf = (path) => read(path).split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const events = linesOf('activity-events.jsonl').filter(({ kind }) => kind === 'intent' || kind === 'effect');
  const outbound = linesOf('provider/frames.jsonl').filter(({ kind }) => kind === 'outbound');
  const inbound = linesOf('provider/frames.jsonl').filter(({ kind }) => ['stdout', 'stderr', 'exit'].includes(kind));
  const { connections } = JSON.parse(read('provider/manifest.json'));
  return {
    cassette: JSON.parse(read('cassette.json')).files.length,
    effect: events.length,
    protocol: outbound.length,
    transport: inbound.length + connections.length,
    state: JSON.parse(read('checkpoint-plan.json')).checkpoints.length + countNodes(JSON.parse(read('expected-state.json'))),
  };
}

// Every value, the ones that hold others too.
function countNodes(value) {
  const below = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return 1 + below.reduce((sum, item) => sum + countNodes(item), 0);
}
