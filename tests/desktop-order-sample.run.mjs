// What `npm test` has the time for of `npm run order`: everything that can change the order, at once.
process.argv.splice(2, Infinity, 'all-at-once');
await import('./desktop-order.mjs');
