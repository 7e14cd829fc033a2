// Preloaded into a product under test: exchanges exact source texts while its modules load. Nothing of the product knows.
// A text that is not there ends the process, so that a damage can never be silently absent.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { exchange } from './exchange.mjs';

const { swaps, isApplied } = JSON.parse(readFileSync(process.env.ALARM_PATCH, 'utf8'));

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const own = swaps.filter((swap) => url.endsWith(`/chat-node/${swap.file}`));
    if (own.length === 0) return loaded;
    const source = exchange(String(loaded.source), own);
    return isApplied ? { ...loaded, source } : loaded;
  },
});
