/** 128 MiB through player, socket and stand-in, beside a bare pipe between two Nodes. */

import { barePipe, playThrough } from './play-through.ts';
import { interleave, judge, type Benchmark } from './promise.ts';

export const playerThroughput: Benchmark = {
  names: ['player-throughput-64k', 'player-throughput-1k'],
  async measure(names, say) {
    const promises = [];
    for (const name of names) {
      const messageBytes = name.endsWith('-64k') ? 65_536 : 1_024;
      say(`${name}: ${roundCount} rounds of 128 MiB each`);
      const { ours, floor } = await interleave({ rounds: roundCount, ours: async () => (await playThrough(messageBytes)).mebibytesPerSecond, floor: () => barePipe(messageBytes) });
      promises.push(judge({ name, unit: 'MiB/s', ours, floor, wanted: { atLeast: 0.5 }, of: 'ratio', note: `128 MiB in messages of ${messageBytes} bytes, median of ${roundCount}; the floor is a node child that writes the same sizes to the same reader` }));
    }
    return promises;
  },
};

const roundCount = 5;
