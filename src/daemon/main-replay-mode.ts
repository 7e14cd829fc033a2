/** Opens a cassette for a daemon that replays it: reads its documents, loads its tape, and puts players where processes were. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceId, type DaemonBoot } from '../core/control/boot.ts';
import { Fault } from '../core/fault.ts';
import { Findings, issuesAt } from '../core/issue.ts';
import { findProvider } from '../providers/registry.ts';
import { LaneGates } from '../tape/lane-gates.ts';
import { readFrames, readManifestFile, type LoadedTape } from '../tape/load.ts';
import { nodeClock } from '../tape/node-clock.ts';
import { ReplayTransport, type ReplayRegistration, type ReplayTransportOptions } from '../tape/replay-transport.ts';
import { TapeLoader } from '../tape/tape-loader.ts';
import type { DaemonMode } from './mode.ts';
import { observeDelta } from './observe-delta.ts';
import { normalisePath } from './process/normalise-path.ts';
import { readDocuments } from './replay/documents.ts';
import { createReplayMode } from './replay/mode.ts';
import type { CreateTape } from './replay/ports.ts';

export type OpenReplayOptions = {
  boot: DaemonBoot;
  /** Ends every provider connection of the runtime that this mode's transport serves. */
  closeRuntimes: () => Promise<void>;
};

export type ReplayTapeOptions = ReplayRegistration & Pick<ReplayTransportOptions, 'clock' | 'findProvider' | 'timing' | 'home'>;

/** The mode of `boot.replay`; throws a `Fault` where the cassette cannot be used. It has no way to start a process (design ruling 15). */
export function openReplayMode({ boot, closeRuntimes }: OpenReplayOptions): DaemonMode {
  const { replay, projectDir, stateDir } = boot;
  if (!replay) throw new Fault({ code: 'option_invalid', message: 'Cannot replay: the boot document has no `replay`, one was needed' });
  const documents = readDocuments((path) => readFileOf(replay.folder, path));
  const tape = loadCassetteTape(join(replay.folder, 'provider'));
  return createReplayMode({
    boot: { ...replay, projectDir },
    documents,
    createTape: createReplayTape({ cassetteId: replay.cassetteId, rootAgentSessionId: documents.rootAgentSessionId, tape, clock: nodeClock, findProvider, timing: replay.timing, home: join(stateDir, 'home') }),
    observeDelta,
    captureFacts: { normalisePath, stateFolder: stateDir, homeFolderOf: (name) => findProvider(name)?.homeDir ?? null },
    clock: nodeClock,
    workspaceId,
    userId: 'local',
    closeRuntimes,
  });
}

/** Players of one tape behind a transport, its lanes held by gates. */
export function createReplayTape(options: ReplayTapeOptions): CreateTape {
  const { cassetteId, rootAgentSessionId, tape, ...rest } = options;
  return (gateFacts, { onUnit, onProgress }) => {
    const gates = new LaneGates(gateFacts);
    const transport = new ReplayTransport({ ...rest, registrations: [{ cassetteId, rootAgentSessionId, tape }], createBarrier: () => gates, onUnit, onProgress });
    return { transport, cassette: transport.cassette(cassetteId), gates, hold: (targets) => transport.setTargets(cassetteId, targets) };
  };
}

// Judged before, with what its case allows: only what no player can use is refused here.
function loadCassetteTape(folder: string): LoadedTape {
  const findings = new Findings();
  const loader = new TapeLoader({ findProvider, report: findings.report, isAlone: false, withLanes: true });
  const { value, sha256: manifestSha256 } = readManifestFile(join(folder, 'manifest.json'), findings.report);
  loader.manifest(value);
  loader.reportUnplayable();
  const framesSha256 = value === undefined ? null : readFrames({ path: join(folder, 'frames.jsonl'), lines: loader.lines, report: findings.report });
  const tape = loader.finish({ folder, manifestSha256, framesSha256 });
  if (tape && framesSha256 !== null && tape.lanes.length === tape.manifest.connections.length) return tape;
  const [issue] = issuesAt(findings.all);
  throw new Fault({ code: 'cassette_not_valid', message: issue?.message ?? 'Cannot replay cassette: its tape cannot be read, a valid one was needed', at: folder });
}

function readFileOf(folder: string, path: string): Buffer | null {
  try {
    return readFileSync(join(folder, path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
