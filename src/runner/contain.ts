/** A loopback-only network around a command, where the machine allows it (spec providers, network containment). */

import { spawnSync } from 'node:child_process';

export type Containment = { command: string[]; isContained: boolean; note: string };

/** The command inside a fresh network namespace with loopback up, or as it is with a note that says what is lost. */
export function contain(command: string[]): Containment {
  const enter = namespaceCommand();
  if (!enter) return { command, isContained: false, note: 'not contained: this machine allows no network namespace, so nothing but settings keeps the provider on loopback' };
  return { command: [...enter, 'sh', '-c', 'ip link set lo up && exec "$@"', 'contained', ...command], isContained: true, note: 'contained: a network namespace with loopback alone' };
}

function namespaceCommand(): string[] | null {
  if (process.platform !== 'linux') return null;
  for (const enter of [['unshare', '-n'], ['unshare', '-rn']]) {
    const [program = '', ...args] = enter;
    if (spawnSync(program, [...args, 'sh', '-c', 'ip link set lo up'], { stdio: 'ignore' }).status === 0) return enter;
  }
  return null;
}
