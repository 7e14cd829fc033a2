// In place of a real CLI that is not installed: answers each request with what the chat needs to call itself ready.
import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method && id !== undefined) process.stdout.write(`${JSON.stringify({ id, result: { thread: { id: 'thread' } } })}\n`);
});
