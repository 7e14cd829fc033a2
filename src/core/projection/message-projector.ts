/** The projected copy of one connection's traffic, and the refusal of what may not be recorded (replay-runtime 1.5). */

import { Fault } from '../fault.ts';
import { member, parseJson, parseJsonSequence, writeJson, type Json } from '../json/exact.ts';
import type { Direction, ProviderAdapter } from '../provider/adapter.ts';
import { isAllowedResidue, ruleOf, type AllowedResidue } from './allow.ts';
import { auditMessage, holdsWord, isTelling, type AuditFinding, type MachineFacts } from './audit.ts';
import { projectAccount, projectMessage } from './project.ts';
import { replaceRootsInText } from './roots.ts';
import type { Root } from './rules.ts';

export type MessageProjector = {
  outbound: (bytes: Buffer) => Buffer;
  stdoutLine: (line: Buffer) => Buffer;
  stderrLine: (line: Buffer) => Buffer;
};

export function createMessageProjector(options: {
  adapter: ProviderAdapter;
  roots: readonly Root[];
  machine: MachineFacts;
  connectionId: string;
  allow?: readonly AllowedResidue[];
  /** Sees each projected message. */
  onMessage?: (direction: Direction, message: Json) => void;
}): MessageProjector {
  const { adapter, roots, machine, connectionId } = options;
  const methodById = new Map<string, string>();

  return {
    outbound(bytes) {
      const values = parseJsonSequence(bytes.toString());
      if (!values) return bytes; // Kept as it is; the publication audit refuses it later.
      for (const value of values) remember(value);
      const projected = values.map((value) => project(value));
      for (const value of projected) options.onMessage?.('outbound', value);
      return projected.some((value, i) => value !== values[i]) ? encode(projected) : bytes;
    },
    stdoutLine(line) {
      const text = line.toString();
      const value = text.trim() === '' ? undefined : parseJson(text);
      if (value === undefined) return line;
      const projected = project(isAccountAnswer(value) ? projectAccount(value) : value);
      options.onMessage?.('inbound', projected);
      return projected === value ? line : encode([projected]);
    },
    stderrLine(line) {
      const text = line.toString();
      const projected = replaceNames(replaceRootsInText(text, roots), machine);
      return projected === text ? line : Buffer.from(projected);
    },
  };

  function project(value: Json): Json {
    const projected = projectMessage(value, adapter.rules, roots);
    const finding = auditMessage(projected, adapter.rules, machine).find((found) => !isAllowedResidue(found, options.allow ?? []));
    if (finding) throw residueFault(finding, connectionId);
    return projected;
  }

  function remember(value: Json): void {
    const shape = adapter.shapeOf(value);
    if (shape.type === 'request') methodById.set(writeJson(shape.id), shape.method);
  }

  function isAccountAnswer(value: Json): boolean {
    const shape = adapter.shapeOf(value);
    if (shape.type !== 'response') return false;
    const key = writeJson(shape.id);
    const method = methodById.get(key);
    if (member(value, 'result') !== undefined || member(value, 'error') !== undefined) methodById.delete(key);
    return method !== undefined && method === adapter.rules.accountReadMethod;
  }
}

function encode(values: Json[]): Buffer {
  return Buffer.from(values.map((value) => `${writeJson(value)}\n`).join(''));
}

function replaceNames(text: string, machine: MachineFacts): string {
  const named = replaceWord(text, machine.host, 'replay-host');
  return replaceWord(named, machine.user, 'replay-user');
}

function replaceWord(text: string, word: string, by: string): string {
  if (!isTelling(word) || !holdsWord(text, word)) return text;
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<!\\w)${escaped}(?!\\w)`, 'g'), by);
}

function residueFault(finding: AuditFinding, connectionId: string): Fault {
  const rule = ruleOf(finding.path);
  const place = `${finding.method ?? 'a response'} at ${finding.path}`;
  return new Fault({
    code: finding.code,
    message: `Cannot record ${place}: ${finding.is}, a portable value was needed`,
    at: `connection ${connectionId}`,
    facts: { method: finding.method, path: finding.path, connectionId },
    ...(finding.code === 'recording_not_portable'
      ? { next: [`add { "layer": "cassette", "rule": "${rule}", "method": ${JSON.stringify(finding.method)}, "reason": "…", "until": "…" } to "allow" in case.json`] }
      : {}),
  });
}
