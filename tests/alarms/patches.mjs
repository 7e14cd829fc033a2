/** Texts of fixtures/products/chat-node and what a damage, or a harmless change, puts in their place. */

const inSession = (text, by, count) => ({ file: 'session.mjs', text, by, ...(count ? { count } : {}) });
const inCodex = (text, by, count) => ({ file: 'codex.mjs', text, by, ...(count ? { count } : {}) });
const inServer = (text, by) => ({ file: 'server.mjs', text, by });

const places = {
  threadStart: 'const { thread } = await session.codex.call("thread/start", { cwd: session.cwd, approvalPolicy: "untrusted" });',
  initialized: 'session.codex.send({ method: "initialized" });',
  turnRefused: '.catch((error) => show(session, "ready", error.message));',
  openRefused: 'open(session).catch((error) => show(session, "error", error.message));',
  turnStart: 'session.codex.call("turn/start", { threadId: session.threadId, input: [{ type: "text", text, text_elements: [] }] })',
  answer: 'session.codex.send({ id: session.approvals.get(key), result: { decision } });',
  ask: 'function ask(session, method, id, { itemId, command, reason }) {',
  turnEnded: 'session.turnId = undefined;',
  receive: 'for (const line of lines) receive(JSON.parse(line));',
  send: 'const send = (message) => child.stdin.write(`${JSON.stringify(message)}\\n`);',
  spawn: 'const child = spawn("codex", ["app-server"], { cwd, stdio: ["pipe", "pipe", "inherit"] });',
  ready: 'session.threadId = thread.id;',
  closeAll: 'await Promise.all(agents.map((codex) => codex.close()));',
};

const success = 'publish(session, { type: "message", id: "fake", text: "Hello to the whole team! The release note is in place. note written" }); publish(session, { type: "turn", status: "completed" }); show(session, "ready");';

/** The product takes every refusal for a success, and shows one. */
const swallowed = [
  inSession(places.turnRefused, `.catch(() => { ${success} });`),
  inSession(places.openRefused, 'open(session).catch(() => show(session, "ready"));'),
];

export const damages = {
  promptSpace: [inSession('[{ type: "text", text, text_elements: [] }]', '[{ type: "text", text: `${text} `, text_elements: [] }]')],
  approvalDropped: [inSession(places.answer, '')],
  approvalDroppedHidden: [inSession(places.answer, `publish(session, { type: "resolved", id: key }); ${success}`)],
  messageDoubled: [inSession(places.turnRefused, `${places.turnRefused} ${places.turnStart}.catch(() => {});`)],
  // Later than the stall limit of the nested run.
  approvalLate: [inSession(places.answer, 'const id = session.approvals.get(key); setTimeout(() => session.codex.send({ id, result: { decision } }), 4_000);')],
  otherParameter: [inSession('approvalPolicy: "untrusted"', 'approvalPolicy: "never"')],
  neverStarted: [inSession('from "./codex.mjs";', `from ${JSON.stringify(new URL('canned-codex.mjs', import.meta.url).href)};`)],
  secondProcess: [inSession(places.openRefused, `startCodex({ cwd, onNotice() {}, onRequest() {}, onEnd() {} }); ${places.openRefused}`)],
  wrongOrder: [inSession(places.initialized, ''), inSession(places.threadStart, `const starting = ${places.threadStart.slice('const { thread } = await '.length)} ${places.initialized} const { thread } = await starting;`)],
  replySwallowed: [inSession(places.threadStart, `${places.threadStart.replace('const { thread } = await ', '').replace(/;$/, '.catch(() => {});')} const { thread } = await new Promise(() => {});`)],
  killed: [inSession(places.ask, `${places.ask} session.codex.kill();`)],
  terminated: [inSession(places.ask, `${places.ask} session.codex.kill();`), inCodex('child.kill("SIGKILL")', 'child.kill("SIGTERM")')],
  extraBefore: [inSession(places.threadStart, `session.codex.call("model/list", {}).catch(() => {}); ${places.threadStart}`)],
  extraLate: [inSession(places.turnEnded, `${places.turnEnded} setTimeout(() => { session.codex.call("model/list", {}).catch(() => {}); publish(session, { type: "message", id: "late", text: "One more thing" }); }, 80);`)],
  extraAtStop: [inServer(places.closeAll, `for (const codex of agents) codex.call("model/list", {}).catch(() => {}); ${places.closeAll}`)],
  absolutePath: (program) => [inCodex('spawn("codex", ', `spawn(${JSON.stringify(program)}, `)],
};

/** A damage whose refusal the product hides. */
export const hidden = (damage) => [...damage, ...swallowed];
const pause = (ms) => `new Promise((resolve) => setTimeout(resolve, ${ms}))`;

/** Every message leaves the product a while after the page asked for it. */
export const slowerSend = [inCodex(places.send, 'const send = (message) => void setTimeout(() => child.stdin.write(`${JSON.stringify(message)}\\n`), 200);')];

export const changes = {
  'renamed-internals': [inSession('session.threadId', 'session.conversation', 3), inCodex('lastId', 'serial', 3), inCodex('isClosing', 'isLeaving', 3)],
  'reordered-keys': [
    inCodex(places.send, `const turned = (value) => Array.isArray(value) ? value.map(turned) : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).reverse().map(([key, item]) => [key, turned(item)])) : value;
  const send = (message) => child.stdin.write(\`\${JSON.stringify(turned(message), null, 1).replaceAll("\\n", " ")}\\n\`);`),
  ],
  'other-request-ids': [inCodex('let lastId = 0;', 'let lastId = 99;'), inCodex('calls.set(++lastId,', 'calls.set(String(++lastId),'), inCodex('id: lastId,', 'id: String(lastId),')],
  'observer-read': [inSession(places.ready, `${places.ready} session.codex.call("thread/read", { threadId: thread.id }).catch(() => {});`)],
  'observer-read-awaited': [inSession(places.ready, `${places.ready} await session.codex.call("thread/read", { threadId: thread.id }).catch(() => {});`)],
  'other-client-version': [inSession('title: "Chat", version: "1.0.0"', 'title: "Chat for desks", version: "9.9.9-next.1"')],
  'version-probe': [
    inCodex('import { spawn } from "node:child_process";', 'import { execFileSync, spawn } from "node:child_process";'),
    inCodex(places.spawn, `if (!execFileSync("codex", ["--version"], { cwd }).toString().startsWith("codex-cli 0.")) throw new Error("no version"); ${places.spawn}`),
  ],
  'slower-relay': [inCodex(places.receive, `for (const line of lines) later = later.then(() => ${pause(10)}).then(() => receive(JSON.parse(line)));`), inCodex('let rest = "";', 'let rest = ""; let later = Promise.resolve();')],
  'batched-writes': [
    inCodex(places.send, `const outbox = [];
  const flush = () => void (outbox.length > 0 && child.stdin.write(outbox.splice(0).join("")));
  const send = (message) => void (outbox.push(\`\${JSON.stringify(message)}\\n\`) === 1 && setImmediate(flush));`),
    inCodex('child.stdin.end();', 'flush(); child.stdin.end();'),
  ],
  'half-lines': [
    inCodex(places.send, `let tail = Promise.resolve();
  const send = (message) => {
    const line = \`\${JSON.stringify(message)}\\n\`;
    const cut = line.length >> 1;
    tail = tail.then(() => child.stdin.write(line.slice(0, cut))).then(() => ${pause(10)}).then(() => child.stdin.write(line.slice(cut)));
  };`),
  ],
  'two-in-one-write': [
    inCodex(places.send, `let held = "";
  const send = (message) => {
    held += \`\${JSON.stringify(message)}\\n\`;
    if (message.method === "initialized") return;
    child.stdin.write(held);
    held = "";
  };`),
  ],
};
