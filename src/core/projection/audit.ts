/**
 * What must not stand on a tape (cassette-contract A6, design ruling 12). Findings name the place, never the value.
 * The contract's part is asked of every tape; roots, host and user are known only while it is recorded.
 */

import { childPath } from '../json/compare.ts';
import { isObject, member, type Json } from '../json/exact.ts';
import { isSearchable } from './roots.ts';
import { accountPlaceholder, contractPathFields, isNamed, type ProjectionRules } from './rules.ts';

export type AuditCode = 'credential_method' | 'recording_sensitive' | 'recording_not_portable';
export type AuditFinding = { code: AuditCode; method: string | null; path: string; is: string };

/** Facts of the recording machine that may not remain in a message. */
export type MachineFacts = { roots: readonly string[]; host: string; user: string };

export function auditMessage(message: Json, rules: ProjectionRules, machine: MachineFacts | null): AuditFinding[] {
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
type Visit = { rules: ProjectionRules; facts: { roots: string[]; names: string[] } | null; report: Report; isFreeText: boolean };

function visit(value: Json, path: string, to: Visit): void {
  if (typeof value === 'string') auditText(value, path, to);
  else if (Array.isArray(value)) value.forEach((item, i) => visit(item, `${path}[${i}]`, to));
  else if (isObject(value))
    for (const key of Object.keys(value)) {
      const name = key.trim().toLowerCase();
      // A name that may itself be a path or an address is not repeated.
      const below = /[/\\@]/.test(key) ? `${path}["…"]` : childPath(path, key);
      auditSensitive(name, value[key] as Json, below, to.report);
      if (contractPathFields.has(name)) auditAbsolute(value[key] as Json, below, to.report);
      auditText(key, below, to);
      visit(value[key] as Json, below, { ...to, isFreeText: to.isFreeText || to.rules.freeTextFields.has(name) });
    }
}

function auditSensitive(name: string, value: Json, path: string, report: Report): void {
  if (name === 'email' && typeof value === 'string' && value.trim() !== '' && value !== accountPlaceholder)
    report('recording_sensitive', path, 'an e-mail address remains');
  const isFilled = (typeof value === 'string' && value.trim() !== '') || (typeof value === 'object' && value !== null);
  if (secretFields.has(name) && isFilled) report('recording_sensitive', path, 'a credential remains');
  if (accountFields.has(name) && value !== null && !(typeof value === 'string' && value.trim() === ''))
    report('recording_sensitive', path, 'an account id remains');
}

function auditAbsolute(value: Json, path: string, report: Report): void {
  if (Array.isArray(value)) return value.forEach((item, i) => auditAbsolute(item, `${path}[${i}]`, report));
  if (typeof value === 'string' && /^([/\\]|[A-Za-z]:[/\\])/.test(value.trim().replace(/^file:\/\//, '')))
    report('recording_not_portable', path, 'a non-portable path remains');
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
