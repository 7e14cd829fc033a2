import { expect, test } from 'vitest';
import type { Json } from '../json/exact.ts';
import { Findings } from '../issue.ts';
import { parseJson } from '../json/exact.ts';
import { checkBlobManifest } from './check-manifest.ts';
import { blobSourcePath, findBlobReferences, writeBlobManifest } from './references.ts';

const state = (...payloads: Json[]): Json => ({ agent: { sessions: [{ id: 's', messages: payloads.map((payload) => ({ payload })) }] } });
const check = (...payloads: Json[]) => findBlobReferences(state(...payloads)).map((reference) => blobSourcePath(reference, 'home'));
const picture = { type: 'image', attachmentId: 'a', mimeType: 'image/png' };
const output = (change: { [key: string]: Json }): Json => ({ output: { imageMimeType: 'image/webp', ...change } });
const home = '${REPLAY_HOME}/generated_images';

test.each<[string, Json, string[]]>([
  ['an attachment anywhere in it', { content: [{ x: [picture] }] }, ['agent/attachments/s/a.png']],
  ['an attachment twice', [picture, picture], ['agent/attachments/s/a.png']],
  ['an attachment without id', { ...picture, attachmentId: ' ' }, []],
  ['an attachment of an unsupported type', { ...picture, mimeType: 'image/gif' }, []],
  ['an attachment that leaves its folder', { ...picture, attachmentId: '../a' }, []],
  ['an object of another type', { ...picture, type: 'file' }, []],
  ['a saved image, alone and in the list', output({ savedPath: `${home}/a.webp`, savedPaths: [`${home}/a.webp`, `${home}/b/c.webp`] }), ['agent/runs/s/home/generated_images/a.webp', 'agent/runs/s/home/generated_images/b/c.webp']],
  ['a saved image of another extension', output({ savedPath: `${home}/a.png` }), []],
  ['a saved image elsewhere', output({ savedPath: '/tmp/generated_images/a.webp' }), []],
  ['a saved image that leaves its folder', output({ savedPath: `${home}/../a.webp` }), []],
  ['a saved image without type', { output: { savedPath: `${home}/a.webp` } }, []],
  ['an output further down', { x: output({ savedPath: `${home}/a.webp` }) }, []],
  ['nothing', null, []],
])('findBlobReferences() in a payload with %s', (_title, payload, paths) => expect(check(payload)).toEqual(paths));

test('writeBlobManifest() writes what checkBlobManifest() accepts', () => {
  const references = findBlobReferences(state([picture], output({ savedPath: `${home}/a.webp` })));
  const text = writeBlobManifest(references.map((reference) => ({ ...reference, sha256: 'ab'.repeat(32), sizeBytes: 3 })));
  const findings = new Findings();
  const facts = checkBlobManifest(parseJson(text) as Json, findings.report);
  expect([facts?.length, findings.all]).toEqual([2, []]);
  expect(text).toContain('"agentSessionId": "s",\n      "attachmentId": "a",\n      "mimeType": "image/png"');
});
