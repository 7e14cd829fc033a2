/** Every limit of the system in one place: bytes, counts and milliseconds (design ruling 5, replay-runtime 1.4). */
export const limits = {
  /** One decoded chunk, before and after projection. */
  frameBytesMax: 8_388_608,
  /** All lines of `frames.jsonl` as stored, base64 included. */
  storedBytesMax: 268_435_456,
  /** One line of `frames.jsonl` when it is read back. */
  frameLineBytesMax: 16_777_216,
  /** `provider/manifest.json` as stored. */
  manifestBytesMax: 8_388_608,
  /** One unfinished message on a stream before it counts as broken. */
  messageBytesMax: 67_108_864,
  /** No progress of any lane for this long ends an instant replay. */
  stallMs: 5_000,
  /** The quiet time after which a long-lived backend counts as finished. */
  quietMs: 150,
  /** How long a recorded observer-only request is waited for before it is skipped. */
  probeGraceMs: 50,
  /** JSON values inside one another: deeper than any recording, shallow enough to walk. */
  nestingMax: 1_000,
  /** JSON values in one document: a tree of them must fit into memory. */
  documentValueCountMax: 4_000_000,
  /** A line of `activity-events.jsonl` or the journal (cassette-contract 0.3). */
  activityLineBytesMax: 402_653_184,
  /** One image of a prompt (cassette-contract 3.10). */
  promptAssetBytesMax: 20_971_520,
  /** Entries of a cassette folder. */
  cassetteEntryCountMax: 10_000,
  /** Starting a product until it gives its address. */
  productStartMs: 15_000,
  /** A page until it has answered its first navigation. */
  windowMs: 20_000,
  /** What a process that ended may still have to say about it. */
  lastWordsMs: 500,
  /** What `inspect.ts` may take for one picture, as a multiple of the stall limit; one action of it, the limit itself. */
  inspectStalls: 3,
  /** A window or its display that was asked to end, until it is killed. */
  windowStopMs: 2_000,
  /** Stopping a product or a provider before it is killed. */
  stopMs: 5_000,
  /** Ending a daemon: its streams, runtimes, Host and mode. */
  daemonStopMs: 2_000,
  /** The reader of a provider whose input was closed, until its connection is closed. With the two below it fits into `daemonStopMs`. */
  readerEndMs: 400,
  /** A live provider whose connection is closed, until it is asked to end, and until it is killed. */
  providerTermMs: 400,
  providerKillMs: 700,
  /** What a live provider that ended left in its group, until that is killed. */
  providerGraceMs: 500,
  /** Starting a live provider until its thread is there. */
  providerStartMs: 30_000,
  /** A live provider that is to stop a turn: until it has taken it, until it runs it, until the turn has ended. */
  providerCancelMs: 10_000,
  /** Frames of a live provider that nobody has read yet, before its output waits. */
  providerUnreadBytesMax: 8_388_608,
  /** One request body of the daemon. */
  requestBytesMax: 67_108_864,
  /** Ids in a path of the daemon, in characters. */
  pathParameterCharactersMax: 1_024,
  /** What a window that does not read its stream may leave behind before it is closed. */
  streamUnreadBytesMax: 8_388_608,
  /** One request that waits for news of a daemon. */
  pollMsMax: 30_000,
  /** Activity events in one request (cassette-contract 9.8). */
  activityBatchCountMax: 256,
  /** The first line on a daemon's standard input. */
  bootLineBytesMax: 1_048_576,
  /** A replay beyond its recorded length. */
  replaySlackMs: 60_000,
  /** A checkpoint picture waits at most this long for a page without changes. */
  pictureQuietMs: 1_000,
  /** Taking it. */
  pictureMs: 5_000,
  /** What a message shows of a differing value, in characters. */
  shownCharactersMax: 512,
  /** Exit code of a stand-in that nobody expected. */
  exitRefused: 71,
  /** Exit code of a stand-in that lost its runner or its recording. */
  exitLost: 70,
} as const;
