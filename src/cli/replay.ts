import { parseTiming, readOverrides, type SurfaceOption } from '../runner/options.ts';
import { replayCases } from '../runner/replay-cases.ts';
import { Fault } from '../core/fault.ts';
import { createWorkroom } from '../runner/workroom.ts';
import { printVerdicts } from './output.ts';

/** `playhead replay <case or cassette dir…>` */
export async function replay(paths: string[], options: { timing?: string; surface?: string; headed?: boolean; json?: boolean }): Promise<number> {
  const overrides = readOverrides(process.env);
  const surface = options.surface ?? overrides.surface ?? 'auto';
  if (!['auto', 'chromium', 'electron', 'none'].includes(surface)) throw new Fault({ code: 'option_invalid', message: `Cannot use surface "${surface}": auto, chromium, electron or none was needed` });
  const timing = options.timing ? parseTiming(options.timing) : (overrides.timing ?? 'instant');
  const workroom = createWorkroom();
  try {
    const { verdicts, fault } = await replayCases({ paths, timing, surface: surface as SurfaceOption, isHeaded: options.headed === true, workroom, overrides });
    return printVerdicts(verdicts, { fault, isJson: options.json === true, known: { cases: paths, cassettes: paths } });
  } finally {
    workroom.remove();
  }
}
