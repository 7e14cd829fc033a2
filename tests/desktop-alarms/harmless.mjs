/** What may change in the desktop and around it without a replay noticing. */

const hello = 'desktop-hello';
const approve = 'desktop-approve-command';
const cancel = 'desktop-cancel';
const twoTurns = 'desktop-two-turns';

const daemon = (text, by, more = {}) => ({ part: 'daemon', text, by, ...more });
const window = (text, by, more = {}) => ({ part: 'window', text, by, ...more });

const busy = (ms) => `for (const from = performance.now(); performance.now() - from < ${ms}; );`;
const laterMs = 400 * 24 * 3_600_000;
const turned = (value) => `(function turn(value) { return Array.isArray(value) ? value.map(turn) : value !== null && Object.prototype.toString.call(value) === "[object Object]" && Object.getPrototypeOf(value) === Object.prototype ? Object.fromEntries(Object.entries(value).reverse().map(([key, inner]) => [key, turn(inner)])) : value; })(${value})`;
// Stands in for a daemon on another patch of Node, which need not be installed: all that reads the version reads the next one.
const nextPatch = process.versions.node.replace(/\d+$/, (patch) => String(Number(patch) + 1));
const sayNextPatch = `data:text/javascript,${encodeURIComponent(`Object.defineProperty(process, 'version', { value: 'v${nextPatch}' });
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${nextPatch}' } });`)}`;

/** `use` is of the test, `env`, `nodeArgs` and `swaps` of the product. */
export const harmlessChanges = [
  // Of the daemon.
  { name: 'other-ids', base: approve, swaps: [daemon('ids: { uuid: randomUUID },', 'ids: { uuid: () => `turn-${randomUUID().replaceAll("-", "").slice(0, 20).toUpperCase()}` },')] },
  { name: 'other-operation-ids', base: approve, swaps: [daemon('return uuidOf([\n\t\tref.workspaceId,', 'return "operation/" + uuidOf([\n\t\tref.workspaceId,')] },
  { name: 'renamed-table', base: cancel, swaps: [daemon('workspace_agent_messages', 'agent_texts', { count: 'all' }), daemon('workspace_agent_runtime_operations', 'agent_work', { count: 'all' })] },
  { name: 'renamed-functions', base: twoTurns, swaps: [daemon('turnParams(', 'parametersOfATurn(', { count: 'all' }), daemon('putMessage(', 'mergeMessage(', { count: 'all' })] },
  { name: 'slower-store', base: approve, swaps: [daemon('sql.exec("begin immediate");', `sql.exec("begin immediate");\n\t\t${busy(3)}`)] },
  { name: 'slower-store-still', base: twoTurns, swaps: [daemon('sql.exec("commit");', `${busy(8)}\n\t\t\tsql.exec("commit");`)] },
  { name: 'reordered-replies', base: approve, swaps: [daemon('(value) => JSON.stringify(value)', `(value) => JSON.stringify(${turned('value')})`), daemon('Buffer.from(`data: ${JSON.stringify(event)}\\n\\n`)', `Buffer.from(\`data: \${JSON.stringify(${turned('event')})}\\n\\n\`)`)] },
  { name: 'reordered-sent', base: approve, swaps: [daemon('Buffer$1.from(`${writeJson(message)}\\n`)', `Buffer$1.from(\`\${writeJson(${turned('message')})}\\n\`)`)] },
  { name: 'small-writes', base: approve, swaps: [daemon('response.write(bytes);', 'for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));')] },
  { name: 'no-keep-alive', base: twoTurns, swaps: [daemon('forceCloseConnections: true,', 'forceCloseConnections: true,\n\tkeepAliveTimeout: 1,\n\tmaxRequestsPerSocket: 1,')] },
  { name: 'extra-route', base: hello, swaps: [daemon('serveRenderer(app, boot.rendererDir);', 'app.get("/v1/weather", { config: { role: ["window", "control"] } }, async () => ({ sky: "blue" }));\n\tserveRenderer(app, boot.rendererDir);')] },
  { name: 'other-address', base: approve, swaps: [daemon('return app.listen({\n\t\thost: "127.0.0.1",\n\t\tport: 0\n\t});', 'return (await app.listen({ host: "127.0.0.1", port: 0 })).replace("127.0.0.1", "localhost");')] },
  { name: 'more-log', base: cancel, swaps: [daemon('logger: {\n\t\t\t\tlevel: "warn"', 'logger: {\n\t\t\t\tlevel: "trace"')] },
  { name: 'later-clock', base: approve, swaps: [daemon('return runDaemon(nodeProcess(nodeClock),', `const now = Date.now;\n\tDate.now = () => now() + ${laterMs};\n\treturn runDaemon(nodeProcess(nodeClock),`), window('async function start() {', `async function start() {\n\tconst now = Date.now;\n\tDate.now = () => now() + ${laterMs};`)] },
  { name: 'earlier-clock-in-window', base: twoTurns, swaps: [window('async function start() {', `async function start() {\n\tconst now = Date.now;\n\tDate.now = () => now() - ${laterMs};`)] },
  { name: 'other-flags', base: hello, nodeArgs: ['--max-semi-space-size=4', '--no-maglev', '--stack-size=900', '--enable-source-maps'] },
  { name: 'other-node-patch', base: approve, nodeArgs: ['--import', sayNextPatch] },
  { name: 'other-time-zone', base: approve, env: { TZ: 'Asia/Kathmandu' }, use: { timezoneId: 'America/St_Johns' } },
  { name: 'other-language', base: approve, env: { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', LANGUAGE: 'tr' }, use: { locale: 'tr-TR' } },
  { name: 'other-user', base: hello, env: { USER: 'somebody', LOGNAME: 'somebody' } },
  // Of the window.
  { name: 'small-window', base: approve, use: { viewport: { width: 420, height: 500 } } },
  { name: 'large-window', base: 'desktop-file-change', use: { viewport: { width: 1600, height: 1000 }, colorScheme: 'dark', reducedMotion: 'reduce' } },
  { name: 'other-style', base: approve, swaps: [{ part: 'style', text: '.approval {', by: 'body { font-family: monospace; font-size: 21px; color: #f0f; background: #ff0; }\n.approval {' }] },
  { name: 'other-chunk-names', base: hello, swaps: [{ part: 'page', text: 'assets/app.js', by: 'assets/main.4f2a.js' }], renames: { 'renderer/assets/app.js': 'renderer/assets/main.4f2a.js' } },
  { name: 'more-elements', base: approve, swaps: [window('className: "turn",', 'className: "turn turn-of-agent",\n\t\t"data-test": "turn",'), { part: 'page', text: '<div id="root"></div>', by: '<header><p>Welcome</p></header><div id="root"></div><footer><p>Help</p></footer>' }] },
  { name: 'slower-window', base: approve, swaps: [window('if (hasSnapshot) onEvent(event);', 'readStream.last = (readStream.last ?? Promise.resolve()).then(() => new Promise((resolve) => setTimeout(resolve, 20)));\n\t\tconst isShown = hasSnapshot;\n\t\treadStream.last.then(() => isShown && !signal.aborted && onEvent(event));')] },
  { name: 'slower-answers', base: twoTurns, swaps: [window('const body = parseJson(await response.text());', 'const body = parseJson(await response.text());\n\t\t\tawait new Promise((resolve) => setTimeout(resolve, 15));')] },
  { name: 'other-command-ids', base: cancel, swaps: [window('const commandId = `activate:${requestId}`;', 'const commandId = `begin/${requestId}`;'), window('commandId: `send:${clientSubmitId}`,', 'commandId: `out/${clientSubmitId}`,')] },
];
