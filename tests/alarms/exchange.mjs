/** Exchanges each `text` by its `by`; a text has to stand there once, or `count` times. */
export function exchange(source, swaps) {
  let result = source;
  for (const { file, text, by, count = 1 } of swaps) {
    const found = result.split(text).length - 1;
    if (found !== count) throw new Error(`Cannot patch ${file}: "${text}" stands there ${found} times, ${count} was needed`);
    result = result.replaceAll(text, () => by);
  }
  return result;
}
