/** What the sieve has to know of a byte. */

/** The kind of a byte with which an escape may begin. */
export const special = 65;

/** The base64 value of a byte in either alphabet, 64 for other bytes, 65 where an escape may begin. */
export const kinds: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const text = String.fromCharCode(byte);
  if ('\\%&=\b\n\r\u001b'.includes(text)) return special;
  const value = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(text);
  if (value >= 0) return value;
  return text === '-' ? 62 : text === '_' ? 63 : 64;
});
