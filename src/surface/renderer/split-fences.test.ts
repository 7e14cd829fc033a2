import { expect, test } from 'vitest';
import { splitFences } from './split-fences.ts';

const rows: [what: string, text: string, parts: string[]][] = [
  ['prose as one part', 'one\n\ntwo', ['prose:one\n\ntwo']],
  ['nothing as no part', ' \n', []],
  ['a block between prose', 'a\n\n```ts\nconst b = 1;\n```\n\nc', ['prose:a', 'code:const b = 1;', 'prose:c']],
  ['a block that has no end yet', 'a\n```\nb\nc', ['prose:a', 'code:b\nc']],
  ['a block that has only begun', 'a\n```sh', ['prose:a']],
  ['the spaces of a block as they are', '```\n  a\n\n  b\n```', ['code:  a\n\n  b']],
  ['a longer fence around a shorter one', '````\n```\na\n```\n````', ['code:```\na\n```']],
  ['inline code as prose', '```a``` b', ['prose:```a``` b']],
  ['a fence with a language inside a block as code', '```\n```js\n```', ['code:```js']],
  ['two blocks', '```\na\n```\n```\nb\n```', ['code:a', 'code:b']],
  ['an indented first line of prose as it is', '  a', ['prose:  a']],
];

test.each(rows)('splitFences() gives %s', (_what, text, parts) => {
  expect(splitFences(text).map((part) => `${part.kind}:${part.text}`)).toEqual(parts);
});
