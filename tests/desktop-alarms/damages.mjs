/**
 * What is done to the desktop, and what a replay has to call it. `expected` is what `describeVerdict` says, `within` names the
 * bound of its time: `sent` where something wrong was done, `missing` where something is awaited that never comes.
 */

const hello = 'desktop-hello';
const approve = 'desktop-approve-command';
const cancel = 'desktop-cancel';
const twoTurns = 'desktop-two-turns';
// Three prompts one after the other: two of them stand in the queue at once.
const fast = '../fixtures/desktop/fast';

const daemon = (text, by, more = {}) => ({ part: 'daemon', text, by, ...more });
const window = (text, by, more = {}) => ({ part: 'window', text, by, ...more });

const startTurn = '{ sent, answer } = connection.request("turn/start", params';
const sendDecision = `await connection.send({
			id: ask.serverId,
			result: { decision: decisions[ask.dialect][option] }
		});`;
const interrupt = `connection.request("turn/interrupt", {
		threadId: connection.state.threadId,
		turnId: turn.providerTurnId
	});`;
const insertOne = `insertMessage(tx, ref, {
				...report,
				...step.content,
				semantics: null
			});`;
const spawnCodex = `globalThis.process.getBuiltinModule("node:child_process").spawn("codex", ["app-server"], { stdio: "ignore" }).on("error", () => {});`;
const beforeStart = 'await connections.get(key)?.close({ isCanonicalKept: true });';
const afterCreate = 'host.runtime.publishInitialization(ref);';

const ofDaemon = [
  { name: 'prompt-template', base: hello, swaps: [daemon('const params = turnParams(session, input, settings);', 'const params = turnParams(session, { ...input, content: input.content.map((block) => ({ ...block, text: `${block.text} ` })) }, settings);')], expected: 'protocol/outbound_mismatch at connection-1, chunk 8, $.params.input[0].text', within: 'sent' },
  { name: 'prompt-template-second', base: twoTurns, swaps: [daemon('const params = turnParams(session, input, settings);', 'const params = turnParams(session, { ...input, content: input.content.map((block) => ({ ...block, text: block.text.replace("another", "one more") })) }, settings);')], expected: 'protocol/outbound_mismatch at connection-1, chunk 20, $.params.input[0].text', within: 'sent' },
  { name: 'approval-dropped', base: approve, swaps: [daemon(sendDecision, '')], expected: 'protocol/outbound_missing at connection-1, chunk 21, $', within: 'missing' },
  { name: 'approval-inverted', base: approve, swaps: [daemon(sendDecision, sendDecision.replace('[option]', '[option === "approve" ? "deny" : option]'))], expected: 'protocol/outbound_mismatch at connection-1, chunk 21, $.result.decision', within: 'sent' },
  { name: 'approval-inverted-file', base: 'desktop-file-change', swaps: [daemon(sendDecision, sendDecision.replace('[option]', '[option === "approve" ? "deny" : option]'))], expected: 'protocol/outbound_mismatch at connection-1, chunk 16, $.result.decision', within: 'sent' },
  { name: 'settings-sent', base: hello, swaps: [daemon(startTurn, `settingsSent = connection.request("config/value/write", { keyPath: "model", value: "other", mergeStrategy: "replace" }), ${startTurn}`)], expected: 'protocol/outbound_mismatch at connection-1, chunk 8, $.method', within: 'sent' },
  { name: 'command-result', base: hello, swaps: [daemon('if (prompt) await submit(host, request, attempt);', 'if (prompt) await submit(host, request, attempt);\n\tthrow new HostError("turn_active", "no");')], expected: 'effect/command_result at event 2, $.payload.outcome', within: 'sent' },
  { name: 'message-swallowed', base: hello, swaps: [daemon(insertOne, `if (report.role !== "assistant") ${insertOne}`)], expected: 'state/state_diff, $.agent.sessions[0].messages', within: 'sent' },
  { name: 'tool-swallowed', base: approve, swaps: [daemon(insertOne, `if (report.role !== "tool") ${insertOne}`)], expected: 'state/checkpoint_trigger_missing at connection-1, chunk 20, $.trigger', within: 'sent' },
  { name: 'message-doubled', base: hello, swaps: [daemon(insertOne, `${insertOne}\n\t\t\tif (report.role === "assistant") insertMessage(tx, ref, { ...report, ...step.content, semantics: null, messageId: report.messageId + ":again" });`)], expected: 'state/state_diff, $.agent.sessions[0].messages', within: 'sent' },
  { name: 'delta-lost', base: cancel, swaps: [daemon('if (known) return withMessages(state, [grown(turn, known, delta)]);\n\tconst row = streamedRow(itemId, kind, delta);', 'if (known) return delta.includes("a") ? unchanged(state) : withMessages(state, [grown(turn, known, delta)]);\n\tconst row = streamedRow(itemId, kind, delta);')], expected: 'state/state_diff, $.agent.sessions[0].messages[1].payload.text', within: 'sent' },
  { name: 'final-text', base: hello, swaps: [daemon('...streamedRow(id, kind, text),\n\t\tstatus: stage === "started"', '...streamedRow(id, kind, stage === "started" ? text : `${text}!`),\n\t\tstatus: stage === "started"')], expected: 'state/state_diff, $.agent.sessions[0].messages[1].payload.text', within: 'sent' },
  { name: 'outcome-failed', base: hello, swaps: [daemon('return status === "completed" ? "completed" : "failed";', 'return "failed";')], expected: 'state/checkpoint_trigger_mismatch at connection-1, chunk 20, $.trigger.type', within: 'sent' },
  { name: 'outcome-interrupted', base: cancel, swaps: [daemon('return isCancelRequested ? "canceled" : "interrupted";', 'return "interrupted";')], expected: 'state/checkpoint_trigger_mismatch at connection-1, chunk 15, $.trigger.type', within: 'sent' },
  { name: 'cancel-other-turn', base: cancel, swaps: [daemon(interrupt, interrupt.replace('turn.providerTurnId', 'turn.turnId'))], expected: 'protocol/outbound_mismatch at connection-1, chunk 13, $.params.turnId', within: 'sent' },
  { name: 'cancel-not-sent', base: cancel, swaps: [daemon(interrupt, '{ sent: Promise.resolve(), answer: new Promise(() => {}) };')], expected: 'protocol/outbound_missing at connection-1, chunk 13, $', within: 'missing' },
  { name: 'second-launch', base: hello, swaps: [daemon(beforeStart, `${beforeStart}\n\t\tawait options.transport.start(options.specFor({ ref, cwd, provider })).catch(() => {});`)], expected: 'transport/launch_unmatched, $.argv', within: 'sent' },
  { name: 'helper-launch', base: hello, swaps: [daemon(beforeStart, `${beforeStart}\n\t\tawait options.transport.start(options.specFor({ ref: { ...ref, agentSessionId: "a helper" }, cwd, provider })).catch(() => {});`)], expected: 'transport/launch_unmatched', within: 'sent' },
  { name: 'process-start', base: hello, swaps: [daemon(afterCreate, `${afterCreate}\n\t${spawnCodex}`)], expected: 'transport/launch_unmatched, $.argv', within: 'sent' },
  { name: 'process-instead', base: hello, swaps: [daemon('async function startThread(connection, params) {', `async function startThread(connection, params) {\n\t${spawnCodex}\n\tawait new Promise(() => {});`)], expected: 'transport/launch_unmatched, $.argv', within: 'missing' },
  { name: 'written-on-close', base: hello, swaps: [daemon('await connection?.close({ isCanonicalKept: preserveCanonical });', 'await connection?.close({ isCanonicalKept: preserveCanonical });\n\t\tfor (const { ref } of connection ? [connection] : []) await options.sink.report({ ref, unit: null, session: { model: "after the end" } });')], expected: 'state/state_diff, $.agent.sessions[0].model', within: 'sent' },
  { name: 'written-late', base: hello, swaps: [daemon('report: (report) => isEmptyReport(report) ?', 'report: (report) => (report.rootProviderTurn?.phase === "completed" && setTimeout(() => write((tx) => ingest(tx, { ref: report.ref, unit: null, session: { model: "late" } })), 1), isEmptyReport(report)) ?')], expected: 'state/state_diff, $.agent.sessions[0].model', within: 'sent' },
  { name: 'written-at-leave', base: hello, swaps: [daemon('response.once("close", leave);', 'response.once("close", () => {\n\t\t\tleave();\n\t\t\tpublisher.onLeave();\n\t\t});'), daemon('routeEvents(app, publisher);', 'const leftWorkspace = "11111111-1111-4111-8111-111111111111";\n\tpublisher.onLeave = () => host.graphs(leftWorkspace, { includeHidden: true }).forEach(({ session }) => host.updateTitle({ workspaceId: leftWorkspace, agentSessionId: session.agentSessionId }, "Later"));\n\trouteEvents(app, publisher);')], expected: 'state/state_diff, $.agent.sessions', within: 'end' },
  { name: 'process-in-place', base: hello, swaps: [daemon(beforeStart, `${beforeStart}\n\t\t${spawnCodex}\n\t\tawait new Promise(() => {});`)], expected: 'transport/launch_unmatched, $.argv', within: 'missing' },
  { name: 'policy', base: hello, swaps: [daemon('approvalPolicy: "untrusted",\n\t\tsandbox: "workspace-write"', 'approvalPolicy: "never",\n\t\tsandbox: "workspace-write"')], expected: 'protocol/outbound_mismatch at connection-1, chunk 5, $.params.approvalPolicy', within: 'sent' },
  { name: 'messages-swapped', base: hello, swaps: [daemon('if (!turn.rootProviderTurnId) patchTurn(tx, key, { root_provider_turn_id: accepted.providerTurnId });\n\tinsertPrompt(tx, key);', 'if (!turn.rootProviderTurnId) patchTurn(tx, key, { root_provider_turn_id: accepted.providerTurnId });'), daemon('if (findTurn(tx.sql, turn)) insertPrompt(tx, turn);', ''), daemon('if (step.canonical) moveTurn(', 'if (report.phase === "completed") insertPrompt(tx, key);\n\tif (step.canonical) moveTurn(')], expected: 'state/state_diff, $.agent.sessions[0].messages[0].payload.clientSubmitId', within: 'sent' },
  { name: 'sent-swapped', base: hello, swaps: [daemon('sent.catch(() => this.#waiters.forget(key));', 'sent.catch(() => this.#waiters.forget(key));\n\t\tif (method === "thread/start") this.send({ method: "initialized" });'), daemon('connection.send({ method: "initialized" }).catch(() => {});', '')], expected: 'protocol/outbound_mismatch at connection-1, chunk 4, $.id', within: 'sent' },
  { name: 'no-client-id', base: hello, swaps: [daemon('...clientSubmitId !== null && { clientUserMessageId: clientSubmitId },', '')], expected: 'protocol/outbound_mismatch at connection-1, chunk 8, $.params.clientUserMessageId', within: 'sent' },
  { name: 'title', base: hello, swaps: [daemon('const trimmed = trim(title);', 'const trimmed = `${trim(title)}!`;')], expected: 'state/state_diff, $.agent.sessions[0].title', within: 'sent' },
];

const withAppend = (commandType, payload) => `, {
			type: "${commandType}",
			commandId: commandId + ":more",
			agentSessionId,
			correlationId: commandId + ":more",
			payload: ${payload}
		}`;

const takeIn = 'if (hasSnapshot) onEvent(event);';

const ofWindow = [
  { name: 'window-prompt', base: hello, swaps: [window('const payload = pickStable("session/activate", intent);', 'const payload = pickStable("session/activate", { ...intent, initialContent: initialContent.map((block) => ({ ...block, text: `${block.text} ` })) });')], expected: 'effect/command_changed at event 2, $.payload.initialContent[0].text', within: 'sent' },
  { name: 'window-prompt-on-the-way', base: hello, swaps: [window('agentSessionId,\n\t\t\t\t...pick(payload, createMembers)', 'agentSessionId,\n\t\t\t\t...pick({ ...payload, initialContent: [{ type: "text", text: "Other words" }] }, createMembers)')], expected: 'protocol/outbound_mismatch at connection-1, chunk 8, $.params.input[0].text', within: 'sent' },
  { name: 'window-no-answer', base: approve, swaps: [window('commands: [{\n\t\t\ttype: "interaction/respond",', 'commands: [].slice(0, 0) || [{\n\t\t\ttype: "interaction/respond",')], expected: 'effect/command_missing at event 4, $.type', within: 'missing' },
  { name: 'window-settings', base: hello, swaps: [window('correlationId: clientSubmitId || requestId,\n\t\t\tpayload\n\t\t}]', `correlationId: clientSubmitId || requestId,\n\t\t\tpayload\n\t\t}${withAppend('session/updateSettings', '{ settings: intent.settings }')}]`)], expected: 'effect/command_extra at event 1', within: 'sent' },
  { name: 'window-settings-unjudged', base: hello, swaps: [window('const refusal = await this.#accepted.get(event.causedByEventId ?? "");', 'await send({ id: null, cause: null });\n\t\tconst refusal = await this.#accepted.get(event.causedByEventId ?? "");')], expected: 'effect/command_extra', within: 'sent' },
  { name: 'window-send-twice', base: twoTurns, swaps: [window('commands.push(sendCommand(session, head));', 'commands.push(sendCommand(session, head), sendCommand(session, { ...head, clientSubmitId: head.clientSubmitId + "2", commandId: head.commandId + "2" }));')], expected: 'effect/command_extra at event 3', within: 'sent' },
  { name: 'window-send-early', base: twoTurns, swaps: [window('if (!head || head.failure || !canSend(session)) continue;', 'if (!head || head.failure || session.sending) continue;')], expected: 'effect/command_changed at event 4, $.lanes.started', within: 'sent' },
  { name: 'window-queues-nothing', base: twoTurns, swaps: [window('return activeTurnId === null && (session.awaitedTurnId === null || isSettled(session, session.awaitedTurnId));', 'return true;')], expected: 'state/intent_not_ready at event 3', within: 'missing' },
  { name: 'window-queue-order', base: fast, swaps: [window('const [head, ...rest] = session.queue;', 'const [head, rest] = [session.queue.at(-1), session.queue.slice(0, -1)];')], expected: 'effect/command_changed at event 5, $.payload.clientSubmitId', within: 'sent' },
  { name: 'window-send-late', base: twoTurns, swaps: [window('if (!head || head.failure || !canSend(session)) continue;', 'if (!head || head.failure || !canSend(session) || rest.length === 0) continue;')], expected: 'effect/command_missing at event 4, $.type', within: 'missing' },
  { name: 'window-cancel-other', base: cancel, swaps: [window('type: "turn/cancel",\n\t\t\tcommandId,\n\t\t\tagentSessionId,\n\t\t\tcorrelationId: commandId,\n\t\t\tpayload: { turnId }', 'type: "turn/cancel",\n\t\t\tcommandId,\n\t\t\tagentSessionId,\n\t\t\tcorrelationId: commandId,\n\t\t\tpayload: { turnId: `${turnId}-other` }')], expected: 'effect/command_changed at event 4, $.payload.turnId', within: 'sent' },
  { name: 'window-no-card', base: approve, swaps: [window('return part.interaction.status === "pending" ?', 'if (part.interaction.status === "pending") return null;\n\treturn part.interaction.status === "pending" ?')], expected: 'state/not_shown at connection-1, chunk 20, $.interaction.status', within: 'missing' },
  { name: 'window-card-invisible', base: approve, swaps: [{ part: 'style', text: '.approval {', by: '.approval {\n  opacity: 0;' }], expected: 'state/not_shown at connection-1, chunk 20, $.interaction.status', within: 'missing' },
  { name: 'window-turn-status', base: hello, swaps: [window('sessionId: turn.agentSessionId,\n\t\tstatus: turn.status', 'sessionId: turn.agentSessionId,\n\t\tstatus: turn.isActive ? turn.status : "failed"')], expected: 'state/not_shown at connection-1, chunk 20, $.turn.status', within: 'missing' },
  { name: 'window-session-status', base: hello, swaps: [window('status: isWorking ? "working" : "ready",', 'status: "ready",')], expected: 'state/not_shown, $.session.status', within: 'missing' },
  { name: 'window-drops-change', base: approve, swaps: [window(takeIn, 'if (hasSnapshot && !(event.interactions?.length > 0)) onEvent(event);')], expected: 'state/not_shown at connection-1, chunk 20, $.revision', within: 'missing' },
  { name: 'window-stops-reading', base: approve, swaps: [window(takeIn, 'signal.seen ||= event.interactions?.length > 0;\n\t\t\tif (hasSnapshot && !signal.seen) onEvent(event);')], expected: 'state/not_shown at connection-1, chunk 20, $.revision', within: 'missing' },
  { name: 'window-drops-lanes', base: twoTurns, swaps: [window('lanes: event.lanes ? raise(state.lanes, event.lanes) : state.lanes', 'lanes: state.lanes')], expected: 'state/not_shown at event 3', within: 'missing' },
  { name: 'window-breaks', base: approve, swaps: [window(takeIn, 'if (event.interactions?.length > 0) event.turns = null;\n\t\t\tif (hasSnapshot) onEvent(event);')], expected: 'state/not_shown at event 1', within: 'sent' },
  { name: 'inspect-misses', base: hello, files: { 'inspect.ts': inspectWith('turn.terminal', 'Show the joke') }, expected: 'state/not_shown', within: 'body' },
  { name: 'inspect-answers', base: approve, files: { 'inspect.ts': inspectWith('interaction.pending', 'Approve') }, expected: 'effect/command_extra at event 1', within: 'sent' },
  { name: 'inspect-sends', base: hello, files: { 'inspect.ts': inspectWith('turn.terminal', 'Send', 'Say it again') }, expected: 'effect/command_extra at event 1', within: 'sent' },
  { name: 'inspect-stops', base: cancel, files: { 'inspect.ts': inspectWith('turn.working', 'Stop') }, expected: 'effect/command_extra at event 1', within: 'sent' },
];

function inspectWith(kind, button, text = null) {
  return `export default async ({ page, checkpoint }) => {
  if (checkpoint.kind !== '${kind}') return;
  ${text === null ? '' : `await page.getByRole('textbox', { name: 'Message' }).fill('${text}');\n  `}await page.getByRole('button', { name: '${button}', exact: true }).click();
};
`;
}

export const desktopDamages = [...ofDaemon, ...ofWindow];
