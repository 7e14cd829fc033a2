/** `provider/manifest.json` and one line of `provider/frames.jsonl`, schema 4 (cassette-contract 5.2 to 5.4). */

import { Type } from '@sinclair/typebox';
import { tapeProjectionVersion, tapeSchemaVersion } from '../../src/core/tape/manifest.ts';
import { choice, document, filled, free, i64, list, object, optional, sha256, text, u64, version, when } from './members.ts';
import { captureOrigins, frameKinds, policy } from './vocabulary.ts';

const counts = { frameCount: u64('Chunks.'), payloadBytes: u64('Their bytes, decoded.'), storedBytes: u64('Their lines, as stored.') };
const ordinal = (description: string) => u64(description, { minimum: 1 });

const connection = object('One run of a provider.', {
  connectionId: filled('The connection, unique in the tape.'),
  provider: filled('A registered provider.'),
  agentSessionId: filled('The session that started it.'),
  rootAgentSessionId: filled('The root of that session.'),
  launchOrdinal: ordinal('Which start of this provider in that session, from 1.'),
  cwdToken: filled('What stands for its working directory in the tape.'),
  captureOrigin: choice('Whether it was recorded from its start on.', captureOrigins),
  argv: optional(list('Its arguments, with tokens for paths; ours.', text('An argument.'))),
  inputEndedAt: optional(u64('The last chunk before the product closed its input; ours.')),
});

export const tapeManifestDocument = document('provider-manifest', 'Tape manifest', 'What the tape holds, and which runs of providers it was taken from.', {
  schemaVersion: version(tapeSchemaVersion, 'the tape'),
  projectionVersion: version(tapeProjectionVersion, 'the projection'),
  status: choice('Whether the recording was finished; only a complete tape is played.', ['complete', 'incomplete']),
  ...counts,
  maxFrameBytes: u64('The largest payload of one chunk.', { maximum: policy.limits.maxProviderPayloadBytes }),
  limits: object('The limits it was recorded under.', {
    maxFrameBytes: u64('Payload of one chunk.', { const: policy.limits.maxProviderPayloadBytes }),
    maxStoredBytes: u64('The frames file.', { const: policy.limits.maxProviderTapeBytes }),
  }),
  framesByKind: Type.Unsafe<object>({ description: 'The same counts for each kind of chunk.', type: 'object', additionalProperties: object('Counts of one kind.', counts) }),
  framesSha256: sha256('SHA-256 of the frames file as stored.'),
  connections: list('The runs, in the order in which they began.', connection),
  recordedWith: optional(free('The programs that wrote it; ours.')),
}, { allOf: [{ properties: { storedBytes: { maximum: policy.limits.maxProviderTapeBytes } } }] });

export const frameDocument = document('provider-frame', 'Chunk', 'One line of the frames file: bytes that went one way on one connection, or the end of a run.', {
  connectionId: filled('The connection.'),
  chunkSeq: ordinal('Counted on the connection, from 1 without a gap.'),
  globalSeq: ordinal('The number of the line, from 1.'),
  elapsedMs: i64('Milliseconds since the connection began.', { minimum: 0 }),
  kind: choice('Which way it went.', frameKinds),
  data: optional(text('The bytes in padded base64; absent where there are none.', { contentEncoding: 'base64', pattern: '^[A-Za-z0-9+/]*={0,2}$' })),
  exitCode: optional(i64('Of an exit: its code.')),
  message: optional(text('A remark; of an exit, what brought it about.')),
}, when('kind', ['exit'], { required: ['exitCode'] }));
