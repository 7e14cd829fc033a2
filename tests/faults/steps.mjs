/** A backend's side of `codex app-server`, one step at a time. What happens goes to `tell`. */

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

export function createSteps({ tell, cwd = process.cwd(), program = 'codex', env = process.env, longBytes = 9 * 1024 * 1024 }) {
  let child = null;
  let closed = null;
  let lastId = 0;
  let rest = [];
  const seen = [];
  let wake = () => {};

  function open(command = program) {
    child = spawn(command, ['app-server'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    const own = child;
    own.stdin.on('error', () => {});
    let errors = '';
    own.stderr.on('data', (read) => (errors += read));
    closed = new Promise((resolve) => {
      own.once('error', (error) => (tell({ event: 'failed', code: error.code }), resolve()));
      own.once('close', (code, signal) => {
        tell({ event: 'closed', code, signal, errors: errors.trim(), peakKib: peakKib });
        see({ method: 'closed' });
        resolve();
      });
    });
    own.stdout.on('data', (read) => {
      let from = 0;
      for (let at = read.indexOf(10); at >= 0; at = read.indexOf(10, from)) {
        take(Buffer.concat([...rest, read.subarray(from, at)]));
        rest = [];
        from = at + 1;
      }
      if (from < read.length) rest.push(read.subarray(from));
    });
  }

  // A flood is counted, not kept.
  function take(line) {
    byteCount += line.length + 1;
    if (line.includes('"item/agentMessage/delta"')) return void (deltaCount++, seen.some(({ method }) => method === 'delta') || see({ method: 'delta' }));
    see(JSON.parse(line));
  }

  function see(message) {
    seen.push(message);
    wake();
  }

  async function wait(isWanted) {
    for (;;) {
      const at = seen.findIndex((message) => isWanted(message) || message.method === 'closed');
      if (at >= 0) return seen[at].method === 'closed' ? seen[at] : seen.splice(at, 1)[0];
      await new Promise((resolve) => (wake = resolve));
    }
  }

  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
  async function call(method, params) {
    const id = ++lastId;
    send({ method, id, params });
    const answer = await wait((message) => message.id === id && message.method === undefined);
    tell({ event: 'answer', method, ok: answer.result !== undefined, error: answer.error?.message ?? null, lost: answer.method === 'closed' });
    return answer;
  }
  const startTurn = (text) => call('turn/start', { threadId: 't', input: [{ type: 'text', text, text_elements: [] }] });
  let byteCount = 0;
  let deltaCount = 0;
  let peakKib = null;

  const steps = {
    open: (command) => open(command),
    async hello() {
      if (!child) open();
      await call('initialize', { clientInfo: { name: 'steps', title: 'Steps', version: '1' }, capabilities: null });
      send({ method: 'initialized' });
      await call('thread/start', { cwd });
    },
    /** Starts a turn and waits for its end. */
    async turn(text) {
      const answer = await startTurn(text);
      if (answer.result === undefined) return;
      const end = await wait((message) => message.method === 'turn/completed');
      tell({ event: 'turn', status: end.params?.turn.status ?? 'lost', byteCount, deltaCount });
    },
    begin: (text) => startTurn(text),
    async wait(method) {
      const found = await wait((message) => message.method === method);
      tell({ event: 'came', method: found.method });
    },
    answer: (decision) => void send({ id: 0, result: { decision } }),
    long: () => call('turn/start', { threadId: 't', input: [{ type: 'text', text: 'y'.repeat(longBytes), text_elements: [] }] }),
    async half() {
      child.stdin.write('{"method":"turn/sta');
      child.stdin.end();
      await closed;
    },
    async close() {
      peakKib = peakOf(child.pid);
      child.stdin.end();
      await closed;
    },
    async signal(name) {
      child.kill(name);
      await closed;
    },
    closed: () => closed,
    again() {
      child = null;
    },
    /** Runs the provider with other arguments, for a probe. */
    probe(words) {
      const { status, stdout, stderr } = spawnSync(program, words.split(' '), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      tell({ event: 'probe', code: status, text: String(stdout).trim(), errors: String(stderr).trim() });
    },
    /** Removes the socket behind the stand-ins. */
    unlink: () => rmSync(`${env.PATH.split(':')[0]}/../tape.sock`),
    exit: (code) => process.exit(Number(code)),
    hang: () => new Promise(() => setInterval(() => {}, 60_000)),
    ignore: (name) => void process.on(name, () => {}),
    say: (text) => tell({ event: 'said', text }),
    env: (name) => tell({ event: 'env', name, value: env[name] ?? null }),
    pid: () => tell({ event: 'pid', pid: child.pid }),
  };
  return { run: (step) => runStep(steps, step), children: () => child };
}

async function runStep(steps, step) {
  const at = step.indexOf('=');
  const name = at < 0 ? step : step.slice(0, at);
  if (!steps[name]) throw new Error(`there is no step "${name}"`);
  await steps[name](at < 0 ? undefined : step.slice(at + 1));
}


/** Highest resident memory of a process so far, in KiB. */
export function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return null;
  }
}
