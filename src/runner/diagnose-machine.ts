/** What the machine and the configuration give, each value with its origin (interface.md, precedence). */

import { isFault } from '../core/fault.ts';
import { providers } from '../providers/registry.ts';
import { loadConfig } from './config.ts';
import { readOverrides } from './options.ts';
import { realProgram } from './real-program.ts';
import { playheadVersion } from './versions.ts';

export type Finding = { name: string; value: string; origin: string; isGood: boolean };

export async function diagnoseMachine(folder: string, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const overrides = readOverrides(env);
  const from = (name: string) => (env[name] ? `environment ${name}` : 'default');
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const findings: Finding[] = [
    { name: 'playhead', value: playheadVersion(), origin: 'package', isGood: true },
    { name: 'node', value: process.version, origin: 'machine', isGood: major > 22 || (major === 22 && minor >= 13) },
    { name: 'timing', value: String(overrides.timing ?? 'instant'), origin: from('PLAYHEAD_TIMING'), isGood: true },
    { name: 'surface', value: overrides.surface ?? 'auto', origin: from('PLAYHEAD_SURFACE'), isGood: true },
    { name: 'mode', value: overrides.mode ?? 'replay', origin: from('PLAYHEAD_MODE'), isGood: true },
    { name: 'stall limit', value: `${overrides.stallMs} ms`, origin: from('PLAYHEAD_STALL_MS'), isGood: true },
  ];
  try {
    const { path, config } = await loadConfig(folder);
    findings.push({ name: 'configuration', value: path, origin: 'found', isGood: true }, { name: 'products', value: Object.keys(config.products).join(', ') || 'none', origin: 'playhead.config', isGood: true });
    for (const provider of providers) findings.push(providerFinding(provider.id, config.providers?.[provider.id]));
  } catch (error) {
    if (!isFault(error)) throw error;
    // `wrap` needs none.
    const isMissing = error.code === 'config_missing';
    findings.push({ name: 'configuration', value: isMissing ? 'none found: wrap works, cases need one' : error.message, origin: 'search', isGood: isMissing });
    for (const provider of providers) findings.push(providerFinding(provider.id, undefined));
  }
  return findings;
}

// Only record mode needs the real program, so its absence is no failure.
function providerFinding(provider: string, configured: string | undefined): Finding {
  const program = realProgram(provider, configured);
  return { name: provider, value: program ? program.program : 'not found: replay works, record does not', origin: configured ? 'playhead.config' : 'PATH', isGood: true };
}
