import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkBlobManifest } from '../../core/blobs/check-manifest.ts';
import type { BlobFacts } from '../../core/blobs/facts.ts';
import { findBlobReferences } from '../../core/blobs/references.ts';
import { parseJson, type Json } from '../../core/json/exact.ts';
import { exportBlobs, materializeBlobs } from './blobs.ts';
import { picture, temporaryFolder } from './fixtures.ts';

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');
const write = (folder: string, path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const counter = () => {
  let count = 0;
  return () => `id-${count++}`;
};
const home = '${REPLAY_HOME}/generated_images';
const state: Json = {
  agent: {
    sessions: [
      {
        id: 's',
        messages: [
          { payload: { content: [{ type: 'image', attachmentId: 'a', mimeType: 'image/png' }] } },
          { payload: { output: { imageMimeType: 'image/webp', savedPath: `${home}/x/b.webp`, savedPaths: [`${home}/x/b.webp`] } } },
        ],
      },
    ],
  },
};
const attachmentPath = 'agent/attachments/s/a.png';
const imagePath = 'agent/runs/s/codex-home/generated_images/x/b.webp';

function createBoth() {
  const root = temporaryFolder(onTestFinished);
  const [stateFolder, candidateFolder] = [join(root, 'state'), join(root, 'candidate')];
  mkdirSync(candidateFolder);
  write(stateFolder, attachmentPath, 'picture');
  write(stateFolder, imagePath, 'picture');
  const run = () => {
    const result = exportBlobs({ references: findBlobReferences(state), stateFolder, homeFolderOf: () => 'codex-home', candidateFolder, newId: counter() });
    return result.ok ? result.value.map(({ kind, sha256, sizeBytes }) => `${kind} ${sha256} ${sizeBytes}`) : result.refusal.code;
  };
  return { root, stateFolder, candidateFolder, run };
}

test('exportBlobs() stores an attachment and a generated image under their digest, one content once', () => {
  const { candidateFolder, run } = createBoth();
  const digest = sha256Of('picture');
  expect([run(), run()]).toEqual(Array.from({ length: 2 }, () => [`agent-prompt-attachment ${digest} 7`, `agent-generated-image ${digest} 7`]));
  expect(picture(candidateFolder)).toEqual({ [`blobs/sha256/${digest}`]: 'picture', 'blobs/manifest.json': readFileSync(join(candidateFolder, 'blobs/manifest.json'), 'latin1') });
  const facts = checkBlobManifest(parseJson(readFileSync(join(candidateFolder, 'blobs/manifest.json'), 'utf8')) as Json, () => {});
  expect(facts).toMatchObject([{ kind: 'agent-prompt-attachment', attachmentId: 'a', mimeType: 'image/png' }, { kind: 'agent-generated-image', relativePath: 'generated_images/x/b.webp', mimeType: 'image/webp' }]);
});

test.each<[string, (path: string) => void]>([
  ['is missing', () => {}],
  ['is a link', (path) => symlinkSync('/etc/hostname', path)],
  ['is a pipe', (path) => void execFileSync('mkfifo', [path])],
  ['is over the limit', (path) => { writeFileSync(path, ''); truncateSync(path, 20_971_521); }],
])('exportBlobs() refuses a picture that %s', (_title, make) => {
  const { stateFolder, run } = createBoth();
  execFileSync('rm', [join(stateFolder, attachmentPath)]);
  make(join(stateFolder, attachmentPath));
  expect(run()).toBe('blob_source_invalid');
});

test('exportBlobs() refuses a candidate whose folder of blobs is a link', () => {
  const { root, stateFolder, candidateFolder } = createBoth();
  mkdirSync(join(root, 'outside'));
  symlinkSync(join(root, 'outside'), join(candidateFolder, 'blobs'));
  const result = exportBlobs({ references: [], stateFolder, homeFolderOf: () => 'codex-home', candidateFolder, newId: counter() });
  expect([result.ok || result.refusal.code, readdirSync(join(root, 'outside'))]).toEqual(['blob_source_invalid', []]);
});

const blob = (change: Partial<BlobFacts> = {}): BlobFacts => ({ index: 0, kind: 'agent-prompt-attachment', sha256: sha256Of('picture'), sizeBytes: 7, agentSessionId: 's', attachmentId: 'a', relativePath: null, mimeType: 'image/png', ...change });

function restore(batch: BlobFacts[][], prepare: (stateFolder: string, folders: string[]) => void = () => {}) {
  const root = temporaryFolder(onTestFinished);
  const stateFolder = join(root, 'state');
  mkdirSync(stateFolder);
  mkdirSync(join(root, 'outside'));
  const cassettes = batch.map((blobs, index) => ({ cassetteId: `c${index}`, folder: join(root, `c${index}`), blobs }));
  for (const { folder } of cassettes) write(folder, `blobs/sha256/${sha256Of('picture')}`, 'picture');
  prepare(stateFolder, cassettes.map(({ folder }) => folder));
  const result = materializeBlobs({ cassettes, stateFolder, newId: counter() });
  return { result: result.ok ? result.value : result.refusal.code, state: picture(stateFolder), outside: readdirSync(join(root, 'outside')) };
}

test('materializeBlobs() puts the pictures of a batch where the product looks for them', () => {
  const image = blob({ kind: 'agent-generated-image', attachmentId: null, relativePath: 'generated_images/x/b.webp', mimeType: 'image/webp' });
  expect(restore([[blob(), image], [blob()]])).toEqual({ result: [attachmentPath, imagePath], state: { [attachmentPath]: 'picture', [imagePath]: 'picture' }, outside: [] });
});

test.each<[string, BlobFacts[][], string, ((state: string, folders: string[]) => void)?]>([
  ['two cassettes that differ', [[blob()], [blob({ sizeBytes: 8 })]], 'blob_conflict'],
  ['a second picture that is missing', [[blob(), blob({ attachmentId: 'b', sha256: sha256Of('other') })]], 'blob_source_invalid'],
  ['a picture that was changed', [[blob({ attachmentId: 'b' })]], 'blob_source_invalid', (_state, [folder = '']) => writeFileSync(join(folder, 'blobs/sha256', sha256Of('picture')), 'Picture')],
  ['a picture of another size than the manifest says', [[blob({ sizeBytes: 6 })]], 'blob_source_invalid'],
])('materializeBlobs() refuses %s and writes nothing', (_title, batch, expected, prepare) => expect(restore(batch, prepare)).toEqual({ result: expected, state: {}, outside: [] }));

test('materializeBlobs() does not write through a link', () => {
  const linked = restore([[blob()]], (folder) => symlinkSync(join(folder, '..', 'outside'), join(folder, 'agent')));
  expect([linked.result, linked.outside]).toEqual(['blob_source_invalid', []]);
  const file = restore([[blob()]], (folder) => { mkdirSync(join(folder, 'agent/attachments/s'), { recursive: true }); symlinkSync(join(folder, '..', 'outside', 'x'), join(folder, attachmentPath)); });
  expect([file.result, file.state, file.outside]).toEqual([[attachmentPath], { [attachmentPath]: 'picture' }, []]);
  expect(existsSync('id-0')).toBe(false);
});
