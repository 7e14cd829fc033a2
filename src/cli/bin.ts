#!/usr/bin/env node
/** What `playhead` starts: it asks for the version of Node before anything that an older one could not even read. */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 13)) await import('./main.ts');
else refuse(`Cannot run playhead: this is Node ${process.versions.node}, 22.13 or newer was needed`);

// Note: no import above the check, and no syntax younger than Node 14.
function refuse(message: string): void {
  const next = 'Install Node 22.13 or newer';
  const error = { code: 'runtime_too_old', message, at: null, facts: { node: process.versions.node }, next: [next] };
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ schemaVersion: 1, error }, null, 2)}\n`);
  else process.stderr.write(`${message}\n`);
  process.exitCode = 3;
}
