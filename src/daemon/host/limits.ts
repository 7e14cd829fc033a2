/** Limits of the Agent Host (agent-host 1.4, 1.9). */
export const hostLimits = {
  /** An operation that its runner has not ended by then may be taken over. */
  leaseMs: 30_000,
  /** Open operations that one step of a recovery reads. */
  drainBatch: 64,
  /** The first wait before an operation is tried again; it doubles up to the last. */
  retryFirstMs: 1_000,
  retryLastMs: 256_000,
  titleCodePointsMax: 120,
  turnPageMax: 100,
} as const;
