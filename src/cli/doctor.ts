import { Fault, isFault } from '../core/fault.ts';
import { contain } from '../runner/contain.ts';
import { diagnoseMachine, type Finding } from '../runner/diagnose-machine.ts';
import { createWorkroom } from '../runner/workroom.ts';
import { countArrivals } from '../runner/wrap.ts';
import { nextSteps } from './next-steps.ts';
import { errorOf, print, printJson, say } from './output.ts';

/** `playhead doctor`: effective values with their origin; `--wrap` counts launches that reach a stand-in. */
export async function doctor(command: string[], options: { wrap?: boolean; seconds: string; json?: boolean }): Promise<number> {
  if (options.wrap) return countLaunches(command, options);
  const findings: Finding[] = [...(await diagnoseMachine(process.cwd(), process.env)), { name: 'containment', value: contain(['true']).note, origin: 'machine', isGood: true }];
  const bad = findings.find((finding) => !finding.isGood);
  const fault = bad && new Fault({ code: bad.name === 'node' ? 'runtime_too_old' : 'config_invalid', message: `Cannot call this machine ready: ${bad.name} is ${bad.value}` });
  if (options.json) printJson({ schemaVersion: 1, ...(fault ? { error: errorOf(fault, {}) } : {}), findings });
  else for (const { name, value, origin, isGood } of findings) print(`${name.padEnd(18)} ${value}  (${origin})`, { mark: isGood ? 'good' : 'bad' });
  return fault?.exitCode ?? 0;
}

async function countLaunches(command: string[], options: { seconds: string; json?: boolean }): Promise<number> {
  const seconds = Number(options.seconds);
  if (command.length === 0) throw new Fault({ code: 'usage', message: 'Cannot count launches: there is no command, doctor --wrap -- <command> was needed' });
  if (!(seconds > 0)) throw new Fault({ code: 'option_invalid', message: `Cannot use --seconds: it is "${options.seconds}", a number above 0 was needed` });
  const workroom = createWorkroom();
  try {
    const { arrivals, exitCode } = await countArrivals({ command, workroom, limitMs: seconds * 1000 });
    const launches = arrivals.map(({ provider, argv }) => ({ provider, argv }));
    const fault = launches.length > 0 ? null : new Fault({ code: 'provider_not_intercepted', message: `Cannot count launches of "${command.join(' ')}": none reached a stand-in, one was needed`, next: ['Start the provider by name from PATH, or by shim.path(provider)'] });
    if (options.json) printJson({ schemaVersion: 1, ...(fault ? { error: errorOf(fault, { command }) } : {}), arrived: launches.length, launches, exitCode });
    else {
      say(`${launches.length} launch(es) reached a stand-in; the command ended with ${exitCode}`);
      for (const { provider, argv } of launches) say(`  ${[provider, ...argv].join(' ')}`);
    }
    if (fault && !options.json) for (const step of nextSteps(fault.next, { command })) say(`  next  ${step}`);
    return fault?.exitCode ?? 0;
  } catch (error) {
    throw isFault(error) ? error : new Fault({ code: 'usage', message: `Cannot start "${command[0]}": ${error instanceof Error ? error.message : String(error)}, a program was needed`, cause: error });
  } finally {
    workroom.remove();
  }
}
