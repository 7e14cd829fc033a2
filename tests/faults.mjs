/** Bad input and faults: each has its own code, exit code, place and next step, ends in bounded time and leaves nothing behind. */

import { checkEnds } from './faults/ends.mjs';
import { checkFloods } from './faults/floods.mjs';
import { checkLaunches } from './faults/launches.mjs';
import { checkProducts } from './faults/products.mjs';
import { createReport } from './faults/report.mjs';
import { checkTapes, dropSample } from './faults/tapes.mjs';

const report = createReport();
checkTapes(report.check);
checkLaunches(report.check);
checkProducts(report.check);
checkEnds(report.check);
checkFloods(report.check);
await report.run();
dropSample();
