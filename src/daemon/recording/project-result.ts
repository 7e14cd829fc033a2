/** The result of a command holds rows of this machine; what stands in a cassette must not (design ruling 12). */

import type { Json, JsonObject } from '../../core/json/exact.ts';
import { cwdToken } from '../../core/portable-path.ts';
import { mapTexts } from '../../core/state/walk.ts';

/** The payload of an effect with the project folder in its `result` as token. Nobody compares a result (cassette-contract 3.5). */
export function projectResult(payload: JsonObject, projectDir: string): JsonObject {
  const { result } = payload;
  if (result === undefined) return payload;
  return { ...payload, result: mapTexts(result as Json, { key: 'result', path: '$.payload.result' }, (text) => projectText(text, projectDir)) };
}

// Whole paths alone, bare or as key of a rail section: text that a person wrote stays as it is.
function projectText(text: string, projectDir: string): string {
  const prefix = text.startsWith('project:') ? 'project:' : '';
  const path = text.slice(prefix.length);
  const isBelow = path === projectDir || path.startsWith(`${projectDir}/`);
  return isBelow ? prefix + cwdToken + path.slice(projectDir.length) : text;
}
