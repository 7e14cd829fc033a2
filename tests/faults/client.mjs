/** `client.mjs <events file> <step…>`: a backend that carries out steps and ends; its environment may be cut to a few names. */

import { appendFileSync } from 'node:fs';
import { createSteps } from './steps.mjs';

const [, , file, ...words] = process.argv;
const settings = Object.fromEntries(words.filter((word) => word.startsWith('@')).map((word) => word.slice(1).split('=')));
const tell = (event) => appendFileSync(file, `${JSON.stringify({ ...event, atMs: Math.round(performance.now()) })}\n`);
const allowed = settings.allow?.split(',');
const extra = settings.nodeOptions ? { NODE_OPTIONS: settings.nodeOptions.replaceAll('~', '=') } : {};
const env = { ...(allowed ? Object.fromEntries(allowed.map((name) => [name, process.env[name]])) : process.env), ...extra };
const { run } = createSteps({ tell, env, ...(settings.program ? { program: settings.program } : {}), ...(settings.cwd ? { cwd: settings.cwd } : {}) });
for (const word of words) if (!word.startsWith('@')) await run(word);
