// What `npm test` has the time for of `npm run alarms`: at least one damage for each layer that a product can break, one on
// Electron, and a few harmless changes.
const damages = ['prompt-template is', 'approval-dropped', 'second-launch', 'message-swallowed', 'window-settings is', 'window-breaks'].map((name) => `chromium: ${name}`);
const changes = ['other-ids', 'slower-store stays', 'other-chunk-names'].map((name) => `harmless: ${name}`);
process.argv.splice(2, Infinity, ...damages, 'electron: window-no-card', ...changes);
await import('./desktop-alarms.mjs');
