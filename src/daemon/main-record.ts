/** A daemon that records: real provider processes behind the recorder (replay-runtime 1.1). */

import { StartError } from './process/start-error.ts';
import { launchEnv } from './process/launch-env.ts';
import { createLiveTransport } from './process/live-transport.ts';
import { normalisePath } from './process/normalise-path.ts';
import { livePatience, runComposition } from './main-parts.ts';
import { createRecordingMode } from './recording/mode.ts';
import { findProvider } from '../providers/registry.ts';
import { nodeClock } from '../tape/node-clock.ts';
import { nodeDisk } from '../tape/node-disk.ts';
import { RecordingTransport } from '../tape/recording-transport.ts';

await runComposition(({ boot }) => {
  const { record, projectDir, stateDir, composerDefaults, providers = {} } = boot;
  if (!record) throw new StartError('boot_invalid', 'Cannot record: the boot document has no `record`, one was needed');
  const live = createLiveTransport({ programs: providers, env: process.env, clock: nodeClock });
  // A forced end leaves no process behind.
  process.once('exit', live.killAll);
  const { machine, allow, recordedWith } = record;
  const mode = createRecordingMode({
    boot: record,
    composerDefaults,
    projectDir,
    openTape: (hooks) => new RecordingTransport({ base: live, clock: nodeClock, disk: nodeDisk, findProvider, machine, allow, recordedWith, ...hooks }),
    clock: nodeClock,
    nowUnixMs: Date.now,
    disk: nodeDisk,
    facts: { normalisePath, stateFolder: stateDir, homeFolderOf: (name) => findProvider(name)?.homeDir ?? null },
  });
  return { mode, env: launchEnv(boot, process.env), patience: livePatience };
});
