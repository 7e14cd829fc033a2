/** What a wrapped backend may do with the provider: not start it, probe it, end it in every way, or lose it. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { expectDivergence, expectFault, expectPassed } from './expect.mjs';
import { inPlace } from './place.mjs';

const asked = 'item/commandExecution/requestApproval';
const approve = ['hello', 'begin=approve', `wait=${asked}`];

export function checkLaunches(check) {
  check('a command that never starts the provider was not intercepted', () => inPlace(async (place) => {
    await place.record('tape', ['hello', 'turn=hello', 'close']);
    const result = await place.replay('tape', ['say=done', 'exit=0']);
    expectFault(result, { code: 'provider_not_intercepted', exitCode: 3, next: /doctor --wrap/ });
    assert.equal(result.verdict.result, 'faulted');
  }));

  check('a provider started by its absolute path was not intercepted, and finds an empty home', () => inPlace(async (place) => {
    await place.record('tape', ['hello', 'turn=hello', 'close']);
    const result = await place.replay('tape', [`@program=${place.at('bin/codex')}`, 'env=HOME', 'env=CODEX_HOME', 'hello', 'turn=hello', 'close']);
    expectFault(result, { code: 'provider_not_intercepted', exitCode: 3, message: /started no codex by name/ });
    for (const { value } of place.events().filter(({ event }) => event === 'env')) assert.match(value, /playhead-.*\/home$/);
  }));

  check('a version probe is answered from the tape, as often as it is asked, whatever is installed', () => inPlace(async (place) => {
    await place.record('tape', ['probe=--version', 'hello', 'turn=hello', 'close']);
    const result = await place.replay('tape', ['probe=--version', 'probe=--version', 'hello', 'turn=hello', 'probe=--version', 'close'], { env: { FAKE_CODEX_VERSION: '9.9.9' } });
    expectPassed(result);
    assert.deepEqual(place.events().filter(({ event }) => event === 'probe').map(({ text }) => text), ['codex-cli 0.171.0', 'codex-cli 0.171.0', 'codex-cli 0.171.0']);
  }));

  check('a version probe that was not recorded is answered with the recorded version', () => inPlace(async (place) => {
    await place.record('tape', ['hello', 'turn=hello', 'close']);
    expectPassed(await place.replay('tape', ['probe=--version', 'hello', 'turn=hello', 'close'], { env: { FAKE_CODEX_VERSION: '9.9.9' } }));
    assert.equal(place.events().find(({ event }) => event === 'probe').text, 'codex-cli 0.171.0');
  }));

  check('a recorded probe keeps its output and exit code; it may stay away', () => inPlace(async (place) => {
    await place.record('tape', ['probe=login status', 'hello', 'turn=hello', 'close']);
    expectPassed(await place.replay('tape', ['probe=login status', 'hello', 'turn=hello', 'close']));
    const probe = place.events().find(({ event }) => event === 'probe');
    assert.deepEqual([probe.code, probe.errors], [2, 'codex: unknown arguments login status']);
    expectPassed(await place.replay('tape', ['hello', 'turn=hello', 'close']));
  }));

  check('another probe than the recorded ones is a launch without a match', () => inPlace(async (place) => {
    await place.record('tape', ['hello', 'turn=hello', 'close']);
    const result = await place.replay('tape', ['probe=login status', 'hello', 'turn=hello', 'close']);
    expectDivergence(result, { layer: 'transport', code: 'launch_unmatched', message: /"codex login status"/, place: false });
    assert.equal(place.events().find(({ event }) => event === 'probe').code, 71);
  }));

  check('a second session that was not recorded is refused at once', () => inPlace(async (place) => {
    await place.record('tape', ['hello', 'turn=hello', 'close']);
    const result = await place.replay('tape', ['hello', 'turn=hello', 'close', 'again', 'open', 'closed']);
    expectDivergence(result, { layer: 'transport', code: 'launch_unmatched', place: false });
  }));

  check('a stand-in that is killed while an approval is pending is lost at once', () => inPlace(async (place) => {
    await place.record('tape', [...approve, 'answer=accept', 'wait=turn/completed', 'close']);
    const result = await place.replay('tape', [...approve, 'signal=SIGKILL', 'hang'], { env: { PLAYHEAD_STALL_MS: '60000' } });
    const divergence = expectDivergence(result, { layer: 'transport', code: 'shim_lost', message: /went away without an end/ });
    assert.match(divergence.causes[0].text, /SIGKILL/);
  }));

  check('a command that ignores SIGTERM is killed after a divergence', () => inPlace(async (place) => {
    await place.record('tape', [...approve, 'answer=accept', 'wait=turn/completed', 'close']);
    const result = await place.replay('tape', ['ignore=SIGTERM', ...approve, 'signal=SIGKILL', 'hang'], { env: { PLAYHEAD_STALL_MS: '60000' } });
    expectDivergence(result, { layer: 'transport', code: 'shim_lost' });
  }));

  check('a launch that finds no socket behind its folder is lost', () => inPlace(async (place) => {
    await place.record('tape', ['hello', 'turn=hello', 'close']);
    const result = await place.replay('tape', ['unlink', 'hello', 'closed']);
    expectDivergence(result, { layer: 'transport', code: 'shim_lost' });
    const closed = place.events().find(({ event }) => event === 'closed');
    assert.equal(closed.code, 70);
    assert.match(closed.errors, /^Cannot go on as "codex": .*docs\/errors\.md#shim_lost/);
  }));

  check('half a line at the end of stdin is an unfinished message', () => inPlace(async (place) => {
    await place.record('tape', ['hello', 'turn=hello', 'close']);
    const result = await place.replay('tape', ['hello', 'half']);
    const divergence = expectDivergence(result, { layer: 'protocol', code: 'outbound_unfinished', message: /19 bytes without an end of line/ });
    assert.match(divergence.live, /turn\/sta/);
  }));

  check('a backend that dies in mid-turn leaves its answer missing', () => inPlace(async (place) => {
    await place.record('tape', [...approve, 'answer=accept', 'wait=turn/completed', 'close']);
    const result = await place.replay('tape', [...approve, 'exit=9']);
    expectDivergence(result, { layer: 'protocol', code: 'outbound_missing', message: /awaits response 0/ });
  }));

  check('a backend that stops after the first of two turns leaves the second missing', () => inPlace(async (place) => {
    await place.record('tape', ['hello', 'turn=hello', 'turn=hello', 'close']);
    const result = await place.replay('tape', ['hello', 'turn=hello', 'hang']);
    expectDivergence(result, { layer: 'protocol', code: 'outbound_missing', message: /awaits "turn\/start"/ });
  }));

  check('a backend that leaves without its session leaves a connection that was never started', () => inPlace(async (place) => {
    await place.record('tape', ['hello', 'turn=hello', 'close', 'again', 'hello', 'turn=hello', 'close']);
    const result = await place.replay('tape', ['hello', 'turn=hello', 'close']);
    expectDivergence(result, { layer: 'transport', code: 'connection_not_selected', message: /connection-2 was never started/ });
  }));

  check('stdin that ends in mid-stream ends the stand-in of a tape that was killed there', () => inPlace(async (place) => {
    const steps = ['hello', 'begin=stream', 'wait=delta'];
    await place.record('tape', [...steps, 'signal=SIGTERM']);
    expectPassed(await place.replay('tape', [...steps, 'close']));
    assert.equal(place.events().at(-1).code, 0);
  }));

  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    check(`${name} to the stand-in ends it with the recorded exit code`, () => inPlace(async (place) => {
      await place.record('tape', ['hello', 'begin=stay', 'wait=turn/started', `signal=${name}`]);
      const [recorded] = place.events().filter(({ event }) => event === 'closed');
      assert.match(readFileSync(place.at('tape/provider/frames.jsonl'), 'utf8'), new RegExp(`"message":"signal:${name}"`));
      for (const end of [`signal=${name}`, 'signal=SIGTERM', 'close']) {
        expectPassed(await place.replay('tape', ['hello', 'begin=stay', 'wait=turn/started', end]));
        assert.equal(place.events().find(({ event }) => event === 'closed').code, recorded.code, end);
      }
    }));

  check('an exit code of the provider itself comes in order and as it was', () => inPlace(async (place) => {
    const steps = ['hello', 'turn=leave:5', 'closed'];
    await place.record('tape', steps);
    expectPassed(await place.replay('tape', steps));
    assert.equal(place.events().at(-1).code, 5);
  }));

  check('the exit code of the command is kept where the tape is clean', () => inPlace(async (place) => {
    await place.record('tape', ['hello', 'turn=hello', 'close']);
    expectPassed(await place.replay('tape', ['hello', 'turn=hello', 'close', 'exit=7']), 7);
  }));

  for (const options of ['--import~/nowhere/missing.mjs', '--inspect-brk~0', '--require~/nowhere/missing.cjs'])
    check(`NODE_OPTIONS ${options.replace('~', '=')} of the backend does not reach the stand-in`, () => inPlace(async (place) => {
      const steps = [`@nodeOptions=${options}`, 'hello', 'turn=hello', 'close'];
      await place.record('tape', steps);
      expectPassed(await place.replay('tape', steps));
    }));

  check('a backend that passes on PATH alone reaches its test', () => inPlace(async (place) => {
    const steps = ['@allow=PATH', 'hello', 'turn=hello', 'close'];
    await place.record('tape', steps);
    expectPassed(await place.replay('tape', steps));
  }));

  check('spaces, quotes and dollars in the temporary folder change nothing', () => inPlace(async (place) => {
    const steps = ['hello', 'turn=hello', 'close'];
    await place.record('tape', steps);
    expectPassed(await place.replay('tape', steps));
    assert.match(place.temp, / /);
  }, { deep: `a 'b" $c` }));

  for (const mode of ['--record', '--replay'])
    check(`a temporary folder that is too deep for a socket names TMPDIR (${mode})`, () => inPlace(async (place) => {
      const made = mode === '--replay' ? (await place.record('tape', ['hello', 'turn=hello', 'close'].slice(0)).catch(() => null)) : null;
      assert.equal(made, null);
      const result = await place.playhead(['wrap', 'codex', mode, mode === '--replay' ? sampleCase : place.at('tape'), '--json', '--', 'true']);
      const fault = expectFault({ ...result, document: JSON.parse(result.stdout) }, { code: 'socket_path_too_long', exitCode: 3, message: /has \d+ bytes, at most 107/, next: /TMPDIR/ });
      assert.match(fault.at, /tape\.sock$/);
    }, { deep: 'd'.repeat(110) }));

  check('without the real program a recording is refused, and the backend hears it', () => inPlace(async (place) => {
    const result = await place.playhead(['wrap', 'codex', '--record', place.at('tape'), '--json', '--', ...place.client(['open', 'closed'])], { env: { PATH: `/usr/bin:/bin:${place.env.PATH.split(':')[1]}` } });
    expectFault({ ...result, document: JSON.parse(result.stdout) }, { code: 'provider_missing', exitCode: 3, message: /no real program stands behind it on PATH/ });
    assert.equal(place.events().at(-1).code, 70);
  }, { codex: null }));

  check('a recording whose backend closed stdin in mid-stream is not sealed', () => inPlace(async (place) => {
    const result = await place.playhead(['wrap', 'codex', '--record', place.at('tape'), '--json', '--', ...place.client(['hello', 'begin=stream', 'wait=delta', 'close'])]);
    expectFault({ ...result, document: JSON.parse(result.stdout) }, { code: 'recording_failed', exitCode: 3, message: /has no turn\/completed/ });
  }));

  check('a recording whose provider left a turn open is not sealed', () => inPlace(async (place) => {
    const result = await place.playhead(['wrap', 'codex', '--record', place.at('tape'), '--json', '--', ...place.client(['hello', 'begin=drop:3', 'closed'])]);
    const fault = expectFault({ ...result, document: JSON.parse(result.stdout) }, { code: 'recording_failed', exitCode: 3, message: /has no turn\/completed/ });
    assert.deepEqual(fault.facts.codes, ['turn_open']);
    assert.throws(() => readFileSync(place.at('tape/provider/manifest.json')));
  }));
}

// Every replay here ends before a frame is played.
const sampleCase = new URL('../../cases/chat-hello/cassettes/main', import.meta.url).pathname;
