/** The recording composition: everything by which a daemon that records differs from a live one (design ruling 14). */

import { activityFile } from '../../core/activity/event.ts';
import type { Settings } from '../../core/agent/views.ts';
import { workspaceId, type RecordBoot } from '../../core/control/boot.ts';
import { journalFile } from '../../core/journal/entry.ts';
import { isObject, type JsonObject } from '../../core/json/exact.ts';
import { textAt } from '../../core/json/read.ts';
import { EntityRegistry } from '../../core/observation/registry.ts';
import type { Clock, Disk } from '../../core/ports.ts';
import type { Recording } from '../../core/recording/recording.ts';
import type { CaptureFacts } from '../../core/state/capture.ts';
import { Refusal, type DaemonMode } from '../mode.ts';
import { ActivityLane } from './activity-lane.ts';
import { CheckpointRecorder } from './checkpoint-recorder.ts';
import { LaneBook } from './lane-book.ts';
import { createReadinessView, liveStateOf } from '../readiness-view.ts';
import { Progress } from '../progress.ts';
import { RecordingSession } from './recording-session.ts';
import { routeRecording } from './routes.ts';
import { seal, type SealDefect } from './seal.ts';
import type { TapeHooks, TapeRecorder } from './tape-recorder.ts';

export type RecordingModeOptions = {
  boot: Pick<RecordBoot, 'recordingId' | 'folder' | 'agentTargetId'>;
  /** What stands in a new session's settings; the cassette says it as its prerequisites. */
  composerDefaults: Settings;
  /** The project folder, symlinks resolved. */
  projectDir: string;
  /** Puts the recorder in front of the live transport; the hooks go into it. */
  openTape: (hooks: TapeHooks) => TapeRecorder;
  clock: Clock;
  nowUnixMs: () => number;
  disk: Disk;
  /** What makes the captured state portable. */
  facts: CaptureFacts;
};

/** Records the first session that its window activates, into `boot.folder`. */
export function createRecordingMode(options: RecordingModeOptions): DaemonMode {
  const { boot } = options;
  const sent: JsonObject[] = [];
  const session = openSession(options, sent);
  const { tape, lanes, progress } = session.parts;
  let stopObserving = () => {};
  let sealing: Promise<void> | null = null;
  const complete = async (defects: readonly SealDefect[]): Promise<void> => {
    if (session.recordingStatus === 'recording') sealing ??= seal({ session, folder: boot.folder, disk: options.disk, facts: options.facts }, defects);
    if (!sealing) throw notReady(session);
    await sealing;
  };
  return {
    bootstrap: { mode: 'record', recordingId: boot.recordingId, cassetteId: null },
    transport: tape,
    attach(host) {
      stopObserving = host.observe((delta) => session.committed(delta));
      session.attach(host);
    },
    begin: (command) => session.begin(command),
    lanes: () => lanes.handled,
    routes: (app) => routeRecording(app, { progress, status: () => session.status, append: (events) => session.append(events), complete, sent: () => sent }),
    async close() {
      stopObserving();
      session.cancel();
      await tape.finalize();
    },
  };
}

function openSession({ boot, composerDefaults, projectDir, openTape, clock, nowUnixMs, disk, facts }: RecordingModeOptions, sent: JsonObject[]): RecordingSession {
  disk.makeFolder(boot.folder);
  disk.makeFolder(`${boot.folder}/.recording`);
  const lanes = new LaneBook(boot.recordingId);
  const registry = new EntityRegistry();
  const activity = new ActivityLane({ file: disk.openAppend(`${boot.folder}/${activityFile}`), nowUnixMs, resolvePath: facts.normalisePath, projectDir });
  const view = () => (session.host ? createReadinessView(liveStateOf(session.host, { workspaceId, registry }), null) : null);
  const checkpoints = new CheckpointRecorder({ lanes, registry, journal: disk.openAppend(`${boot.folder}/${journalFile}`), view });
  const tape = openTape({
    onUnit: (unit) => session.handled(unit),
    onReceived: (unit) => session.received(unit),
    onAnswered: (connectionId) => session.answered(connectionId),
    onMessage: (_connectionId, direction, message) => void (direction === 'outbound' && isObject(message) && sent.push(message)),
  });
  const recording = prepared({ boot, composerDefaults, nowUnixMs: nowUnixMs() });
  const session: RecordingSession = new RecordingSession({ recording, workspaceId, tapeFolder: `${boot.folder}/provider`, tape, lanes, activity, checkpoints, registry, progress: new Progress(clock), nowUnixMs });
  return session;
}

/** The row of a catalog, as far as one daemon needs it: the name is known to who publishes. */
function prepared({ boot: { recordingId, agentTargetId }, composerDefaults, nowUnixMs }: Pick<RecordingModeOptions, 'boot' | 'composerDefaults'> & { nowUnixMs: number }): Recording {
  const said = (name: string) => textAt(composerDefaults, name) ?? '';
  return {
    id: recordingId,
    name: '',
    cassetteId: null,
    scopeId: '',
    agentTargetId,
    replayPrerequisites: { composerDefaults: { model: said('model'), permissionModeId: said('permissionModeId'), reasoningEffort: said('reasoningEffort'), speed: said('speed') } },
    mode: 'create-session',
    rootAgentSessionId: null,
    status: 'preparing',
    errorCode: null,
    errorMessage: null,
    createdAtUnixMs: nowUnixMs,
    recordingAtUnixMs: null,
    stoppedAtUnixMs: null,
    updatedAtUnixMs: nowUnixMs,
  };
}

function notReady({ status: { status, error } }: RecordingSession): Refusal {
  if (error) return new Refusal(409, error.code, error.message);
  return new Refusal(409, 'recording_not_ready', `Cannot seal the recording: it is ${status}, one with a created session was needed`);
}
