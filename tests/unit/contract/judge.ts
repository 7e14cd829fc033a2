import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Files } from '../../../fixtures/cassettes/draft.ts';
import { writeFiles } from '../../../fixtures/cassettes/on-disk.ts';
import type { Issue, IssueLevel } from '../../../src/core/issue.ts';
import { findProvider } from '../../../src/providers/registry.ts';
import { readCassette } from '../../../src/runner/read-cassette.ts';

/** What the checks say of these files, read from a folder of its own. */
export function judge(files: Files, levels?: readonly IssueLevel[]): Issue[] {
  const folder = mkdtempSync(join(tmpdir(), 'playhead-contract-'));
  try {
    writeFiles(folder, files);
    return readCassette({ folder, findProvider, ...(levels ? { levels } : {}) }).issues;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const shownIssue = ({ code, file, line, path }: Issue): string => [code, line === null ? file : `${file}:${line}`, path ?? ''].join(' ').trim();
