/** The hostile cassette alone, in every run; the other faults of a desktop take longer and are `npm run faults`. */
process.argv.push('hostile');
await import('./desktop-faults.mjs');
