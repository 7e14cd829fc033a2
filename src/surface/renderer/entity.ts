/** Attributes by which tests and the runner find what an element shows (window contract). */

import type { ShownEntity } from '../../core/control/daemon.ts';

export type EntityAttributes = { 'data-entity': ShownEntity['kind']; 'data-id': string; 'data-session': string; 'data-status': string };

export function entityAttributes({ kind, id, sessionId, status }: ShownEntity): EntityAttributes {
  return { 'data-entity': kind, 'data-id': id, 'data-session': sessionId, 'data-status': status };
}
