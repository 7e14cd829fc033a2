/** What the command line prints: one document on stdout with --json, everything else for people (interface.md, CLI). */

import colors from 'picocolors';
import { faultCatalogue } from '../core/fault-catalogue.ts';
import { toFault, type Fault } from '../core/fault.ts';
import type { Verdict } from '../core/verdict/verdict.ts';
import { firstScreen } from '../core/verdict/first-screen.ts';

/** The first document is the only one: an interrupted run may still come to its own. */
export function printJson(value: unknown): void {
  if (isPrinted) return;
  isPrinted = true;
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

let isPrinted = false;

export function printInterrupted(signal: string): void {
  printJson({ schemaVersion: 1, error: { code: 'interrupted', message: `Cannot go on: ${signal} came, an uninterrupted run was needed`, at: null, facts: { signal }, next: ['Run it again'] } });
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Prints an error in the shape that was asked for; gives the exit code. */
export function printError(error: unknown, isJson: boolean): number {
  const fault = toFault(error, 'go on');
  const { code, message, at, next } = fault;
  if (isJson) printJson({ schemaVersion: 1, error: errorOf(fault) });
  else {
    say(`${colors.red('✗')} ${message}`);
    if (at) say(`  at    ${at}`);
    for (const step of next) say(`  next  ${step}`);
    say(`  see   docs/errors.md#${code}`);
  }
  return fault.exitCode;
}

/** An error as every document with exit code 2 or 3 holds it. */
export function errorOf({ code, message, at, facts, next }: Fault) {
  return { code, message, at, facts, next };
}

/** The worst of several results: faulted, failed, passed. */
export function worstOf(verdicts: readonly Verdict[]): Verdict['result'] {
  return verdicts.some((verdict) => verdict.result === 'faulted') ? 'faulted' : verdicts.some((verdict) => verdict.result === 'failed') ? 'failed' : 'passed';
}

export function exitCodeOf(verdicts: readonly Verdict[]): number {
  const faulted = worstFault(verdicts);
  return faulted ? exitOf(faulted.code) : worstOf(verdicts) === 'failed' ? 1 : 0;
}

/** One document with every verdict, and with an error where the exit code is 2 or 3. */
export function printVerdicts(verdicts: readonly Verdict[]): void {
  const fault = worstFault(verdicts);
  const error = fault && exitOf(fault.code) > 1 ? { error: { code: fault.code, message: fault.message, at: null, facts: {}, next: fault.next } } : {};
  printJson({ schemaVersion: 1, ...error, result: worstOf(verdicts), verdicts });
}

function worstFault(verdicts: readonly Verdict[]): Verdict['fault'] {
  const faults = verdicts.flatMap((verdict) => (verdict.result === 'faulted' && verdict.fault ? [verdict.fault] : []));
  return faults.toSorted((a, b) => exitOf(b.code) - exitOf(a.code))[0] ?? null;
}

function exitOf(code: string): number {
  return (faultCatalogue as { [code: string]: { exitCode: number } })[code]?.exitCode ?? 3;
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
