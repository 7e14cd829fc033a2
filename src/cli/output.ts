/** What the command line prints: one document on stdout with --json, everything else for people (interface.md, CLI). */

import colors from 'picocolors';
import { toFault } from '../core/fault.ts';
import type { Verdict } from '../core/verdict/verdict.ts';
import { firstScreen } from '../core/verdict/first-screen.ts';

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Prints an error in the shape that was asked for; gives the exit code. */
export function printError(error: unknown, isJson: boolean): number {
  const fault = toFault(error, 'go on');
  const { code, message, at, facts, next } = fault;
  if (isJson) printJson({ schemaVersion: 1, error: { code, message, at, facts, next } });
  else {
    say(`${colors.red('✗')} ${message}`);
    if (at) say(`  at    ${at}`);
    for (const step of next) say(`  next  ${step}`);
    say(`  see   docs/errors.md#${code}`);
  }
  return fault.exitCode;
}

/** The worst of several results: faulted, failed, passed. */
export function worstOf(verdicts: readonly Verdict[]): Verdict['result'] {
  return verdicts.some((verdict) => verdict.result === 'faulted') ? 'faulted' : verdicts.some((verdict) => verdict.result === 'failed') ? 'failed' : 'passed';
}

export function exitCodeOf(verdicts: readonly Verdict[]): number {
  const worst = worstOf(verdicts);
  return worst === 'faulted' ? 3 : worst === 'failed' ? 1 : 0;
}

export function printVerdict(verdict: Verdict): void {
  const name = verdict.case ? verdict.case.name : verdict.cassette.name;
  const mark = verdict.result === 'passed' ? colors.green('✓') : colors.red('✗');
  const layers = Object.entries(verdict.layers).filter(([, layer]) => layer.status !== 'not_recorded').map(([layer, { status, checked }]) => `${layer} ${status === 'passed' ? checked : status.replace('_', ' ')}`);
  say(`${mark} ${name}${verdict.case && verdict.cassette.name ? ` › ${verdict.cassette.name}` : ''}  ${colors.dim(layers.join(' · '))}`);
  if (verdict.divergence) say(indent(firstScreen(verdict.divergence, { caseName: verdict.case?.name ?? null })));
  if (verdict.fault) say(indent([verdict.fault.message, ...verdict.fault.next.map((next) => `next  ${next}`), `see   docs/errors.md#${verdict.fault.code}`].join('\n')));
}

function indent(text: string): string {
  return text.split('\n').map((line) => (line === '' ? '' : `  ${line}`)).join('\n');
}
