/** Daemons that do not start, or end in mid-replay. */

import { expectDivergence, expectFault } from '../faults/expect.mjs';

const file = 'daemon-replay.js';
const unit = '\t\tthis.#onUnit(unit);\n';
const endsAt = (count, how) => [{ file, find: unit, put: `${unit}\t\tif ((globalThis.unitCount = (globalThis.unitCount ?? 0) + 1) === ${count}) ${how};\n` }];

export const daemonRows = [
  { name: 'daemon-throws', title: 'a daemon that throws while its modules load has not started', damages: [{ file, put: 'throw new Error("out of order");\n' }], judge: (result) => expectFault(result, { code: 'product_not_started', exitCode: 3, message: /its process ended with code 1/ }) },
  { name: 'daemon-exits', title: 'a daemon that leaves before it is ready has not started', damages: [{ file, put: 'process.exit(7);\n' }], judge: (result) => expectFault(result, { code: 'product_not_started', exitCode: 3, message: /its process ended with code 7/ }) },
  {
    name: 'daemon-ends-early', title: 'a daemon that ends while a command waits for its result fails the layer effect', damages: endsAt(5, 'process.exit(9)'),
    judge: (result) => expectDivergence(result, { layer: 'effect', code: 'product_ended', message: /its process ended with .*; awaited was: / }),
  },
  {
    name: 'daemon-ends', base: 'desktop-approve-command', title: 'a daemon that ends in mid-turn fails the layer of what was awaited', damages: endsAt(14, 'process.exit(9)'),
    judge: (result) => expectDivergence(result, { layer: 'transport', code: 'product_ended', message: /its process ended with .*; awaited was: / }),
  },
  {
    name: 'daemon-killed', base: 'desktop-approve-command', title: 'a daemon that is killed in mid-turn fails the layer of what was awaited', damages: endsAt(14, 'process.kill(process.pid, "SIGKILL")'),
    judge: (result) => expectDivergence(result, { layer: 'transport', code: 'product_ended', message: /its process ended with .*; awaited was: / }),
  },
  {
    name: 'state-taken', title: 'a state folder that another process holds is refused', imports: "import { DatabaseSync } from 'node:sqlite';\nimport { mkdirSync } from 'node:fs';",
    wrap: "mkdirSync(stateDir, { recursive: true }); const lock = new DatabaseSync(stateDir + '/daemon.lock', { timeout: 0 }); lock.exec('BEGIN EXCLUSIVE'); globalThis.lock = lock;",
    judge: (result) => expectFault(result, { code: 'state_dir_taken', exitCode: 3, message: /another daemon that runs holds it/ }),
  },
  {
    name: 'database-corrupt', title: 'a database that is none is refused, and left as it is', imports: "import { mkdirSync, writeFileSync } from 'node:fs';",
    wrap: "mkdirSync(stateDir, { recursive: true }); writeFileSync(stateDir + '/agent.sqlite', 'no database '.repeat(400));",
    judge: (result) => expectFault(result, { code: 'database_corrupt', exitCode: 3 }),
  },
];

export const hangingDaemon = { name: 'daemon-hangs', damages: [{ file, put: 'process.on("SIGTERM", () => {});\nsetInterval(() => {}, 1_000);\nawait new Promise(() => {});\n' }] };
