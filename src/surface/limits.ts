/** Limits of the window; the first two are facts of an intent, not waits of ours. */
export const windowLimits = {
  /** How long a request of the person may be carried out after it was made. */
  requestExpiryMs: 120_000,
  /** How long a stop may wait for its turn. */
  stopExpiryMs: 30_000,
  /** Before a lost stream is opened again, doubled with each failure up to the maximum. */
  reconnectMs: 250,
  reconnectMsMax: 5_000,
  /** Title of a new session, in characters. */
  titleLengthMax: 60,
} as const;
