/** Every provider that can be recorded and replayed; unregistered names fail closed (cassette-contract 11). */

import type { ProviderAdapter } from '../core/provider/adapter.ts';
import { codex } from './codex/adapter.ts';

export const providers: readonly ProviderAdapter[] = [codex];

/** Trimmed and without regard to case. */
export function findProvider(name: string): ProviderAdapter | null {
  const wanted = name.trim().toLowerCase();
  return providers.find((provider) => provider.id === wanted) ?? null;
}
