/** What `playhead --json` and `verdict.json` hold (interface.md): for those who read them. */

import { Type, type TSchema } from '@sinclair/typebox';
import { acceptanceLevels } from '../../src/core/issue.ts';
import { layerNames } from '../../src/core/verdict/divergence.ts';
import { choice, document, filled, flag, i64, list, nullable, object, text } from './members.ts';

const number = (description: string) => Type.Number({ description });
const count = (description: string) => i64(description, { minimum: 0 });
const code = (description: string) => text(description, { pattern: '^[a-z][a-z0-9_]*$' });
const next = list('What to do, as commands.', text('A command.'));
const either = (...schemas: TSchema[]) => Type.Union(schemas);

const issue = object('Something that stands against a cassette.', {
  level: choice('Which reader refuses it.', acceptanceLevels),
  severity: choice('Whether it refuses or warns.', ['error', 'warning']),
  code: code('What is wrong; docs/errors.md has them all.'),
  file: nullable(text('The file, from the folder that was judged on.')),
  line: nullable(count('The line, from 1.')),
  path: nullable(text('The place in the value, from `$` on.')),
  is: text('What is so.'),
  needed: text('What was needed.'),
  message: text('Both in a sentence.'),
});

export const validateDocument = document('validate', 'Output of validate', 'What `playhead validate --json` prints.', {
  schemaVersion: i64('Schema version of the output.', { const: 1 }),
  valid: flag('Whether no cassette has an error.'),
  cassettes: list('The folders in the order in which they were given.', object('One folder.', {
    cassette: text('The folder as it was given.'),
    valid: flag('Whether it has no error.'),
    issues: list('Everything that stands against it.', issue),
  })),
});

const chunk = { connectionId: text('The connection.'), chunkSeq: count('The chunk.'), unitIndex: count('The unit in it.') };
const position = either(
  object('On a connection.', chunk),
  object('In the activity.', { activitySequence: count('The event.'), eventId: text('Its id.') }),
  object('In a file.', { file: text('The file.'), line: count('The line.') }),
);

const divergence = object('The first place where a replay and its recording differ.', {
  layer: choice('The layer.', layerNames),
  code: code('What happened; docs/errors.md has them all.'),
  fingerprint: filled('The same for everything that has one cause.'),
  message: text('What happened, in a sentence.'),
  lane: nullable(text('The lane.')),
  checkpoint: nullable(object('The last checkpoint before it.', { id: text('Its id.'), name: text('Its name.') })),
  position: nullable(position),
  path: nullable(text('The place in the value, from `$` on.')),
  recorded: nullable(text('What was recorded.')),
  live: nullable(text('What came.')),
  nearest: nullable(object('The recorded entry that is most like it.', { position: object('Where it is.', chunk), changed: list('Where it differs.', text('A path.')) })),
  causes: list('What may have caused it, most likely first.', object('One cause.', { code: code('Which.'), text: text('In a sentence.') })),
  next,
});

const layer = object('One layer.', {
  status: choice('What became of it.', ['passed', 'failed', 'not_reached', 'not_recorded']),
  checked: count('What was compared.'),
  allowed: count('What was let pass.'),
});

export const verdictDocument = document('verdict', 'Verdict', 'The result of one replay.', {
  schemaVersion: i64('Schema version of a verdict.', { const: 1 }),
  playhead: text('The version that judged.'),
  result: choice('The result.', ['passed', 'failed', 'faulted']),
  case: nullable(object('The case.', { name: text('Its name.'), path: text('Its folder.') })),
  cassette: object('The recording.', { id: text('Its id.'), name: text('Its name.'), dir: text('Its folder.'), manifestSha256: text('SHA-256 of its manifest.') }),
  product: object('The product.', { name: text('Its name.'), version: nullable(text('Its version.')) }),
  recordedWith: Type.Unknown({ description: 'The programs it was recorded with; null where it does not say.' }),
  runsWith: object('The programs it was replayed with.', { provider: nullable(text('The provider.')), platform: text('The platform.'), node: text('Node.'), browser: nullable(text('The browser.')) }),
  drive: choice('Who acted for the user.', ['activity', 'scenario', 'spec']),
  surface: choice('Where the window was.', ['electron', 'chromium', 'none']),
  timing: either(choice('How fast.', ['instant', 'recorded']), number('How fast, as a factor.')),
  layers: object('What was judged.', Object.fromEntries(layerNames.map((name) => [name, layer]))),
  divergence: nullable(divergence),
  fault: nullable(object('What failed around the replay.', { code: code('What happened; docs/errors.md has them all.'), message: text('In a sentence.'), next })),
  checkpoints: list('The places it stopped at or passed.', object('One checkpoint.', {
    id: text('Its id.'), name: text('Its name.'), index: count('Its place, from 0.'), kind: text('What was reached.'),
    playbackMs: number('When, in the time of the recording.'), wallMs: number('When, by the clock.'), attachment: nullable(text('Its picture.')),
  })),
  launches: object('Starts of providers.', { expected: count('As recorded.'), arrived: count('As they came.'), refused: count('That nobody expected.') }),
  durationMs: number('How long it took.'),
  detectedAtMs: nullable(number('When the divergence was found.')),
});
