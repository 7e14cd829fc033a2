/** Path of the pinned real Codex. */
export function realCodex(): string;
