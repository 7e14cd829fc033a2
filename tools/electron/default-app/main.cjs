// `electron [-r <module>]… [switches] <app folder or file>`: loads the modules, then the app in their place.
const { app } = require('electron');
const { createRequire } = require('node:module');
const { existsSync, readFileSync, statSync } = require('node:fs');
const path = require('node:path');

function readCommandLine(argv) {
  const preloads = [];
  for (let index = 0; index < argv.length; index++) {
    const arg = argv[index];
    if (arg === '-r' || arg === '--require') preloads.push(argv[++index]);
    else if (!arg.startsWith('-')) return { preloads, target: path.resolve(arg) };
  }
  return { preloads, target: null };
}

// The file to load; a folder also names the app, so that its name and its version are not ours.
function openApp(target) {
  if (!existsSync(target) || !statSync(target).isDirectory()) return target;
  const manifest = JSON.parse(readFileSync(path.join(target, 'package.json'), 'utf8'));
  app.setAppPath(target);
  app.setName(manifest.productName ?? manifest.name ?? path.basename(target));
  if (manifest.version) app.setVersion(manifest.version);
  return path.join(target, manifest.main ?? 'index.js');
}

function refuse(message) {
  process.stderr.write(`${message}\n`);
  app.exit(2);
}

// Without it a defect in the app opens a dialog that nobody closes.
process.once('uncaughtException', (error) => refuse(`Cannot start the app: ${error.stack ?? error}, an app that loads was needed`));

const { preloads, target } = readCommandLine(process.argv.slice(1));
process.defaultApp = true;
const requireFromHere = createRequire(path.join(process.cwd(), 'command-line'));
for (const preload of preloads) requireFromHere(preload);
if (target === null) refuse('Cannot start an app: the command line names none, the path of a folder was needed');
else requireFromHere(openApp(target));
