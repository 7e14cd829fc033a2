import { Fault } from '../core/fault.ts';
import { parseTiming, readOverrides } from '../runner/options.ts';
import { createWorkroom } from '../runner/workroom.ts';
import { wrapRecord, wrapReplay } from '../runner/wrap.ts';
import { exitCodeOf, printJson, printVerdict, printVerdicts, say } from './output.ts';

/** `playhead wrap <provider…> --record|--replay <dir> -- <command…>` */
export async function wrap(line: { words: string[]; command: string[] }, options: { record?: string; replay?: string; timing?: string; allow: string[]; json?: boolean }): Promise<number> {
  const { command } = line;
  const providers = line.words.filter((word, i) => !word.startsWith('-') && !['--record', '--replay', '--timing', '--allow'].includes(line.words[i - 1] ?? ''));
  if (command.length === 0) throw new Fault({ code: 'usage', message: 'Cannot wrap: there is no command, -- and a command were needed behind the options' });
  if ((options.record === undefined) === (options.replay === undefined)) throw new Fault({ code: 'usage', message: 'Cannot wrap: exactly one of --record and --replay was needed' });
  const workroom = createWorkroom();
  try {
    const output = options.json ? 'stderr' : 'inherit';
    if (options.record !== undefined) {
      const { exitCode, cassette } = await wrapRecord({ providers, folder: options.record, command, workroom, output, allow: options.allow.map(parseAllow) });
      if (options.json) printJson({ schemaVersion: 1, result: 'recorded', exitCode, cassette });
      else say(`recorded ${cassette.dir} (${cassette.id})`);
      return exitCode;
    }
    const overrides = readOverrides(process.env);
    const timing = options.timing ? parseTiming(options.timing) : (overrides.timing ?? 'instant');
    const { exitCode, verdict } = await wrapReplay({ providers, folder: options.replay ?? '', command, workroom, output, timing, stallMs: overrides.stallMs });
    if (options.json) printVerdicts([verdict]);
    else printVerdict(verdict);
    return exitCodeOf([verdict]) || exitCode;
  } finally {
    workroom.remove();
  }
}

// `<method>:<path>`, or `<path>` for any message.
function parseAllow(text: string): { method: string | null; rule: string } {
  const at = text.indexOf(':');
  return at < 0 ? { method: null, rule: text } : { method: text.slice(0, at), rule: text.slice(at + 1) };
}
