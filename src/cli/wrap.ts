import { Fault } from '../core/fault.ts';
import type { Verdict } from '../core/verdict/verdict.ts';
import { parseTiming, readOverrides } from '../runner/options.ts';
import { createWorkroom } from '../runner/workroom.ts';
import { wrapRecord, wrapReplay } from '../runner/wrap.ts';
import { quoted } from './next-steps.ts';
import { printJson, printVerdicts, say } from './output.ts';

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
    const folder = options.replay ?? '';
    const { exitCode, verdict } = await wrapReplay({ providers, folder, command, workroom, output, timing, stallMs: overrides.stallMs });
    const filled = withWrapSteps(verdict, { providers, folder, command });
    return printVerdicts([filled], { fault: null, isJson: options.json === true, known: { cassettes: [folder], command } }) || exitCode;
  } finally {
    workroom.remove();
  }
}

// A tape without a case is replayed and recorded again by this command line, and by no verb that takes a case.
function withWrapSteps(verdict: Verdict, line: { providers: string[]; folder: string; command: string[] }): Verdict {
  const step = (words: string[]) => `playhead wrap ${quoted([...line.providers, ...words, '--', ...line.command])}`;
  const fill = (next: string[]) =>
    next.map((text) => {
      if (text.startsWith('playhead replay ')) return step(['--replay', line.folder, '--timing', 'recorded']);
      if (text.startsWith('playhead record ')) return step(['--record', `${line.folder.replace(/\/+$/, '')}.new`]);
      return text;
    });
  const { divergence, fault } = verdict;
  return { ...verdict, divergence: divergence && { ...divergence, next: fill(divergence.next) }, fault: fault && { ...fault, next: fill(fault.next) } };
}

// `<method>:<path>`, or `<path>` for any message.
function parseAllow(text: string): { method: string | null; rule: string } {
  const at = text.indexOf(':');
  return at < 0 ? { method: null, rule: text } : { method: text.slice(0, at), rule: text.slice(at + 1) };
}
