/** The playing process of the throughput and memory promises: `<tape folder> <folder> <programs>`; ends with its stdin. */

import { openPlayer } from './stand-in.ts';

const [, , tapeFolder = '', folder = '', programs = ''] = process.argv;
const player = await openPlayer({ folder, tapeFolder, programs });
process.stdout.write(`${JSON.stringify({ program: player.program, cwd: player.cwd })}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
