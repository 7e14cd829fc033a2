/** `case.json`: the one document whose unknown members are errors (interface.md, case folder). */

import { Type } from '@sinclair/typebox';
import { observationKinds } from '../../src/core/provider/kinds.ts';
import { choice, document, filled, i64, list, maybe, object, sha256, text, when } from './members.ts';

const closed = { additionalProperties: false };
const inside = { pattern: '^(?![/\\\\]|[A-Za-z]:)(?!(?:[\\s\\S]*[/\\\\])?\\.\\.(?:[/\\\\]|$))[\\s\\S]*\\S' };
// Every day that exists, and none that does not: an editor shows at once what the reader would refuse.
const day = { format: 'date', pattern: '^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$' };
const count = (description: string) => i64(description, { minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const cassette = object('One recording of the case.', {
  dir: filled('Its folder, inside the folder of the case; each folder once.', inside),
  manifestSha256: sha256('SHA-256 of its `cassette.json`, or of `provider/manifest.json` where it is a tape alone. Written by `playhead record`.'),
}, closed);

const checkpoint = object('A place to stop at.', {
  kind: choice('What is observed there.', observationKinds),
  nth: maybe(count('Which observation of this kind, from 1. Default: 1.')),
}, closed);

const allowance = object('A difference that is let pass until a day.', {
  layer: choice('Where the difference is.', ['cassette', 'protocol']),
  rule: filled('`observer_only` on layer protocol; a JSON path on layer cassette.'),
  method: maybe(filled('The method of the message; needed on layer protocol.')),
  reason: filled('Why it is let pass; shown in every report.'),
  until: text('The last day on which it is let pass.', day),
}, { ...closed, allOf: [
  when('layer', ['protocol'], { properties: { rule: { const: 'observer_only' }, method: { type: 'string' } }, required: ['method'] }),
  when('layer', ['cassette'], { properties: { rule: { pattern: '^\\$' } } }),
] });

export const caseDocument = document('case', 'Case', 'One case: the product, how it is driven, and its recordings.', {
  $schema: maybe(text('This schema; for editors alone.')),
  schemaVersion: i64('Schema version of a case.', { const: 1 }),
  title: filled('What the case shows, in one sentence.'),
  product: filled('A product of `playhead.config.ts`.'),
  drive: choice('Who acts for the user: the recorded activity, the module named by `scenario`, or a spec beside this file.', ['activity', 'scenario', 'spec']),
  scenario: maybe(filled('The module that drives the product, inside the folder of the case; needed with drive `scenario`.', inside)),
  model: maybe(filled('The script of the model to record against, inside the folder of the case.', inside)),
  project: maybe(filled('The folder the work tree begins as, inside the folder of the case.', inside)),
  cassettes: list('The recordings; empty before the first `playhead record`.', cassette),
  checkpoints: maybe(Type.Unsafe<object>({ description: 'Places with names. Default: every pending interaction and every end of a turn.', type: 'object', additionalProperties: checkpoint })),
  screenshots: maybe(choice('When pictures are taken. Default: at checkpoints.', ['checkpoints', 'failure', 'off'])),
  tags: maybe(list('Words to select cases by.', filled('A tag.'))),
  timeoutMs: maybe(count('How long the case may take. Default: its recorded length and a reserve.')),
  maxAgeDays: maybe(count('The age from which `playhead list --stale` names its recordings.')),
  allow: maybe(list('Differences that are let pass.', allowance)),
  quarantine: maybe(object('The case runs, and its failure is let pass until a day.', { reason: filled('Why.'), until: text('The last day.', day) }, closed)),
}, { ...closed, ...when('drive', ['scenario'], { properties: { scenario: { type: 'string' } }, required: ['scenario'] }) });
