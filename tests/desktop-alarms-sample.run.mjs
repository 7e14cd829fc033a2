// What `npm test` has the time for of `npm run alarms`: at least one damage for each layer that a product can break, one on
// Electron, and a few harmless changes.
const sample = ['prompt-template is', 'approval-dropped', 'second-launch', 'message-swallowed', 'window-settings is', 'window-breaks', 'window-no-card', 'inspect-answers is', 'other-ids', 'slower-store stays', 'other-chunk-names'];
process.argv.splice(2, Infinity, ...sample.map((name) => `: ${name}`));
await import('./desktop-alarms.mjs');
