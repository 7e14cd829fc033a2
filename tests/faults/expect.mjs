/** What every refusal owes: its own code, its exit code, a sentence, a place and a next step, in bounded time. */

import assert from 'node:assert/strict';

const boundMs = 15_000;

/** A run that ended with a divergence: exit 1, layer and code, a position and a command to go on with. */
export function expectDivergence(result, { layer, code, message = /./, place = true, withinMs = boundMs }) {
  const { divergence } = result.verdict ?? {};
  assert.ok(divergence, `a divergence was expected: ${result.stdout}\n${result.stderr}`);
  assert.equal(`${divergence.layer}/${divergence.code}`, `${layer}/${code}`, divergence.message);
  assert.equal(result.code, 1);
  assert.equal(result.verdict.result, 'failed');
  assert.equal(result.verdict.layers[layer].status, 'failed');
  expectSentence(divergence.message, message);
  if (place) assert.ok(divergence.position, 'it has no place');
  assert.ok(divergence.next.length > 0, 'it has no next step');
  assert.ok(result.ms < withinMs, `it took ${result.ms} ms`);
  return divergence;
}

/** A run that ended with a fault inside a verdict (the tape was readable), or before there was one. */
export function expectFault(result, { code, exitCode, message = /./, next = /./, withinMs = boundMs }) {
  const fault = result.verdict?.fault ?? result.document?.error ?? result.document?.verdicts?.[0]?.fault;
  assert.ok(fault, `a fault was expected: ${result.stdout}\n${result.stderr}`);
  assert.equal(fault.code, code, fault.message);
  assert.equal(result.code, exitCode);
  expectSentence(fault.message, message);
  assert.match(fault.next.join('\n'), next);
  assert.ok(result.ms < withinMs, `it took ${result.ms} ms`);
  return fault;
}

export function expectPassed(result, code = 0) {
  const { divergence, fault, checkpoints = [] } = result.verdict ?? {};
  // How far it came, and when: a run that was merely slow shows it here.
  const reached = checkpoints.map(({ name, wallMs }) => `${name} ${Math.round(wallMs)} ms`).join(', ');
  assert.equal(result.verdict?.result, 'passed', `${JSON.stringify(divergence ?? fault)}\nreached: ${reached}\n${result.stderr}`);
  assert.equal(result.code, code);
}

function expectSentence(text, pattern) {
  assert.match(text, /^Cannot [a-z]/);
  assert.match(text, pattern);
  assert.doesNotMatch(text.split('\n')[0], /!|\.$|n't\b/);
}
