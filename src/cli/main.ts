/** The command `playhead`, behind `bin.ts`. Exit codes: 0 good, 1 not as recorded, 2 wrong usage or refused, 3 the environment failed, 130 interrupted. */

import { Command, CommanderError, Option } from 'commander';
import { Fault } from '../core/fault.ts';
import { interruptChildren } from '../runner/child.ts';
import { playheadVersion } from '../runner/versions.ts';
import { doctor } from './doctor.ts';
import { list } from './list.ts';
import type { Known } from './next-steps.ts';
import { printError, printInterrupted } from './output.ts';
import { pathsOf, record, type RecordOptions } from './record.ts';
import { rename } from './rename.ts';
import { replay } from './replay.ts';
import { validate } from './validate.ts';
import { wrap } from './wrap.ts';

let isInterrupted = false;
const isJson = process.argv.includes('--json') && !isBehindDashes('--json');

const program = new Command('playhead')
  .description('Recorded agent sessions as regression tests.')
  .version(playheadVersion(), '--version', 'print the version')
  .helpOption('--help', 'print this help')
  .helpCommand(false)
  .enablePositionalOptions()
  .exitOverride()
  .configureOutput({ writeErr: () => {} })
  .action(() => program.outputHelp());

const json = () => new Option('--json', 'print exactly one document on stdout');
const timing = () => new Option('--timing <timing>', 'instant, recorded, or a speed: 0.25, 0.5, 1, 2, 4');

verb('wrap', 'run a command with provider programs replaced by stand-ins')
  .argument('<provider...>', 'programs to replace, then -- and the command')
  .option('--record <dir>', 'tee the real programs into a tape')
  .option('--replay <dir>', 'play the tape; exit 1 on a divergence, else the command’s own code')
  .option('--allow <rule>', 'record although a machine path remains there, as <method>:<path>; repeatable', (rule: string, rules: string[]) => [...rules, rule], [] as string[])
  .addOption(timing())
  .addOption(json())
  .action((_providers: string[], options: object) => run(() => wrap(splitAtDashes(), options as never), () => ({ command: splitAtDashes().command })));

verb('record', 'run the scenario against the real provider, seal and qualify')
  .argument('[case...]', 'case folders')
  .option('--all', 'every case below PLAYHEAD_CASES, else below cases')
  .option('--check', 'compare with the committed cassette and write nothing')
  .addOption(json())
  .action((cases: string[], options: RecordOptions) => run(() => record(cases, options), () => ({ cases: pathsOf(cases, options) })));

verb('replay', 'replay cases or cassettes')
  .argument('<path...>', 'case folders, folders of cases, or cassettes of a case')
  .addOption(timing())
  .option('--surface <surface>', 'auto, chromium, electron or none')
  .option('--headed', 'show the window')
  .addOption(json())
  .action((paths: string[], options: object) => run(() => replay(paths, options as never), () => ({ cases: paths, cassettes: paths })));

verb('validate', 'judge cassettes on every level, every issue')
  .argument('<dir...>', 'cassettes, case folders, or folders of either')
  .option('--level <names>', 'ask these readers alone, with commas between them: resolve, tape_load, runner, publish')
  .addOption(json())
  .action((folders: string[], options: object) => run(() => validate(folders, options as never), () => ({ cases: folders, cassettes: folders })));

verb('list', 'cases and their cassettes')
  .argument('[dir]', 'folder of cases; default PLAYHEAD_CASES, else cases')
  .addOption(json())
  .action((folder: string | undefined, options: object) => run(() => list(folder, options as never), () => ({})));

verb('rename', 'give a v7 cassette another name')
  .argument('<cassette>', 'folder of a published cassette')
  .argument('<name>', '1 to 120 characters')
  .addOption(json())
  .action((cassette: string, name: string, options: object) => run(() => rename(cassette, name, options as never), () => ({ cassettes: [cassette] })));

verb('doctor', 'what this machine and configuration give')
  .option('--wrap', 'start the command behind -- and count provider launches')
  .option('--seconds <n>', 'end the command after that time', '10')
  .argument('[command...]')
  .addOption(json())
  .action((_command: string[], options: object) => run(() => doctor(splitAtDashes().command, options as never), () => ({ command: splitAtDashes().command })));

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void interrupt(signal));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = finish(error);
}

// `known` fills the next steps of a fault.
async function run(action: () => Promise<number>, known: () => Known): Promise<void> {
  try {
    process.exitCode = await action();
  } catch (error) {
    process.exitCode = printError(error, { isJson, known: known() });
  }
}

// A second Ctrl-C does not wait for the children.
async function interrupt(signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  const exitCode = signal === 'SIGINT' ? 130 : 143;
  if (isInterrupted) process.exit(exitCode);
  isInterrupted = true;
  if (isJson) printInterrupted(signal);
  await interruptChildren(signal);
  process.exit(exitCode);
}

function verb(name: string, summary: string): Command {
  return program.command(name).description(summary).helpOption('--help', 'print this help').exitOverride().configureOutput({ writeErr: () => {} });
}

function finish(error: unknown): number {
  if (!(error instanceof CommanderError)) return printError(error, { isJson, known: {} });
  if (error.exitCode === 0) return 0;
  // A wrong verb comes first: what is wrong with its options cannot be known.
  const word = process.argv.slice(2).find((argument) => !argument.startsWith('-'));
  const unknown = word !== undefined && !program.commands.some((command) => command.name() === word) ? word : null;
  const nearest = unknown === null ? null : nearestVerb(unknown);
  const text = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  const message = unknown !== null ? `Cannot run "${unknown}": it is no verb${nearest ? `, "${nearest}" is near` : ', one of playhead --help was needed'}` : `Cannot read the command line: ${text}, see playhead --help`;
  return printError(new Fault({ code: 'usage', message, ...(nearest ? { next: [`playhead ${nearest} --help`] } : {}) }), { isJson, known: {} });
}

function nearestVerb(word: string): string | null {
  const distances = program.commands.map((command) => ({ name: command.name(), distance: editDistance(word, command.name()) })).sort((a, b) => a.distance - b.distance);
  const best = distances[0];
  return best && best.distance <= Math.max(2, word.length / 2) ? best.name : null;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The words before `--` after the verb, and the command behind it. */
function splitAtDashes(): { words: string[]; command: string[] } {
  const at = process.argv.indexOf('--');
  const words = process.argv.slice(3, at < 0 ? undefined : at);
  return { words, command: at < 0 ? [] : process.argv.slice(at + 1) };
}

function isBehindDashes(word: string): boolean {
  const at = process.argv.indexOf('--');
  return at >= 0 && process.argv.indexOf(word) > at;
}
