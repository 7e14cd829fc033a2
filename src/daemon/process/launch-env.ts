/** Variables of a live launch that a recorder has to know: the folders behind the home tokens are among them (replay-runtime 1.5). */

import type { DaemonBoot } from '../../core/control/boot.ts';

/** `NAME=value`, of the one provider that this slice starts. */
export function launchEnv({ providers }: Pick<DaemonBoot, 'providers'>, env: { [name: string]: string | undefined }): string[] {
  const personal = env['HOME'] === undefined ? {} : { HOME: env['HOME'] };
  return Object.entries({ ...personal, ...providers?.['codex']?.env }).map(([name, value]) => `${name}=${value}`);
}
