/** Reading `case.json`: unknown members are errors here, because a misspelt option must not pass for a default (interface.md). */

import type { IssueCode } from '../issue-catalogue.ts';
import { createIssue, type Issue } from '../issue.ts';
import { observationKinds } from '../provider/kinds.ts';
import type { Drive, Layer } from '../verdict/index.ts';
import type { Allowance, Case, CaseCassette, CheckpointName, Quarantine } from './case.ts';

export function parseCase(options: { text: string; name: string; folder: string }): { case: Case | null; issues: Issue[] } {
  const issues: Issue[] = [];
  let value: unknown;
  try {
    value = JSON.parse(options.text);
  } catch {
    return { case: null, issues: [issueAt('$', 'the file is no JSON', 'a case was needed')] };
  }
  const read = new Reader(value, '$', issues);
  read.allow(['$schema', 'schemaVersion', 'title', 'product', 'drive', 'scenario', 'model', 'project', 'cassettes', 'checkpoints', 'screenshots', 'tags', 'timeoutMs', 'maxAgeDays', 'allow', 'quarantine']);
  if (read.value('schemaVersion') !== 1) read.refuse('schemaVersion', '1 was needed');
  const parsed: Case = {
    name: options.name,
    folder: options.folder,
    title: read.text('title') ?? '',
    product: read.text('product') ?? '',
    drive: (read.oneOf('drive', ['activity', 'scenario', 'spec']) ?? 'spec') as Drive,
    scenario: read.optionalPath('scenario'),
    model: read.optionalPath('model'),
    project: read.optionalPath('project'),
    cassettes: read.list('cassettes').map((item, i) => parseCassette(new Reader(item, `$.cassettes[${i}]`, issues))),
    checkpoints: parseCheckpoints(read.value('checkpoints'), issues),
    screenshots: read.optional('screenshots', () => read.oneOf('screenshots', ['checkpoints', 'failure', 'off'])) as Case['screenshots'],
    tags: read.value('tags') === undefined ? [] : read.texts('tags'),
    timeoutMs: read.optional('timeoutMs', () => read.count('timeoutMs')),
    maxAgeDays: read.optional('maxAgeDays', () => read.count('maxAgeDays')),
    allow: read.value('allow') === undefined ? [] : read.list('allow').map((item, i) => parseAllowance(new Reader(item, `$.allow[${i}]`, issues))),
    quarantine: read.optional('quarantine', () => parseQuarantine(new Reader(read.value('quarantine'), '$.quarantine', issues))),
  };
  if (parsed.drive === 'scenario' && parsed.scenario === null) read.refuse('scenario', 'a module was needed for drive "scenario"');
  if (parsed.cassettes.some((cassette, i) => parsed.cassettes.findIndex((other) => other.dir === cassette.dir) !== i)) read.refuse('cassettes', 'each folder once was needed');
  return { case: issues.length === 0 ? parsed : null, issues };
}

function parseCassette(read: Reader): CaseCassette {
  read.allow(['dir', 'manifestSha256']);
  const manifestSha256 = read.text('manifestSha256') ?? '';
  if (manifestSha256 !== '' && !/^[0-9a-f]{64}$/.test(manifestSha256)) read.refuse('manifestSha256', '64 lower-case hex digits were needed');
  return { dir: read.optionalPath('dir') ?? (read.text('dir') ?? ''), manifestSha256 };
}

function parseCheckpoints(value: unknown, issues: Issue[]): { [name: string]: CheckpointName } {
  if (value === undefined) return {};
  if (!isRecord(value)) {
    issues.push(issueAt('$.checkpoints', 'it is no object', 'names with a kind were needed'));
    return {};
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const read = new Reader(item, `$.checkpoints.${name}`, issues);
      read.allow(['kind', 'nth']);
      return [name, { kind: read.oneOf('kind', observationKinds) ?? '', nth: read.optional('nth', () => read.count('nth')) ?? 1 }];
    }),
  );
}

function parseAllowance(read: Reader): Allowance {
  read.allow(['layer', 'rule', 'method', 'reason', 'until']);
  const method = read.optional('method', () => read.text('method'));
  const rule = read.value('rule');
  // A rule that nobody reads must not look like a leniency that is in force.
  if (read.value('layer') === 'protocol' && (rule !== 'observer_only' || method === null)) read.refuse('rule', '"observer_only" with a method was needed for layer protocol');
  else if (read.value('layer') === 'cassette' && !(typeof rule === 'string' && rule.startsWith('$'))) read.refuse('rule', 'a JSON path was needed for layer cassette');
  // The other layers have no rules yet.
  return { layer: (read.oneOf('layer', ['cassette', 'protocol']) ?? 'protocol') as Layer, rule: read.text('rule') ?? '', ...(method ? { method } : {}), reason: read.text('reason') ?? '', until: read.date('until') };
}

function parseQuarantine(read: Reader): Quarantine {
  read.allow(['reason', 'until']);
  return { reason: read.text('reason') ?? '', until: read.date('until') };
}

class Reader {
  readonly #members: Record<string, unknown>;
  readonly #path: string;
  readonly #issues: Issue[];

  constructor(value: unknown, path: string, issues: Issue[]) {
    this.#path = path;
    this.#issues = issues;
    this.#members = isRecord(value) ? value : {};
    if (!isRecord(value)) issues.push(issueAt(path, 'it is no object', 'an object was needed'));
  }

  value(key: string): unknown {
    return Object.hasOwn(this.#members, key) ? (this.#members[key] ?? undefined) : undefined;
  }

  allow(keys: readonly string[]): void {
    for (const key of Object.keys(this.#members))
      if (!keys.includes(key)) this.#issues.push(issueAt(`${this.#path}.${key}`, 'it is no known member', `one of ${keys.join(', ')} was needed`, 'case_member_unknown'));
  }

  refuse(key: string, needed: string): null {
    const is = this.value(key) === undefined ? 'it is absent' : `it is ${JSON.stringify(this.value(key))}`;
    this.#issues.push(issueAt(`${this.#path}.${key}`, is, needed));
    return null;
  }

  text(key: string): string | null {
    const value = this.value(key);
    return typeof value === 'string' && value.trim() !== '' ? value : this.refuse(key, 'a text was needed');
  }

  optional<T>(key: string, read: () => T | null): T | null {
    return this.value(key) === undefined ? null : read();
  }

  optionalPath(key: string): string | null {
    const path = this.optional(key, () => this.text(key));
    if (path !== null && (/^([/\\]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..'))) return this.refuse(key, 'a path inside the case folder was needed');
    return path;
  }

  oneOf(key: string, values: readonly string[]): string | null {
    const value = this.value(key);
    return typeof value === 'string' && values.includes(value) ? value : this.refuse(key, `one of ${values.join(', ')} was needed`);
  }

  count(key: string): number | null {
    const value = this.value(key);
    return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : this.refuse(key, 'a whole number from 1 was needed');
  }

  date(key: string): string {
    const value = this.value(key);
    return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value) ? value : (this.refuse(key, 'a date like 2030-01-31 was needed') ?? '');
  }

  texts(key: string): string[] {
    const items = this.list(key);
    const texts = items.filter((item): item is string => typeof item === 'string' && item.trim() !== '');
    if (texts.length !== items.length) this.refuse(key, 'a list of texts was needed');
    return texts;
  }

  list(key: string): unknown[] {
    const value = this.value(key);
    return Array.isArray(value) ? value : (this.refuse(key, 'a list was needed') ?? []);
  }
}

// Note: Date.parse takes 2030-02-31 for the third of March.
function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function issueAt(path: string, is: string, needed: string, code: IssueCode = 'case_invalid'): Issue {
  return createIssue({ level: 'runner', code, file: 'case.json', path, is, needed });
}
