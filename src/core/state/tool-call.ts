/** The folders that the runtime puts into the input of a tool call (cassette-contract 7.5). */

import { isObject, type Json } from '../json/exact.ts';
import { isAbsolutePath } from '../portable-path.ts';
import { mapMember } from './places.ts';

/** The input without the runtime's own `cwd` and with bare program names, at its two levels; what a tool was asked stays. */
export function withoutRuntimeFolders(input: Json): Json {
  return mapMember(withoutOwnFolder(input), 'toolCall', (call) => mapMember(mapMember(call, 'title', withBareProgram), 'input', withoutOwnFolder));
}

function withoutOwnFolder(input: Json): Json {
  if (!isObject(input)) return input;
  const { cwd: _cwd, ...rest } = input;
  return mapMember(rest, 'command', withBareProgram);
}

function withBareProgram(command: Json): Json {
  if (typeof command !== 'string') return command;
  const end = command.indexOf(' ');
  const program = end < 0 ? command : command.slice(0, end);
  const name = isAbsolutePath(program) ? program.split(/[/\\]/).at(-1) : '';
  return name ? name + command.slice(program.length) : command;
}
