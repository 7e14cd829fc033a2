/** Bad tapes: missing, cut, changed, and of somebody else. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectDivergence, expectFault, expectPassed } from './expect.mjs';
import { inPlace } from './place.mjs';

const steps = ['hello', 'turn=hello', 'close'];

export function checkTapes(check) {
  const damages = {
    'a folder that does not exist': { code: 'cassette_missing', damage: (folder) => rmSync(folder, { recursive: true }) },
    'a tape without a manifest': { code: 'manifest_missing', damage: (folder) => rmSync(path.join(folder, 'provider/manifest.json')) },
    'a tape without frames': { code: 'frames_missing', damage: (folder) => rmSync(path.join(folder, 'provider/frames.jsonl')) },
    'frames cut in the middle of a line': { code: 'json_invalid', damage: (folder) => truncateSync(path.join(folder, 'provider/frames.jsonl'), 700) },
    'frames without their last line': { code: 'frames_sha256_mismatch', damage: (folder) => edit(folder, 'frames.jsonl', (text) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`) },
    'one byte of a frame changed': { code: 'frames_sha256_mismatch', damage: (folder) => edit(folder, 'frames.jsonl', (text) => text.replace('"elapsedMs":', '"elapsedMs": ')) },
    'a manifest that is no JSON': { code: 'json_invalid', damage: (folder) => edit(folder, 'manifest.json', () => 'no') },
    'a tape that was never finished': { code: 'tape_incomplete', damage: (folder) => edit(folder, 'manifest.json', (text) => text.replace('"complete"', '"incomplete"')) },
    'a tape of a later schema': { code: 'tape_schema_unsupported', damage: (folder) => edit(folder, 'manifest.json', (text) => text.replace('"schemaVersion": 4', '"schemaVersion": 5')) },
    'a tape of an unknown provider': { code: 'provider_unknown', damage: (folder) => edit(folder, 'manifest.json', (text) => text.replace('"provider": "codex"', '"provider": "other"')) },
    'frames behind a symbolic link': { code: 'file_not_regular', damage: linkFrames },
    'a folder with other files in it': { code: 'cassette_manifest_missing', damage: (folder) => writeFileSync(path.join(folder, 'notes.txt'), 'x') },
  };
  for (const [name, { code, damage }] of Object.entries(damages))
    check(`${name} is refused before the command starts`, () => inPlace(async (place) => {
      cpSync(await sampleTape(), place.at('tape'), { recursive: true });
      damage(place.at('tape'));
      const result = await place.replay('tape', steps);
      const divergence = expectDivergence(result, { layer: 'cassette', code });
      assert.match(divergence.message, /^Cannot load cassette "tape": /);
      assert.deepEqual(place.events(), [], 'the command was started');
      const validated = await place.playhead(['validate', place.at('tape'), '--json']);
      assert.equal(validated.code, 1);
      assert.ok(JSON.parse(validated.stdout).cassettes[0].issues.some((issue) => issue.code === code));
    }));

  check('a tape of another program is a divergence at its first difference', () => inPlace(async (place) => {
    cpSync(await sampleTape(), place.at('tape'), { recursive: true });
    const result = await place.replay('tape', ['hello', 'turn=leave:0', 'close']);
    const divergence = expectDivergence(result, { layer: 'protocol', code: 'outbound_mismatch' });
    assert.equal(divergence.path, '$.params.input[0].text');
  }));

  check('a changed and re-hashed tape is refused by the pin in case.json', () => inPlace(async (place) => {
    cpSync(await sampleTape(), place.at('case/cassettes/main'), { recursive: true });
    const pinned = createHash('sha256').update(readFileSync(place.at('case/cassettes/main/provider/manifest.json'))).digest('hex');
    writeFileSync(place.at('case/case.json'), JSON.stringify({ schemaVersion: 1, title: 't', product: 'p', drive: 'spec', cassettes: [{ dir: 'cassettes/main', manifestSha256: pinned }] }));
    assert.equal((await place.playhead(['validate', place.at('case')])).code, 0);
    edit(place.at('case/cassettes/main'), 'frames.jsonl', (text) => text.replace(/"elapsedMs":(\d+)/, '"elapsedMs":$1'.replace('$1', '0')));
    const frames = readFileSync(place.at('case/cassettes/main/provider/frames.jsonl'));
    edit(place.at('case/cassettes/main'), 'manifest.json', (text) => text.replace(/"framesSha256": "[0-9a-f]+"/, `"framesSha256": "${createHash('sha256').update(frames).digest('hex')}"`).replace('0.171.0', '0.171.1'));
    const result = await place.playhead(['validate', place.at('case'), '--json']);
    assert.equal(result.code, 1);
    assert.equal(JSON.parse(result.stdout).cassettes[0].issues[0].code, 'manifest_sha256_mismatch');
  }));

  check('an unknown provider is refused with the known names', () => inPlace(async (place) => {
    for (const mode of ['--record', '--replay']) {
      const result = await place.playhead(['wrap', 'gemini', mode, place.at('tape'), '--json', '--', 'true']);
      expectFault({ ...result, document: JSON.parse(result.stdout) }, { code: 'provider_unknown', exitCode: 2, message: /"gemini".*codex/ });
    }
  }));

  check('a recording never overwrites, and nothing is kept of one that starts nothing', () => inPlace(async (place) => {
    mkdirSync(place.at('full'));
    writeFileSync(place.at('full/x'), '');
    for (const [tape, command, code, exitCode] of [['full', 'true', 'cassette_exists', 2], ['none', 'true', 'recording_empty', 3]]) {
      const result = await place.playhead(['wrap', 'codex', '--record', place.at(tape), '--json', '--', command]);
      expectFault({ ...result, document: JSON.parse(result.stdout) }, { code, exitCode });
    }
    assert.throws(() => readFileSync(place.at('none/provider/manifest.json')));
  }));

  check('the sample itself replays clean', () => inPlace(async (place) => {
    cpSync(await sampleTape(), place.at('tape'), { recursive: true });
    expectPassed(await place.replay('tape', steps));
  }));
}

let sample = null;

/** A tape of `hello`, recorded once. */
async function sampleTape() {
  sample ??= inPlaceKept();
  return sample;
}

const { promise: kept, resolve: keep } = Promise.withResolvers();
export const dropSample = () => keep();

function inPlaceKept() {
  return new Promise((resolve, reject) => {
    inPlace(async (place) => {
      resolve(await place.record('sample', steps));
      await kept;
    }).catch(reject);
  });
}

function edit(folder, name, change) {
  const file = path.join(folder, 'provider', name);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  assert.notEqual(after, before, 'the damage changed nothing');
  writeFileSync(file, after);
}

function linkFrames(folder) {
  const file = path.join(folder, 'provider/frames.jsonl');
  cpSync(file, `${folder}-frames`);
  rmSync(file);
  symlinkSync(`${folder}-frames`, file);
}
