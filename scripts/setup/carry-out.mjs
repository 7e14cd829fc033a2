/** Carries a plan out: says each step, runs what is missing, and looks again whether it is there now. */

import { hashSources, writeStamp } from './build-stamp.mjs';
import { createFault } from './fault.mjs';
import { EXCERPT_LINES, REASON_LINES } from './limits.mjs';
import { planSetup } from './plan.mjs';
import { surveyMachine } from './survey.mjs';

/** Sets the repository up; throws a fault where the machine cannot give what is needed. */
export async function setUp({ world, isAll }) {
  const steps = planSetup(await surveyMachine(world), { isAll });
  refuseBlocked(steps);
  let hasActed = false;
  for (const step of steps) {
    if (step.status !== 'missing') say(world, step.name, step.status, step.detail);
    else hasActed = (await install(world, step)) || hasActed;
  }
  if (hasActed) await checkAgain({ world, isAll });
}

function refuseBlocked(steps) {
  const blocked = steps.filter((step) => step.status === 'blocked');
  if (blocked.length === 0) return;
  const packages = blocked.flatMap((step) => step.aptPackage ?? []);
  const { is, needed, next } = blocked[0];
  throw createFault({
    code: 'setup_blocked',
    message: `Cannot install ${blocked.map((step) => step.name).join(', ')}: ${is}, ${needed} was needed`,
    next: packages.length === 0 ? next : `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`,
  });
}

/** True where the step is in place; an optional one that fails is said and left. */
async function install(world, step) {
  say(world, step.name, 'missing', step.detail);
  const startMs = world.nowMs();
  const failed = await runActions(world, step.actions);
  const seconds = `${((world.nowMs() - startMs) / 1000).toFixed(1)} s`;
  if (failed === null) {
    say(world, step.name, 'installed', seconds);
    return true;
  }
  if (step.loses === undefined) throw faultOf(step, failed);
  say(world, step.name, 'lost', step.loses);
  for (const line of failed.tail.trim().split('\n').slice(-REASON_LINES)) say(world, '', '', line.trim());
  return false;
}

async function runActions(world, actions) {
  for (const action of actions) {
    const { code, tail, isTimedOut } = await act(world, action);
    if (code !== 0 && !action.isTolerated) return { action, code, tail, isTimedOut };
  }
  return null;
}

async function act(world, action) {
  switch (action.kind) {
    case 'run': return world.run(action);
    case 'link': world.link(action.file, action.target); return DONE;
    case 'build': return build(world);
  }
}

const DONE = { code: 0, tail: '', isTimedOut: false };

async function build(world) {
  const sources = hashSources(world);
  const result = await world.run(BUILD);
  if (result.code === 0) writeStamp(world, sources);
  return result;
}

const BUILD = { command: 'npm', args: ['run', '-s', 'build'] };

function faultOf(step, { action, code, tail, isTimedOut }) {
  const { command, args, cwd = '.' } = action.kind === 'build' ? BUILD : action;
  const line = [command, ...args].join(' ');
  return createFault({
    code: step.isOurs ? 'build_failed' : 'step_failed',
    message: `Cannot ${step.isOurs ? 'build dist' : `install ${step.name}`}: "${line}" ${isTimedOut ? 'did not end in time' : `ended with ${code}`}, 0 was needed`,
    next: cwd === '.' ? line : `(cd ${cwd} && ${line})`,
    output: excerpt(tail),
    ...(step.isOurs ? { exitCode: 1 } : {}),
  });
}

/** The start and the end of what a command said: npm gives its reason first, a compiler last. */
function excerpt(text) {
  const lines = text.trimEnd().split('\n');
  if (lines.length <= 2 * EXCERPT_LINES) return lines.join('\n');
  return [...lines.slice(0, EXCERPT_LINES), `(${lines.length - 2 * EXCERPT_LINES} lines left out)`, ...lines.slice(-EXCERPT_LINES)].join('\n');
}

/** A command may end well and leave nothing, so the same survey is asked again. */
async function checkAgain({ world, isAll }) {
  const left = planSetup(await surveyMachine(world), { isAll }).find((step) => step.status === 'missing' && step.loses === undefined);
  if (left === undefined) return;
  throw createFault({
    code: 'step_without_effect',
    message: `Cannot finish the set-up: ${left.name} is still missing (${left.detail}), ${left.needs} was needed`,
    next: left.detail.startsWith('apt-get install') ? left.detail.replace('install', 'install --reinstall') : 'run the command again',
  });
}

function say(world, name, status, detail) {
  world.print(`  ${name.padEnd(14)} ${status.padEnd(10)} ${detail}`);
}
