/** A provider program with the shapes of `codex app-server`; what it does in a turn stands in the prompt. */

import { createInterface } from 'node:readline';

const version = process.env.FAKE_CODEX_VERSION ?? '0.171.0';
if (process.argv.includes('--version')) {
  console.log(`codex-cli ${version}`);
  process.exit(0);
}
if (!process.argv.includes('app-server')) {
  console.error(`codex: unknown arguments ${process.argv.slice(2).join(' ')}`);
  process.exit(2);
}
const threadId = `thread-${process.pid}`;
let turnId = '';
let isStreaming = false;

const write = (message) => new Promise((resolve) => (process.stdout.write(`${JSON.stringify(message)}\n`) ? resolve() : process.stdout.once('drain', resolve)));
const notify = (method, params) => write({ method, params: { threadId, turnId, ...params } });
const complete = (status = 'completed') => notify('turn/completed', { turn: { id: turnId, status, items: [], error: null } });

const turns = {
  async hello() {
    await notify('item/agentMessage/delta', { itemId: 'm1', delta: 'Hello.' });
    await notify('item/completed', { item: { type: 'agentMessage', id: 'm1', text: 'Hello.' } });
    await complete();
  },
  async approve() {
    await notify('item/started', { item: { type: 'commandExecution', id: 'c1', command: 'true', cwd: process.cwd(), status: 'inProgress' } });
    await write({ method: 'item/commandExecution/requestApproval', id: 0, params: { threadId, turnId, itemId: 'c1', command: 'true', cwd: process.cwd() } });
  },
  async stay() {},
  async stream() {
    isStreaming = true;
    for (let i = 0; isStreaming && i < 100_000; i++) await notify('item/agentMessage/delta', { itemId: 'm1', delta: `${i} ` }).then(() => new Promise(setImmediate));
  },
  async flood(mebibytes) {
    const delta = 'x'.repeat(65_000);
    for (let i = 0; i < Number(mebibytes) * 16; i++) await notify('item/agentMessage/delta', { itemId: 'm1', delta });
    await complete();
  },
  async long() {
    await notify('item/agentMessage/delta', { itemId: 'm1', delta: 'x'.repeat(longBytes) });
    await complete();
  },
  async longPath() {
    await notify('item/completed', { item: { type: 'commandExecution', id: 'c1', cwd: process.cwd(), aggregatedOutput: 'x'.repeat(longBytes), status: 'completed' } });
    await complete();
  },
  drop: (code) => process.exit(Number(code)),
  async leave(code) {
    await complete();
    process.stdout.write('', () => process.exit(Number(code)));
  },
};

const calls = {
  initialize: () => ({ userAgent: `fake/${version} (Test)`, codexHome: process.env.HOME, platformOs: 'linux' }),
  'thread/start': ({ cwd }) => ({ thread: { id: threadId, cwd: cwd ?? process.cwd(), cliVersion: version }, cwd: cwd ?? process.cwd() }),
  'turn/start'({ input }) {
    const [name, argument] = input[0].text.split(':');
    turnId = `turn-${process.pid}`;
    setImmediate(async () => {
      await notify('turn/started', { turn: { id: turnId, status: 'inProgress', items: [] } });
      await (turns[name] ?? turns.hello)(argument);
    });
    return { turn: { id: turnId, status: 'inProgress' } };
  },
  async 'turn/interrupt'() {
    isStreaming = false;
    setImmediate(() => complete('interrupted'));
    return {};
  },
};

async function answerApproval(id, { decision }) {
  await notify('serverRequest/resolved', { requestId: id });
  await notify('item/completed', { item: { type: 'commandExecution', id: 'c1', status: decision === 'accept' ? 'completed' : 'declined' } });
  await complete();
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) return answerApproval(id, result);
  const call = calls[method];
  if (id !== undefined) await write(call ? { id, result: await call(params) } : { id, error: { code: -32601, message: `no ${method}` } });
}).on('close', () => process.exit(0));
process.on('SIGTERM', () => process.exit(Number(process.env.FAKE_CODEX_TERM_CODE ?? 0)));

const longBytes = 9 * 1024 * 1024;
