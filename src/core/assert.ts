/** Our own bugs: on in production, at borders and status transitions. */
export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Error(`Playhead is broken: ${sentence}. Please report this with the cassette.`);
}
