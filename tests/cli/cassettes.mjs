/** `validate`, `list` and `rename` on v7 cassettes, as a person and as a program sees them. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeDraft } from '../../fixtures/cassettes/draft.ts';
import { put } from '../../fixtures/cassettes/edit.ts';
import { writeFiles } from '../../fixtures/cassettes/on-disk.ts';
import { asCandidate, findShape } from '../../fixtures/cassettes/shapes.ts';
import { inPlace } from '../faults/place.mjs';

export function cassetteChecks({ check, expectError, oneDocument, writeCase }) {
  check('validate judges v7 cassettes, tapes and cases in one call, and a recording as what it is', () => inPlace(async (place) => {
    make(place.at('work/whole'));
    make(place.at('work/candidate'), { isCandidate: true });
    make(place.at('work/tape'), { isTape: true });
    make(place.at('work/cases/garden/cassettes/main'));
    writeCase(place.at('work/cases/garden'), [{ dir: 'cassettes/main', manifestSha256: sha256Of(place.at('work/cases/garden/cassettes/main/cassette.json')) }]);
    const result = await place.playhead(['validate', '--json', 'whole', './tape/', 'cases']);
    assert.equal(result.code, 0, result.stdout);
    const { valid, cassettes } = oneDocument(result);
    assert.deepEqual([valid, cassettes.map(({ cassette, issues }) => [cassette, issues])], [true, [['whole', []], ['./tape/', []], ['cases/garden/cassettes/main', []]]]);
    assert.deepEqual(codes(oneDocument(await place.playhead(['validate', '--json', 'candidate'])).cassettes[0].issues), ['recording_unpublished']);
    assert.equal((await place.playhead(['validate', '--level', 'publish', 'candidate'])).code, 0);
  }));

  check('validate judges each cassette of a folder of cassettes, and cases beside them', () => inPlace(async (place) => {
    for (const name of ['b', 'a']) make(place.at('work/all', name));
    make(place.at('work/all/t'), { isTape: true });
    for (const name of ['notes', '.playhead-staging-x/provider']) mkdirSync(place.at('work/all', name), { recursive: true });
    rmSync(place.at('work/all/b/cassette.json'));
    writeCase(place.at('work/all/c'), []);
    const document = oneDocument(await place.playhead(['validate', '--json', 'all']));
    assert.deepEqual(document.cassettes.map(({ cassette, issues }) => [cassette, ...codes(issues)]), [['all/a'], ['all/b', 'cassette_manifest_missing'], ['all/c', 'cassette_missing'], ['all/t']]);
  }));

  check('validate --level asks these readers alone', () => inPlace(async (place) => {
    // Each reader of the reference has something of its own against it.
    make(place.at('work/odd'), {
      change(draft) {
        put(draft.cassette, 'agentTargetId', '');
        put(draft.cassette, 'replayPrerequisites.composerDefaults.speed', ' standard ');
        draft.lateTape.push((tape) => put(tape, 'connections[0].launchOrdinal', 0));
      },
    });
    const ask = async (...words) => {
      const result = await place.playhead(['validate', '--json', ...words]);
      return [result.code, ...oneDocument(result).cassettes.flatMap(({ issues }) => issues.map(({ level, code }) => `${level} ${code}`))];
    };
    assert.deepEqual(await ask('--level', 'resolve', 'odd'), [1, 'resolve prerequisites_padded']);
    assert.deepEqual(await ask('odd', '--level', 'tape_load'), [1, 'tape_load launch_ordinal_invalid']);
    assert.deepEqual(await ask('odd', '--level=runner'), [1, 'runner agent_target_empty']);
    assert.deepEqual(await ask('--level=runner', 'odd'), [1, 'runner agent_target_empty']);
    assert.deepEqual(await ask('odd', '--level', 'publish'), [0]);
    const all = [1, 'resolve prerequisites_padded', 'runner agent_target_empty', 'tape_load launch_ordinal_invalid'];
    assert.deepEqual((await ask('odd')).sort(), all);
    assert.deepEqual((await ask('--level', 'runner,resolve, tape_load', 'odd')).sort(), all);
    for (const [words, says] of [[['odd', '--level', 'reslve'], /"reslve": there is no such level, one of resolve, tape_load, runner, publish was needed/], [['odd', '--level', 'resolve,'], /"": there is no such level/], [['odd', '--level'], /level/]]) {
      const error = expectError(await place.playhead(['validate', ...words, '--json']), 'usage', 2);
      assert.match(error.message, says);
    }
  }));

  check('validate shows a person each cassette with its findings, a few of each code, and a sum', () => inPlace(async (place) => {
    make(place.at('work/good'));
    make(place.at('work/bad'), {
      change(draft) {
        for (const frame of draft.frames) put(frame, 'elapsedMs', -1);
        draft.lateBytes.push((files) => files.set('cassette.json', Buffer.from(String(files.get('cassette.json')).replace('{', '{"x": 1, "x": 2,'))));
      },
    });
    const { code, stdout, stderr } = await place.playhead(['validate', 'bad', 'good', 'absent']);
    assert.deepEqual([code, stdout], [1, '']);
    const lines = stderr.split('\n');
    assert.equal(lines[0], '✗ bad');
    assert.match(lines[1], /^ {2}! resolve {4}json_member_repeated {3}cassette\.json \$\.x: the member stands twice, /);
    for (let i = 1; i <= 5; i++) assert.match(lines[1 + i], new RegExp(`^  ✗ runner     frame_elapsed_invalid  provider/frames\\.jsonl:${i} \\$\\.elapsedMs: `));
    assert.deepEqual([lines[7], lines[8], lines[9]], ['    … and 6 more frame_elapsed_invalid', '✓ good', '✗ absent']);
    assert.match(lines[10], /^ {2}✗ resolve {4}cassette_missing {2}\.: there is no such folder/);
    assert.deepEqual(lines.slice(11), ['1 of 3 valid, 12 errors, 1 warning', '  see   docs/errors.md#frame_elapsed_invalid', '']);
  }));

  check('validate has an issue for whatever is in the place of a folder', () => inPlace(async (place) => {
    writeFileSync(place.at('work/file'), '');
    mkdirSync(place.at('work/empty'));
    mkdirSync(place.at('work/odd/case.json'), { recursive: true });
    const result = await place.playhead(['validate', '--json', 'file', 'empty', 'odd', 'file/below', 'x'.repeat(5000), '/dev/null', '/dev/zero']);
    assert.equal(result.code, 1);
    assert.deepEqual(oneDocument(result).cassettes.map(({ issues }) => codes(issues)[0]), ['cassette_missing', 'manifest_missing', 'case_invalid', 'cassette_missing', 'cassette_missing', 'cassette_missing', 'cassette_missing']);
  }));

  check('validate of thousands of folders in one call stays fast', () => inPlace(async (place) => {
    make(place.at('work/one'));
    const begun = performance.now();
    const result = await place.playhead(['validate', '--json', ...Array.from({ length: 3_000 }, (_, i) => (i % 3 === 0 ? 'one' : `absent-${i}`))]);
    assert.equal(oneDocument(result).cassettes.length, 3_000);
    assert.ok(performance.now() - begun < 20_000, `it took ${Math.round(performance.now() - begun)} ms`);
  }));

  check('list shows v7 cassettes with id, name, mode and provider', () => inPlace(async (place) => {
    make(place.at('work/cases/garden/cassettes/main'));
    make(place.at('work/cases/garden/cassettes/bad'), { change: (draft) => put(draft.cassette, 'createdAtUnixMs', 0) });
    writeCase(place.at('work/cases/garden'), ['main', 'bad'].map((name) => ({ dir: `cassettes/${name}`, manifestSha256: sha256Of(place.at('work/cases/garden/cassettes', name, 'cassette.json')) })));
    make(place.at('work/cases/loose'), { shape: 'claude-code' });
    const { cases, cassettes } = oneDocument(await place.playhead(['list', '--json']));
    const [main, bad] = cases[0].cassettes;
    assert.deepEqual(main, { dir: 'cassettes/main', id: '3f0c6f52-6f0e-4b0b-8f5e-0d1f6b9f1a01', name: 'A greeting', mode: 'create-session', provider: 'codex', version: null, frames: 11, valid: true });
    assert.deepEqual([bad.name, bad.valid], ['A greeting', false]);
    assert.deepEqual(cassettes.map(({ dir, mode, provider, valid }) => [dir, mode, provider, valid]), [['cases/loose', 'create-session', 'claude-code', true]]);
    const { stdout } = await place.playhead(['list']);
    assert.match(stdout, /^garden +A greeting +3f0c6f52-\S+ {2}create-session {2}codex \? {2}11 frames {2}none \(spec\)$/m);
    assert.match(stdout, /^garden +A greeting +3f0c6f52-\S+ {2}not valid, see npx playhead validate cases\/garden/m);
    assert.match(stdout, /^cases\/loose +A greeting +\S+ {2}create-session {2}claude-code \? {2}4 frames$/m);
  }));

  check('rename changes a cassette and the hash that its case has of it', () => inPlace(async (place) => {
    const manifest = place.at('work/cases/garden/cassettes/main/cassette.json');
    make(path.dirname(manifest));
    writeCase(place.at('work/cases/garden'), [{ dir: 'cassettes/main', manifestSha256: sha256Of(manifest) }]);
    const result = await place.playhead(['rename', 'cases/garden/cassettes/main', ' Two tulips ', '--json']);
    assert.deepEqual([result.code, oneDocument(result)], [0, { schemaVersion: 1, cassette: 'cases/garden/cassettes/main', id: '3f0c6f52-6f0e-4b0b-8f5e-0d1f6b9f1a01', name: 'Two tulips', manifestSha256: sha256Of(manifest), case: 'cases/garden/case.json' }]);
    assert.equal((await place.playhead(['validate', 'cases'])).code, 0);
    const shown = await place.playhead(['rename', 'cases/garden/cassettes/main', 'Three\u001b[31m']);
    assert.deepEqual([shown.code, shown.stderr], [0, '']);
    assert.match(shown.stdout, new RegExp(`^✓ cases/garden/cassettes/main is now "Three.*"\n  manifest  ${sha256Of(manifest)}\n  case      cases/garden/case\\.json has the new hash\n$`));
    assert.equal((await place.playhead(['validate', 'cases'])).code, 0);
  }));

  check('rename refuses what has no name, what is not valid, and a name that is none', () => inPlace(async (place) => {
    make(place.at('work/whole'));
    make(place.at('work/tape'), { isTape: true });
    make(place.at('work/candidate'), { isCandidate: true });
    make(place.at('work/bad'));
    appendFileSync(place.at('work/bad/expected-state.json'), ' ');
    const refuse = async (words, code, exitCode) => expectError(await place.playhead(['rename', ...words, '--json']), code, exitCode);
    await refuse(['whole', '  '], 'name_invalid', 2);
    await refuse(['whole', 'x'.repeat(121)], 'name_invalid', 2);
    await refuse(['absent', 'x'], 'case_not_found', 2);
    assert.match((await refuse(['tape', 'x'], 'rename_unsupported', 2)).message, /it is a tape, which has no name but that of its folder/);
    await refuse(['candidate', 'x'], 'rename_unsupported', 2);
    const { facts, next } = await refuse(['bad', 'x'], 'cassette_not_valid', 1);
    assert.deepEqual([facts.issues, next], [['file_size_mismatch expected-state.json'], ['npx playhead validate bad']]);
  }));
}

function make(folder, { shape = 'create-session', change = () => {}, isCandidate = false, isTape = false } = {}) {
  const draft = findShape(shape).make();
  change(draft);
  const files = writeDraft(isCandidate ? asCandidate(draft) : draft);
  mkdirSync(folder, { recursive: true });
  writeFiles(folder, isTape ? new Map([...files].filter(([name]) => name.startsWith('provider/'))) : files);
}

function sha256Of(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

const codes = (issues) => issues.map(({ code }) => code);
