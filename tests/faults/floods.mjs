/** Much output and long lines: bounded memory, and a limit that says its name. */

import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expectFault, expectPassed } from './expect.mjs';
import { inPlace } from './place.mjs';

const peakKibMax = 400 * 1024;

export function checkFloods(check) {
  check('100 MiB of provider output are recorded and replayed in bounded memory', () => inPlace(async (place) => {
    // The command line tells its own highest memory; a stand-in is asked by the program that started it.
    writeFileSync(place.at('peak.mjs'), `import { appendFileSync } from 'node:fs';\nprocess.on('exit', () => appendFileSync(${JSON.stringify(place.at('peaks'))}, process.resourceUsage().maxRSS + ' ' + (process.argv[1] ?? '') + '\\n'));\n`);
    const steps = ['hello', 'turn=flood:100', 'close'];
    const env = { NODE_OPTIONS: `--import=${place.at('peak.mjs')}`, PLAYHEAD_STALL_MS: '20000' };
    const recorded = await place.playhead(['wrap', 'codex', '--record', place.at('tape'), '--', ...place.client(steps)], { env });
    assert.equal(recorded.code, 0, recorded.stderr);
    assert.ok(statSync(place.at('tape/provider/frames.jsonl')).size > 100 * 1024 * 1024);
    const first = place.events();
    const result = await place.replay('tape', steps, { env });
    expectPassed(result);
    const turn = (events) => events.find(({ event }) => event === 'turn');
    assert.equal(turn(first).deltaCount, 1600);
    assert.equal(turn(place.events()).deltaCount, 1600);
    const peaks = readFileSync(place.at('peaks'), 'utf8').trim().split('\n').filter((line) => line.includes('cli.js')).map((line) => Number.parseInt(line, 10));
    const standIns = [first, place.events()].map((events) => events.find(({ event }) => event === 'closed').peakKib);
    assert.equal(peaks.length, 2);
    console.log(`      peak memory in MiB: command line ${peaks.map(mebi).join(' and ')}, stand-in ${standIns.map(mebi).join(' and ')} (record and replay)`);
    for (const peak of [...peaks, ...standIns]) assert.ok(peak > 0 && peak < peakKibMax, `${mebi(peak)} MiB`);
  }), { limitMs: 60_000, isAlone: true });

  check('a line of 9 MB that projection leaves alone is recorded and replayed', () => inPlace(async (place) => {
    const steps = ['hello', 'turn=long', 'close'];
    await place.record('tape', steps);
    expectPassed(await place.replay('tape', steps));
    assert.ok(place.events().find(({ event }) => event === 'turn').byteCount > 9 * 1024 * 1024);
  }));

  for (const [name, step] of [['that projection changes', 'turn=longPath'], ['that the product sends', 'long']])
    check(`a line of 9 MB ${name} is over the limit of one chunk`, () => inPlace(async (place) => {
      const result = await place.playhead(['wrap', 'codex', '--record', place.at('tape'), '--json', '--', ...place.client(['hello', step, 'closed'])]);
      const fault = expectFault({ ...result, document: JSON.parse(result.stdout) }, { code: 'frame_too_large', exitCode: 2, message: /has \d+ bytes, at most 8388608/ });
      assert.match(fault.at, /connection-1/);
      // Fail closed: the program is ended too, and the backend hears why.
      const closed = place.events().find(({ event }) => event === 'closed');
      assert.equal(closed.code, 70);
      assert.match(closed.errors, /at most 8388608 were expected/);
      assert.throws(() => readFileSync(place.at('tape/provider/manifest.json')));
    }));
}

const mebi = (kib) => Math.round(kib / 1024);
