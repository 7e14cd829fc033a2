/** Daemons that do not start, or end in mid-replay. */

import { expectDivergence, expectFault } from '../faults/expect.mjs';

const file = 'daemon-replay.js';
const unit = '\t\tthis.#onUnit(unit);\n';
const endsAt = (count, how) => [{ file, find: unit, put: `${unit}\t\tif ((globalThis.unitCount = (globalThis.unitCount ?? 0) + 1) === ${count}) ${how};\n` }];
// The lane stands at the unit meanwhile: what the daemon told until then has reached the runner when it goes.
const exitWhenTold = '{ await new Promise((told) => setTimeout(told, 1_000)); process.exit(9); }';

export const daemonRows = [
  { name: 'daemon-throws', title: 'a daemon that throws while its modules load has not started', damages: [{ file, put: 'throw new Error("out of order");\n' }], judge: (result) => expectFault(result, { code: 'product_not_started', message: /its process ended with code 1/ }) },
  { name: 'daemon-exits', title: 'a daemon that leaves before it is ready has not started', damages: [{ file, put: 'process.exit(7);\n' }], judge: (result) => expectFault(result, { code: 'product_not_started', message: /its process ended with code 7/ }) },
  {
    name: 'daemon-ends-early', title: 'a daemon that ends while a command waits for its result fails the layer effect', damages: endsAt(5, exitWhenTold),
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
    judge: (result) => expectFault(result, { code: 'state_dir_taken', message: /another daemon that runs holds it/ }),
  },
  {
    name: 'database-corrupt', title: 'a database that is none is refused, and left as it is', imports: "import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';",
    wrap: "mkdirSync(stateDir, { recursive: true }); const [file, text] = [stateDir + '/agent.sqlite', 'no database '.repeat(400)]; writeFileSync(file, text);",
    // The folder goes with the run, so the product itself looks: its error takes the place of the fault.
    after: "if (!readFileSync(file).equals(Buffer.from(text))) throw new Error('the database was changed');",
    judge: (result, more) => expectFault(result, { code: 'database_corrupt', ...more }),
  },
];

export const hangingDaemon = { name: 'daemon-hangs', damages: [{ file, put: 'process.on("SIGTERM", () => {});\nsetInterval(() => {}, 1_000);\nawait new Promise(() => {});\n' }] };
export const hungDaemon = { name: 'daemon-hangs-in-mid-turn', base: 'desktop-approve-command', damages: endsAt(14, 'for (;;)') };
