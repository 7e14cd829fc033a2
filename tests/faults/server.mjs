/** A backend with an address: `POST /` with a JSON list of steps carries them out and answers with what happened. */

import { createServer } from 'node:http';
import { createSteps } from './steps.mjs';

const [, , behaviour = 'serve', cwd = process.cwd()] = process.argv;
const events = [];
const { run } = createSteps({ tell: (event) => events.push(event), cwd });

const server = createServer(async (request, response) => {
  let body = '';
  for await (const read of request) body += read;
  for (const step of JSON.parse(body || '[]')) await run(step);
  response.end(JSON.stringify(events.splice(0)));
});

if (behaviour === 'die') {
  console.error('Error: the database is away');
  process.exit(4);
}
if (behaviour === 'mute') setInterval(() => {}, 60_000);
else server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/` })));
