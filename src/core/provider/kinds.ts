/** Checkpoint kinds that a tape alone gives (stand-in e). */

import type { ObservationKind } from './adapter.ts';

export const observationKinds: readonly ObservationKind[] = [
  'session.ready',
  'turn.working',
  'tool.started',
  'interaction.pending',
  'interaction.resolved',
  'interaction.superseded',
  'tool.completed',
  'response.committed',
  'turn.canceled',
  'turn.terminal',
];
