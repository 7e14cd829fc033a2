/** When events are released in a replay that keeps the recorded time (cassette-contract 3.8). */

/** Where a batch begins: the earliest first event of its cassettes, so that they keep their distance; null without events. */
export function playbackOrigin(firstEventTimes: readonly number[]): number | null {
  return firstEventTimes.reduce<number | null>((earliest, time) => (earliest === null || time < earliest ? time : earliest), null);
}

/** Playback milliseconds at which an event is due. An event of a clock that went back is due at once. */
export function dueAfterMs(occurredAtUnixMs: number, originUnixMs: number): number {
  return Math.max(0, occurredAtUnixMs - originUnixMs);
}

/** The length that is shown for a cassette: the later of its last frame and its last event, counted from its creation (3.8). */
export function shownDurationMs(options: { frameElapsedMsMax: number; eventTimeMax: number | null; createdAtUnixMs: number }): number {
  const { frameElapsedMsMax, eventTimeMax, createdAtUnixMs } = options;
  return Math.max(frameElapsedMsMax, eventTimeMax === null ? 0 : eventTimeMax - createdAtUnixMs, 0);
}
