/**
 * What must not stand on a tape (cassette-contract A6, design ruling 12). Findings name the place, never the value.
 * The contract's part is asked of every tape; roots, host and user are known only while it is recorded.
 */

import { childPath } from '../json/compare.ts';
import { isObject, isRawNumber, member, type Json } from '../json/exact.ts';
import { isBlank, trim } from '../json/read.ts';
import { limits } from '../limits.ts';
import { isSearchable } from './roots.ts';
import { accountPlaceholder, contractPathFields, isNamed, type ProjectionRules } from './rules.ts';

export type AuditCode = 'credential_method' | 'recording_sensitive' | 'recording_not_portable';
export type AuditFinding = { code: AuditCode; method: string | null; path: string; is: string };

/** Facts of the recording machine that may not remain in a message. */
export type MachineFacts = { roots: readonly string[]; host: string; user: string };

/** What of the rules the audit asks for. */
export type AuditRules = Pick<ProjectionRules, 'credentialMethods' | 'freeTextFields'>;

/** Every finding in one message, which is nested no deeper than `limits.nestingMax` (`isClean` says so). */
export function auditMessage(message: Json, rules: AuditRules, machine: MachineFacts | null): AuditFinding[] {
  const method = member(message, 'method');
  const methodName = typeof method === 'string' ? method : null;
  const found: AuditFinding[] = [];
  const report: Report = (code, path, is) => void found.push({ code, method: methodName, path, is });
  if (isNamed(rules.credentialMethods, method)) report('credential_method', '$.method', 'a credential method was called');
  const facts = machine && { roots: machine.roots.filter(isSearchable), names: [machine.host, machine.user].filter(isTelling) };
  visit(message, '$', { rules, facts, report, isFreeText: false });
  return found;
}

type Report = (code: AuditCode, path: string, is: string) => void;
type Visit = { rules: AuditRules; facts: { roots: string[]; names: string[] } | null; report: Report; isFreeText: boolean };

function visit(value: Json, path: string, to: Visit): void {
  if (typeof value === 'string') auditText(value, path, to);
  else if (Array.isArray(value)) value.forEach((item, i) => visit(item, `${path}[${i}]`, to));
  else if (isObject(value))
    for (const key of Object.keys(value)) {
      const name = fieldNameOf(key);
      // A name that may itself be a path or an address is not repeated.
      const below = /[/\\@]/.test(key) ? `${path}["…"]` : childPath(path, key);
      auditSensitive(name, value[key] as Json, below, to.report);
      if (contractPathFields.has(name)) auditAbsolute(value[key] as Json, below, to.report);
      auditText(key, below, to);
      visit(value[key] as Json, below, { ...to, isFreeText: to.isFreeText || to.rules.freeTextFields.has(name) });
    }
}

function auditSensitive(name: string, value: Json, path: string, report: Report): void {
  if (!isSensitive(name, value)) return;
  report('recording_sensitive', path, name === 'email' ? 'an e-mail address remains' : secretFields.has(name) ? 'a credential remains' : 'an account id remains');
}

function isSensitive(name: string, value: Json): boolean {
  if (name === 'email') return typeof value === 'string' && !isBlank(value) && value !== accountPlaceholder;
  if (secretFields.has(name)) return typeof value === 'string' ? !isBlank(value) : typeof value === 'object' && value !== null && !isRawNumber(value);
  return accountFields.has(name) && value !== null && !(typeof value === 'string' && isBlank(value));
}

function auditAbsolute(value: Json, path: string, report: Report): void {
  if (Array.isArray(value)) return value.forEach((item, i) => auditAbsolute(item, `${path}[${i}]`, report));
  if (typeof value === 'string' && isAbsolute(value)) report('recording_not_portable', path, 'a non-portable path remains');
}

function isAbsolute(value: string): boolean {
  return absolutePath.test(trim(value).replace(/^file:\/\//, ''));
}

/**
 * Whether `auditMessage` would find nothing that the contract forbids, in a message that is not nested too deep. It runs over
 * every message of a tape: names are looked up once and no path is built.
 */
export function isClean(message: Json, credentialMethods: readonly string[]): boolean {
  if (credentialMethods.length > 0 && isNamed(credentialMethods, member(message, 'method'))) return false;
  return isCleanBelow(message, limits.nestingMax);
}

function isCleanBelow(value: Json, depthLeft: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depthLeft === 0) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isCleanBelow(value[i] as Json, depthLeft - 1)) return false;
    return true;
  }
  const members = value as { [key: string]: Json };
  for (const key in members) {
    const below = members[key] as Json;
    const rule = fieldRules.get(key) ?? fieldRuleOf(key);
    if (rule === pathRule ? holdsAbsolute(below, depthLeft - 1) : rule !== noRule && isSensitive(rule, below)) return false;
    if (typeof below === 'object' && below !== null && !isCleanBelow(below, depthLeft - 1)) return false;
  }
  return true;
}

// Lists below a path member that lie too deep are found when they are walked as ordinary values.
function holdsAbsolute(value: Json, depthLeft: number): boolean {
  if (typeof value === 'string') return isAbsolute(value);
  return Array.isArray(value) && depthLeft > 0 && value.some((item) => holdsAbsolute(item, depthLeft - 1));
}

function fieldRuleOf(key: string): string {
  const name = fieldNameOf(key);
  const rule = contractPathFields.has(name) ? pathRule : name === 'email' || secretFields.has(name) || accountFields.has(name) ? name : noRule;
  // A message may have any names: only so many are remembered.
  if (fieldRules.size < fieldRuleCountMax && key.length < 64) fieldRules.set(key, rule);
  return rule;
}

// Note: the reference lowers a dotted capital I to a plain one, JavaScript to an i with a dot.
function fieldNameOf(key: string): string {
  return trim(key).replaceAll('\u0130', 'i').toLowerCase();
}

function auditText(text: string, path: string, to: Visit): void {
  if (!to.facts) return;
  if (to.facts.roots.some((root) => text.includes(root))) to.report('recording_not_portable', path, 'a folder of the recording machine remains');
  if (!to.isFreeText && to.facts.names.some((name) => holdsWord(text, name)))
    to.report('recording_not_portable', path, 'the host or user name remains');
}

/** Names that say nothing about a person or machine, or that hit ordinary words, are not looked for. */
export function isTelling(name: string): boolean {
  return name.length >= 3 && !['root', 'user', 'node', 'host', 'localhost', 'runner', 'admin'].includes(name.toLowerCase());
}

export function holdsWord(text: string, word: string): boolean {
  let at = text.indexOf(word);
  for (; at >= 0; at = text.indexOf(word, at + 1))
    if (!/\w/.test(text[at - 1] ?? ' ') && !/\w/.test(text[at + word.length] ?? ' ')) return true;
  return false;
}

const secretFields = new Set(['accesstoken', 'refreshtoken', 'apikey', 'authorization']);
const accountFields = new Set(['chatgptaccountid', 'accountid', 'creatoraccountuserid']);
const absolutePath = /^([/\\]|[A-Za-z]:[/\\])/;
const noRule = '';
const pathRule = 'path';
const fieldRules = new Map<string, string>();
const fieldRuleCountMax = 4_096;
