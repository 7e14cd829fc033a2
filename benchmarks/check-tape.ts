/** A process of its own that validates one tape and says how much memory it had at most. */

import { readFileSync } from 'node:fs';
import { acceptanceLevels } from '../src/core/issue.ts';
import { validate } from './validate-tape.ts';

// At every level, the secret scan included.
validate(process.argv[2] as string, acceptanceLevels);
// The most that this process ever had, where the system keeps it; maxRSS also counts what its parent had before it became this.
const kept = process.platform === 'linux' ? /VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] : undefined;
process.stdout.write(String(kept === undefined ? process.resourceUsage().maxRSS * 1024 : Number(kept) * 1024));
