/** What the command line prints: one document on stdout with --json, everything else for people (interface.md, CLI). */

import { existsSync } from 'node:fs';
import colors from 'picocolors';
import { faultCatalogue } from '../core/fault-catalogue.ts';
import { toFault, type Fault } from '../core/fault.ts';
import type { Verdict } from '../core/verdict/verdict.ts';
import { escapeJsonText, firstScreen, sanitiseForTerminal } from '../core/verdict/first-screen.ts';
import { nextSteps, type Known } from './next-steps.ts';

/** What is ours in a line: spaces and a coloured mark before its text, dimmed words behind it. */
export type Look = { mark?: 'good' | 'bad' | 'changed' | 'warning'; dim?: string; indent?: number };

/** One line on stderr. Its text may come from a tape and is made harmless; more lines are more calls. */
export function say(text: string, look: Look = {}): void {
  process.stderr.write(lineOf(text, look));
}

/** One line on stdout, for the verbs whose answer it is. */
export function print(text: string, look: Look = {}): void {
  process.stdout.write(lineOf(text, look));
}

function lineOf(text: string, { mark, dim, indent = 0 }: Look): string {
  const marks = { good: colors.green('✓'), bad: colors.red('✗'), changed: colors.yellow('≠'), warning: colors.yellow('!') };
  return `${' '.repeat(indent)}${mark ? `${marks[mark]} ` : ''}${sanitiseForTerminal(text)}${dim ? `  ${colors.dim(sanitiseForTerminal(dim))}` : ''}\n`;
}

/** The first document is the only one: an interrupted run may still come to its own. */
export function printJson(value: unknown): void {
  if (isPrinted) return;
  isPrinted = true;
  process.stdout.write(`${escapeJsonText(JSON.stringify(value, null, 2))}\n`);
}

let isPrinted = false;

export function printInterrupted(signal: string): void {
  printJson({ schemaVersion: 1, error: { code: 'interrupted', message: `Cannot go on: ${signal} came, an uninterrupted run was needed`, at: null, facts: { signal }, next: ['Run it again'] } });
}

/** Prints an error in the shape that was asked for; gives the exit code. */
export function printError(error: unknown, options: { isJson: boolean; known: Known }): number {
  const fault = toFault(error, 'go on');
  if (options.isJson) printJson({ schemaVersion: 1, error: errorOf(fault, options.known) });
  else sayFault(fault, options.known);
  return fault.exitCode;
}

export function sayFault(fault: Fault, known: Known): void {
  say(fault.message, { mark: 'bad' });
  if (fault.at) say(`  at    ${fault.at}`);
  for (const step of nextSteps(fault.next, known)) say(`  next  ${step}`);
  say(`  see   docs/errors.md#${fault.code}`);
}

/** An error as every document with exit code 2 or 3 holds it. */
export function errorOf({ code, message, at, facts, next }: Fault, known: Known) {
  return { code, message, at, facts, next: nextSteps(next, known) };
}

/** The worst of several results: faulted, failed, passed. */
export function worstOf(verdicts: readonly Verdict[]): Verdict['result'] {
  return verdicts.some((verdict) => verdict.result === 'faulted') ? 'faulted' : verdicts.some((verdict) => verdict.result === 'failed') ? 'failed' : 'passed';
}

export function exitCodeOf(verdicts: readonly Verdict[]): number {
  const faulted = worstFault(verdicts);
  return faulted ? exitOf(faulted.code) : worstOf(verdicts) === 'failed' ? 1 : 0;
}

/** Verdicts in the shape that was asked for, with what kept others from being there; gives the exit code. */
export function printVerdicts(verdicts: readonly Verdict[], options: { fault: Fault | null; isJson: boolean; known: Known }): number {
  const { fault, known } = options;
  const filled = verdicts.map((verdict) => withSteps(verdict, known));
  if (options.isJson) printDocument(filled, fault && errorOf(fault, known));
  else {
    for (const verdict of filled) printVerdict(verdict);
    if (fault) sayFault(fault, known);
  }
  return Math.max(exitCodeOf(verdicts), fault?.exitCode ?? 0);
}

// One document with every verdict, and with an error where the exit code is 2 or 3.
function printDocument(verdicts: readonly Verdict[], error: ReturnType<typeof errorOf> | null): void {
  const fault = worstFault(verdicts);
  const ofVerdict = fault && exitOf(fault.code) > 1 ? { code: fault.code, message: fault.message, at: null, facts: {}, next: fault.next } : null;
  const shown = ofVerdict ?? error;
  printJson({ schemaVersion: 1, ...(shown ? { error: shown } : {}), result: error && worstOf(verdicts) === 'passed' ? 'failed' : worstOf(verdicts), verdicts });
}

// A verdict knows its own case better than the command line, which may name several; its paths are those of the run's folder.
function withSteps(verdict: Verdict, known: Known): Verdict {
  const { divergence, fault } = verdict;
  const ofCase = verdict.case?.path ?? '';
  const { dir } = verdict.cassette;
  const own = { ...known, ...(existsSync(ofCase) ? { cases: [ofCase] } : {}), ...(existsSync(dir) ? { cassettes: [dir] } : {}) };
  const follow = (steps: string[]) => nextSteps(steps.map((step) => reopened(reopened(step, { path: ofCase, place: '<case>' }), { path: dir, place: '<cassette>' })), own);
  return { ...verdict, divergence: divergence && { ...divergence, next: follow(divergence.next) }, fault: fault && { ...fault, next: follow(fault.next) } };
}

// A path that is none from here is asked of the command line again.
function reopened(step: string, { path, place }: { path: string; place: string }): string {
  return path !== '' && !existsSync(path) && step.endsWith(` ${path}`) ? `${step.slice(0, -path.length)}${place}` : step;
}

function worstFault(verdicts: readonly Verdict[]): Verdict['fault'] {
  const faults = verdicts.flatMap((verdict) => (verdict.result === 'faulted' && verdict.fault ? [verdict.fault] : []));
  return faults.toSorted((a, b) => exitOf(b.code) - exitOf(a.code))[0] ?? null;
}

function exitOf(code: string): number {
  return (faultCatalogue as { [code: string]: { exitCode: number } })[code]?.exitCode ?? 3;
}

function printVerdict(verdict: Verdict): void {
  const { divergence, fault } = verdict;
  const name = verdict.case ? verdict.case.name : verdict.cassette.name;
  const layers = Object.entries(verdict.layers).filter(([, layer]) => layer.status !== 'not_recorded').map(([layer, { status, checked }]) => `${layer} ${status === 'passed' ? checked : status.replace('_', ' ')}`);
  say(`${name}${verdict.case && verdict.cassette.name ? ` › ${verdict.cassette.name}` : ''}`, { mark: verdict.result === 'passed' ? 'good' : 'bad', dim: layers.join(' · ') });
  const screen = divergence ? firstScreen(divergence, { caseName: verdict.case?.name ?? null }).split('\n') : [];
  const trouble = fault ? [fault.message, ...fault.next.map((next) => `next  ${next}`), `see   docs/errors.md#${fault.code}`] : [];
  for (const line of [...screen, ...trouble]) say(line === '' ? '' : `  ${line}`);
}
