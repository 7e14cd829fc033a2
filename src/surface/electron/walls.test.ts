import { expect, test } from 'vitest';
import { isAllowedRequest, isOwnPage } from './walls.ts';
import { parseWindowSize } from './window-size.ts';

const origin = 'http://127.0.0.1:4000';

test.each([
  ['http://127.0.0.1:4000/v1/events', true],
  ['ws://127.0.0.1:4000/', true],
  ['data:image/png;base64,AA==', true],
  ['blob:http://127.0.0.1:4000/1', true],
  ['http://127.0.0.1:4001/', false],
  ['http://localhost:4000/', false],
  ['https://127.0.0.1:4000/', false],
  ['wss://127.0.0.1:4000/', false],
  ['http://127.0.0.1:4000@example.com/', false],
  ['http://example.com/', false],
  ['file:///etc/hosts', false],
  ['ftp://127.0.0.1:4000/', false],
  ['chrome-extension://abc/', false],
  ['no address', false],
])('isAllowedRequest(%s) is %s', (url, expected) => void expect(isAllowedRequest(url, origin)).toBe(expected));

test.each([
  ['http://127.0.0.1:4000/sessions/1', true],
  ['http://127.0.0.1:4001/', false],
  ['data:text/html,x', false],
  ['file:///etc/hosts', false],
  ['about:blank', false],
])('isOwnPage(%s) is %s', (url, expected) => void expect(isOwnPage(url, origin)).toBe(expected));

test.each([
  ['', { width: 1280, height: 800 }],
  ['1000x700', { width: 1000, height: 700 }],
])('parseWindowSize(%j) gives a size', (text, expected) => void expect(parseWindowSize(text)).toEqual(expected));

test.each(['1000', '1000,700', '0x700', '1000x700x1', '-5x700'])('parseWindowSize(%j) is refused', (text) => void expect(() => parseWindowSize(text)).toThrow('<width>x<height> in pixels was needed'));
