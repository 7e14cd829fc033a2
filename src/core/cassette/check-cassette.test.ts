import { Buffer } from 'node:buffer';
import { expect, test, vi } from 'vitest';
import { appendCheckpoint, createCheckpoint, createPlan } from '../checkpoint/build.ts';
import { writePlan } from '../checkpoint/plan.ts';
import { Findings } from '../issue.ts';
import { createJournalCheck } from '../journal/check-journal.ts';
import { CassetteCheck } from './check-cassette.ts';
import { entryOf, manifestWith, requiredPaths } from './fixtures.ts';

const createCheck = () => {
  const findings = new Findings();
  const createJournal = vi.fn(createJournalCheck);
  return { findings, createJournal, subject: new CassetteCheck({ report: findings.report, expectedId: null, stateFormats: [], createJournal }) };
};
const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));

test('CassetteCheck keeps of a journal what the plan asks for', () => {
  const position = { connectionId: 'c1', chunkSeq: 4n, unitIndex: 1n, eventIndex: 1n };
  const cursor = { activityEventSequence: 1n, providerConnections: [position] };
  const ended = createCheckpoint({ kind: 'turn.terminal', cursor, trigger: { source: 'provider-observation', position, unitKind: 'protocol-message', type: 'turn.completed', fingerprint: `sha256:${'a'.repeat(64)}` }, subjects: [], predicates: [] });
  const { findings, createJournal, subject } = createCheck();
  subject.plan(Buffer.from(writePlan(appendCheckpoint(createPlan(), ended))), { connectionIds: null });
  subject.journalLine(bytesOf({ schemaVersion: 2, position: { connectionId: 'c1', chunkSeq: 9, unitIndex: 1 }, unitKind: 'protocol-message' }), 1);
  subject.journalEnd();
  expect(findings.all.map(({ code }) => code)).toEqual(['checkpoint_trigger_missing']);
  expect(createJournal.mock.calls.map(([, units]) => units)).toEqual([[position]]);
});

test('CassetteCheck keeps nothing of a journal whose plan cannot be read', () => {
  const { createJournal, subject } = createCheck();
  subject.journalEnd();
  expect(createJournal.mock.calls.map(([, units]) => units)).toEqual([[]]);
});

test('CassetteCheck stays quick with very many blobs', () => {
  const digests = Array.from({ length: 9_000 }, (_, i) => i.toString(16).padStart(64, '0'));
  const { subject } = createCheck();
  subject.blobManifest(bytesOf({ schemaVersion: 1, blobs: digests.map((sha256, i) => ({ kind: 'agent-prompt-attachment', sha256, sizeBytes: 1, mimeType: 'image/png', agentSessionId: 's', attachmentId: `a${i}` })) }));
  subject.cassetteManifest(bytesOf(manifestWith({ files: [...requiredPaths, ...digests.map((digest) => `blobs/sha256/${digest}`)].map((path) => entryOf(path)) })));
  const before = process.cpuUsage();
  const known = digests.filter((digest) => subject.blob(`blobs/sha256/${digest}`) !== null);
  const { user, system } = process.cpuUsage(before);
  expect(known.length).toBe(9_000);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
