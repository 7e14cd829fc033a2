/** Residue that a case accepts at one place (`allow` of layer cassette, `wrap --allow`). */

import type { AuditFinding } from './audit.ts';

/** `rule` is the JSON path without indexes; `method` `null` means any message. */
export type AllowedResidue = { method: string | null; rule: string };

/** Only paths can be accepted; credentials and accounts never. */
export function isAllowedResidue(finding: AuditFinding, allow: readonly AllowedResidue[]): boolean {
  return finding.code === 'recording_not_portable' && allow.some((rule) => rule.rule === ruleOf(finding.path) && (rule.method ?? finding.method) === finding.method);
}

export function ruleOf(path: string): string {
  return path.replace(/\[\d+\]/g, '[]');
}
