/** A fixed batch of cassettes to replay together (cassette-contract 10). */

import { join } from 'node:path';
import { isSafeSegment } from '../../core/blobs/facts.ts';
import { cassettePolicy } from '../../core/cassette/policy.ts';
import { trim } from '../../core/json/read.ts';
import { cassetteRowOf, type CassetteRow } from '../../core/recording/recording.ts';
import { refuse, type Result } from '../../core/recording/refusal.ts';
import { errorsOf, type Store } from './ports.ts';

/** Where the parts of one cassette stand; there is an initial state where its session is continued. */
export type CassetteLayout = { folder: string; providerFolder: string; checkpointPlan: string; initialState: string | null; expectedState: string };
export type ReplayRequest = {
  /** The row of the catalog. */
  cassette: CassetteRow;
  /** The row as the cassette itself gives it. */
  artifact: { cassette: CassetteRow; layout: CassetteLayout };
};

/** Judges every cassette before anything is made, and writes nothing; the first that does not fit refuses the whole batch. */
export async function prepareReplayBatch(store: Pick<Store, 'cassettesRoot' | 'catalog' | 'resolveCassette'>, cassetteIds: readonly string[]): Promise<Result<{ requests: ReplayRequest[] }>> {
  if (cassetteIds.length === 0) return refuse('batch_invalid', 'Cannot prepare replay: no cassette was named, one or more were needed');
  const requests: ReplayRequest[] = [];
  const seen = { ids: new Set<string>(), roots: new Set<string>() };
  for (const id of cassetteIds.map(trim)) {
    const request = await prepareOne(store, id, seen);
    if (!request.ok) return request;
    requests.push(request.value);
  }
  return { ok: true, value: { requests } };
}

async function prepareOne(store: Pick<Store, 'cassettesRoot' | 'catalog' | 'resolveCassette'>, id: string, seen: { ids: Set<string>; roots: Set<string> }): Promise<Result<ReplayRequest>> {
  const row = findRow(store, id, seen.ids);
  if (!row.ok) return row;
  const root = trim(row.value.rootAgentSessionId);
  if (root === '' || seen.roots.has(root)) return refuse('batch_invalid', `Cannot prepare replay of cassette "${id}": its root session "${root}" is blank or already in the batch, each session once was expected`);
  seen.roots.add(root);
  const folder = join(store.cassettesRoot, id);
  const { issues, facts } = await store.resolveCassette(folder, { expectedId: id, pinnedSha256: row.value.manifestSha256 || null });
  const errors = errorsOf(issues);
  if (errors.length > 0 || !facts?.mode) return refuse('cassette_invalid', `Cannot prepare replay of cassette "${id}": it is not valid, ${errors[0]?.message ?? 'it cannot be read'}`, errors);
  if (facts.id !== row.value.id || trim(facts.rootAgentSessionId) !== root) return refuse('batch_invalid', `Cannot prepare replay of cassette "${id}": it has another id or root session than the catalog says, the same were needed`);
  return { ok: true, value: { cassette: row.value, artifact: { cassette: cassetteRowOf(facts, facts.mode, facts.manifestSha256), layout: layoutOf(folder, facts.mode) } } };
}

// A name with folders in it would be looked for elsewhere, whatever the catalog says of it.
function findRow(store: Pick<Store, 'catalog'>, id: string, seen: Set<string>): Result<CassetteRow> {
  if (id === '' || seen.has(id)) return refuse('batch_invalid', `Cannot prepare replay: cassette "${id}" is blank or named twice, each cassette once was expected`);
  seen.add(id);
  const row = isSafeSegment(id) ? store.catalog.findCassette(id) : null;
  return row ? { ok: true, value: row } : refuse('cassette_not_found', `Cannot prepare replay of cassette "${id}": the catalog does not have it, a known one was needed`);
}

function layoutOf(folder: string, mode: CassetteRow['mode']): CassetteLayout {
  const { checkpointPlan, initialState, expectedState, providerManifest } = cassettePolicy.files;
  return {
    folder,
    providerFolder: join(folder, providerManifest.path, '..'),
    checkpointPlan: join(folder, checkpointPlan.path),
    initialState: mode === 'continue-session' ? join(folder, initialState.path) : null,
    expectedState: join(folder, expectedState.path),
  };
}
