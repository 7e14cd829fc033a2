/** Memory of the stand-in and of the process that plays, while 128 MiB pass in chunks of 64 KiB. */

import { playThrough } from './play-through.ts';
import { judge, median, type Benchmark } from './promise.ts';

export const playerRss: Benchmark = {
  names: ['player-rss'],
  async measure([name = ''], say) {
    say(`${name}: ${roundCount} rounds of 128 MiB`);
    const standIns: number[] = [];
    const players: number[] = [];
    for (let round = 0; round < roundCount; round++) {
      const played = await playThrough(65_536);
      standIns.push(played.standInPeakBytes / mebibyte);
      players.push(played.playerPeakBytes / mebibyte);
    }
    const [standIn, player] = [median(standIns), median(players)];
    const parts = `stand-in ${standIn.toFixed(0)} MiB, player ${player.toFixed(0)} MiB`;
    return [judge({ name, unit: 'MiB', ours: standIn + player, floor: null, wanted: { atMost: 150 }, of: 'ours', note: `${parts}: peaks of both processes added, reading and judging the tape included${standIn === 0 ? '; this system keeps no peaks' : ''}` })];
  },
};

const roundCount = 3;
const mebibyte = 1_048_576;
