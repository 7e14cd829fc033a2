/** A small writer of v7 cassettes of its own: documents are decoded, edited, written as the recorder spells them, and hashed again. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { observationFingerprint } from '../../src/core/checkpoint/fingerprint.ts';
import { readTape, sha256, writeTape } from '../alarms/tape.mjs';

const documents = { plan: 'checkpoint-plan.json', expected: 'expected-state.json', blobs: 'blobs/manifest.json' };
const eventsFile = 'activity-events.jsonl';

/** Every file below a folder, as paths relative to it, in byte order. */
export function filesBelow(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort();
}

/** `tape.chunks` as `readTape` gives them; everything else as plain values. */
export function readCassette(folder) {
  const document = (path) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
  return {
    manifest: document('cassette.json'),
    ...Object.fromEntries(Object.entries(documents).map(([name, path]) => [name, document(path)])),
    events: readFileSync(join(folder, eventsFile), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)),
    tape: readTape(join(folder, 'provider')),
  };
}

/**
 * Writes a cassette and gives the hash of its manifest. `edit` changes the documents and the tape; sizes, hashes, counts,
 * numbers of chunks and the sum follow.
 */
export function writeCassette(folder, cassette, edit = () => {}) {
  const copy = structuredClone(cassette);
  edit(copy);
  put(folder, eventsFile, copy.events.map((event) => `${spell(JSON.stringify(event))}\n`).join(''));
  for (const [name, path] of Object.entries(documents)) put(folder, path, spellDocument(copy[name]));
  writeTape(join(folder, 'provider'), copy.tape);
  const files = copy.manifest.files.map(({ path, role }) => {
    const bytes = readFileSync(join(folder, path));
    return { path, role, sizeBytes: bytes.length, sha256: sha256(bytes) };
  });
  const manifest = spellDocument({ ...copy.manifest, totalBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), files });
  put(folder, 'cassette.json', manifest);
  return sha256(manifest);
}

/** Takes a chunk out of the tape; every place behind it, in cursors, triggers, addresses and lanes, goes back by one. */
export function dropChunk(cassette, chunkSeq) {
  const { tape, plan, events } = cassette;
  tape.chunks.splice(indexOf(tape, chunkSeq), 1);
  shiftPlaces([plan, events], chunkSeq);
  refreshFingerprints(plan);
}

export function indexOf({ chunks }, chunkSeq, connectionId = 'connection-1') {
  const index = chunks.findIndex((chunk) => chunk.connectionId === connectionId && chunk.chunkSeq === chunkSeq);
  if (index < 0) throw new Error(`Cannot damage chunk ${chunkSeq}: ${connectionId} has none`);
  return index;
}

function shiftPlaces(value, behind) {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.chunkSeq === 'number' && value.chunkSeq > behind) value.chunkSeq--;
  for (const item of Object.values(value)) shiftPlaces(item, behind);
}

/** A fingerprint holds the place at which its entity was born, so that a moved chunk changes it. */
export function refreshFingerprints({ checkpoints }) {
  for (const { trigger, subjects } of checkpoints) if (trigger.source === 'provider-observation') trigger.fingerprint = fingerprintOf(trigger, subjects[0]);
}

// What each observation of the desktop says beside its type and its entity; a test holds it against every committed plan.
function fingerprintOf({ type }, address) {
  const outcome = type.startsWith('turn.') && type !== 'turn.started' ? type.slice('turn.'.length) : undefined;
  const stable = type.startsWith('turn.') ? { turnPhase: outcome ? 'settled' : 'running', turnOutcome: outcome } : type.startsWith('interaction.') ? { interactionKind: 'approval' } : {};
  const { providerObservation, ...origin } = address.origin;
  const place = Object.fromEntries(Object.entries(providerObservation).map(([name, value]) => [name, typeof value === 'number' ? BigInt(value) : value]));
  return observationFingerprint({ type, address: { ...address, origin: { ...origin, providerObservation: place } }, stable });
}

function put(folder, path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function spellDocument(value) {
  return `${spell(JSON.stringify(value, null, 2))}\n`;
}

// As the recorder writes text: what HTML or JavaScript would read otherwise is escaped.
function spell(text) {
  return text.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
