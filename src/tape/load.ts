/**
 * Reads the folder of one tape, each file once, in order and in bounded memory (cassette-contract 5.6). All that is wrong comes
 * back as issues; nothing is thrown for bad input.
 */

import { Findings, issuesAt, type Finding, type Issue, type Report } from '../core/issue.ts';
import { readJson } from '../core/json/document.ts';
import type { Json } from '../core/json/exact.ts';
import { limits } from '../core/limits.ts';
import type { AllowedResidue } from '../core/projection/allow.ts';
import { framesFile } from '../core/tape/frame.ts';
import { manifestFile } from '../core/tape/parse-manifest.ts';
import { readOnce, type LineReader, type ReadProblem } from './read-once.ts';
import { TapeLoader, type FindProvider, type LoadedTape } from './tape-loader.ts';

export type { FindProvider, LoadedTape } from './tape-loader.ts';

/** The tape of a stand-in for a player, or every issue at any level: a player takes no tape that some reader would refuse. */
export function loadTape(options: { folder: string; findProvider: FindProvider; allow?: readonly AllowedResidue[] }): { tape: LoadedTape | null; issues: Issue[] } {
  const { folder, ...rest } = options;
  const findings = new Findings();
  const loader = new TapeLoader({ ...rest, isAlone: true, withLanes: true, report: findings.report });
  const { value, sha256: manifestSha256 } = readManifestFile(`${folder}/manifest.json`, findings.report);
  if (value === undefined) return { tape: null, issues: issuesAt(findings.all) };
  loader.manifest(value);
  loader.reportUnplayable();
  const framesSha256 = readFrames({ path: `${folder}/frames.jsonl`, lines: loader.lines, report: findings.report });
  const tape = loader.finish({ folder, manifestSha256, framesSha256 });
  const issues = issuesAt(findings.all);
  return { tape: issues.some((issue) => issue.severity === 'error') ? null : tape, issues };
}

/** Reads `frames.jsonl` once, line by line through the check, which is still to be finished with the hash; `null` where a finding says why. */
export function readFrames(options: { path: string; lines: LineReader; report: Report }): string | null {
  const { path, lines, report } = options;
  const result = readOnce(path, { maxBytes: limits.storedBytesMax, take: (block) => lines.push(block) });
  if ('problem' in result) {
    report(problemFinding(result, framesFile, { missing: 'frames_missing', too_large: 'tape_too_large' }));
    return null;
  }
  lines.end();
  return result.sha256;
}

/** Reads `provider/manifest.json` once; no value where a finding says why. */
export function readManifestFile(path: string, report: Report): { value: Json | undefined; sha256: string } {
  const blocks: Buffer[] = [];
  const result = readOnce(path, { maxBytes: limits.manifestBytesMax, take: (block) => void blocks.push(Buffer.from(block)) });
  if ('problem' in result) {
    report(problemFinding(result, manifestFile, { missing: 'manifest_missing', too_large: 'manifest_too_large' }));
    return { value: undefined, sha256: '' };
  }
  return { value: readJson(Buffer.concat(blocks), { file: manifestFile }, report), sha256: result.sha256 };
}

function problemFinding({ problem, is }: ReadProblem, file: string, codes: { missing: Finding['code']; too_large: Finding['code'] }): Finding {
  const code = { ...codes, not_regular: 'file_not_regular', unreadable: 'file_unreadable', changed: 'file_changed' } as const;
  return { code: code[problem], file, is, needed: problem === 'too_large' ? 'a smaller file was expected' : 'a plain file that nobody changes was needed' };
}
