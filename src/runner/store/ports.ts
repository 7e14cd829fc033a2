/** What the store of cassettes is given: a catalog, a judge of cassettes, ids and a clock (cassette-contract 9, 10). */

import type { ManifestFacts } from '../../core/cassette/manifest.ts';
import type { Issue } from '../../core/issue.ts';
import type { CassetteRow, Recording } from '../../core/recording/recording.ts';

export type ResolvedCassette = {
  issues: Issue[];
  /** `null` where the cassette could not be read so far. */
  facts: (ManifestFacts & { manifestSha256: string }) | null;
};

/** Reads and judges one cassette folder; `null` asks for no id and for no manifest hash. */
export type ResolveCassette = (folder: string, pinned: { expectedId: string | null; pinnedSha256: string | null }) => ResolvedCassette | Promise<ResolvedCassette>;

/** Rows of recordings and cassettes. A `commit` or `delete` that throws has changed nothing. */
export type Catalog = {
  recordings: () => Recording[];
  findCassette: (id: string) => CassetteRow | null;
  /** Adds both rows, or puts them in the place of those with the same ids. */
  commit: (rows: { recording: Recording; cassette: CassetteRow }) => void;
  /** The recording, and the cassette it made. */
  delete: (recordingId: string) => void;
};

export type Store = {
  /** Holds a folder for each cassette, named by its id. */
  cassettesRoot: string;
  /** Holds a folder for each recording that is no cassette yet; `null` where this store records nothing. */
  candidatesRoot: string | null;
  catalog: Catalog;
  resolveCassette: ResolveCassette;
  /** A fresh name for a folder that must not last. */
  newId: () => string;
  nowUnixMs: () => number;
};

export function errorsOf(issues: readonly Issue[]): Issue[] {
  return issues.filter((issue) => issue.severity === 'error');
}
