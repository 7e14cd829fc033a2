/** Environment overrides for matrices, checked once (interface.md, benchmarks and precedence). */

import { Fault } from '../core/fault.ts';
import { limits } from '../core/limits.ts';
import type { Surface, Timing } from '../core/verdict/verdict.ts';

export type RunMode = 'replay' | 'record';
export type SurfaceOption = Surface | 'auto';

export type Overrides = { surface: SurfaceOption | null; timing: Timing | null; mode: RunMode | null; cases: string | null; stallMs: number; startMs: number; windowMs: number };

export function readOverrides(env: NodeJS.ProcessEnv): Overrides {
  return {
    surface: oneOf(env, 'PLAYHEAD_SURFACE', ['auto', 'electron', 'chromium', 'none']) as SurfaceOption | null,
    timing: env.PLAYHEAD_TIMING ? parseTiming(env.PLAYHEAD_TIMING) : null,
    mode: oneOf(env, 'PLAYHEAD_MODE', ['replay', 'record']) as RunMode | null,
    cases: env.PLAYHEAD_CASES || null,
    stallMs: milliseconds(env, 'PLAYHEAD_STALL_MS') ?? limits.stallMs,
    startMs: milliseconds(env, 'PLAYHEAD_START_MS') ?? limits.productStartMs,
    windowMs: milliseconds(env, 'PLAYHEAD_WINDOW_MS') ?? limits.windowMs,
  };
}

/** `instant`, `recorded`, or one of the speeds. */
export function parseTiming(text: string): Timing {
  if (text === 'instant' || text === 'recorded') return text;
  const speed = Number(text);
  if ([0.25, 0.5, 1, 2, 4].includes(speed)) return speed;
  throw invalid('timing', text, 'instant, recorded, 0.25, 0.5, 1, 2 or 4');
}

function milliseconds(env: NodeJS.ProcessEnv, name: string): number | null {
  const text = env[name];
  if (!text) return null;
  const ms = Number(text);
  if (Number.isSafeInteger(ms) && ms > 0) return ms;
  throw invalid(name, text, 'a number of milliseconds');
}

function oneOf(env: NodeJS.ProcessEnv, name: string, values: readonly string[]): string | null {
  const value = env[name];
  if (!value) return null;
  if (values.includes(value)) return value;
  throw invalid(name, value, values.join(', '));
}

function invalid(name: string, value: string, needed: string): Fault {
  return new Fault({ code: 'option_invalid', message: `Cannot use ${name}: it is "${value}", ${needed} was needed` });
}
