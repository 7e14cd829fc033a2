/** The first line on standard input, and the end of it (desktop-order c8). */

import { Type, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Readable } from 'node:stream';
import type { DaemonBoot } from '../../core/control/boot.ts';
import { limits } from '../../core/limits.ts';
import { LineSplitter } from '../../core/lines.ts';
import { StartError } from './start-error.ts';

/** `ended` resolves when the input ends, also after the line: whoever started the daemon has gone, or wants it to go. */
export function readBoot(input: Readable): { boot: Promise<DaemonBoot>; ended: Promise<void> } {
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
  });
  return { boot: firstLine(input, ended).then(parseBoot), ended };
}

function firstLine(input: Readable, ended: Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = new LineSplitter();
    const refuse = (is: string, needed: string) => reject(new StartError('boot_invalid', `Cannot start the daemon: ${is}, ${needed} was needed`));
    const read = (bytes: Buffer) => {
      const line = lines.push(bytes)[0];
      if (!line && lines.pendingBytes <= limits.bootLineBytesMax) return;
      input.off('data', read);
      // Whatever follows is read and dropped, so that the end is seen.
      input.resume();
      if (line) resolve(line.toString());
      else refuse(`the first line of its input has more than ${limits.bootLineBytesMax} bytes`, 'a shorter one');
    };
    input.on('data', read);
    void ended.then(() => refuse('its input ended before a whole line', 'the boot document on one line'));
  });
}

/** Throws `boot_invalid` with the place of the first member that does not fit; the text itself may hold tokens and is not told. */
export function parseBoot(line: string): DaemonBoot {
  const boot = parse(line);
  const first = Value.Errors(bootSchema, boot).First();
  if (first) throw new StartError('boot_invalid', `Cannot start the daemon: ${first.path || 'the boot document'} does not fit (${first.message.toLowerCase()}), a boot document was needed`);
  return boot as DaemonBoot;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new StartError('boot_invalid', 'Cannot start the daemon: the first line of its input is no JSON, the boot document was needed');
  }
}

const name = Type.String({ minLength: 1 });
const token = Type.String({ minLength: 16, pattern: '^[\\x21-\\x7e]+$' });
const record = (value: TSchema) => Type.Record(Type.String(), value);

const bootSchema = Type.Object({
  stateDir: name,
  projectDir: name,
  rendererDir: name,
  windowToken: token,
  controlToken: token,
  composerDefaults: record(Type.Unknown()),
  record: Type.Optional(
    Type.Object({
      recordingId: name,
      folder: name,
      agentTargetId: name,
      machine: Type.Object({ roots: Type.Array(Type.String()), host: Type.String(), user: Type.String() }),
      recordedWith: Type.Object({ playhead: Type.String(), platform: Type.String() }),
      allow: Type.Array(Type.Object({ method: Type.Union([Type.String(), Type.Null()]), rule: Type.String() })),
    }),
  ),
  replay: Type.Optional(
    Type.Object({ cassetteId: name, folder: name, timing: Type.Union([Type.Literal('instant'), Type.Literal('recorded'), Type.Number({ exclusiveMinimum: 0 })]) }),
  ),
  providers: Type.Optional(record(Type.Object({ command: Type.Array(Type.String(), { minItems: 1 }), env: record(Type.String()) }))),
});
