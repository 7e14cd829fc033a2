/**
 * When a prompt goes out. One rule serves both directions: a prompt waits in the queue exactly while it could not be sent at once,
 * and the head of the queue is sent as soon as it can be. So no prompt overtakes another, and none is sent twice: it leaves the
 * queue in the step that makes its command.
 */

import type { Json } from '../../core/json/exact.ts';
import type { EngineCommand } from './command.ts';
import { putSession, userMessageId, type EngineState, type Prompt, type SessionState } from './state.ts';

/** Whether a prompt that is submitted now would be seen in the queue (cassette-contract 3.6). */
export function queuesSubmit(session: SessionState, replaces?: string): boolean {
  return !canSend(session) || session.queue.some(({ promptId }) => promptId !== replaces);
}

/** Ready, idle, and through with the last prompt: its turn is known and has settled. */
export function canSend(session: SessionState): boolean {
  if (!session.graph || session.activation || session.sending) return false;
  const { activeTurnId } = session.graph.session;
  return activeTurnId === null && (session.awaitedTurnId === null || isSettled(session, session.awaitedTurnId));
}

export function isSettled(session: SessionState, turnId: string): boolean {
  return session.graph?.turns.some((turn) => turn.turnId === turnId && turn.phase === 'settled') ?? false;
}

/** Whether the daemon stored this prompt: then it was taken, whatever its command said. */
export function isStored(session: SessionState, prompt: Prompt): boolean {
  return session.graph?.messages.some(({ messageId }) => messageId === userMessageId(prompt.clientSubmitId)) ?? false;
}

/** Sends what can go out now, of every session. */
export function sendHeads(state: EngineState): { state: EngineState; commands: EngineCommand[] } {
  const commands: EngineCommand[] = [];
  for (const session of Object.values(state.sessions)) {
    const [head, ...rest] = session.queue;
    if (!head || head.failure || !canSend(session)) continue;
    commands.push(sendCommand(session, head));
    state = putSession(state, { ...session, queue: rest, sending: head, sent: null });
  }
  return { state, commands };
}

function sendCommand({ agentSessionId }: SessionState, prompt: Prompt): EngineCommand {
  const { clientSubmitId, promptId, content, displayPrompt, commandId } = prompt;
  const payload = { promptId, clientSubmitId, content: content as unknown as Json, ...(displayPrompt === null ? {} : { displayPrompt }) };
  return { type: 'queue/sendPrompt', commandId, agentSessionId, correlationId: clientSubmitId, payload };
}
