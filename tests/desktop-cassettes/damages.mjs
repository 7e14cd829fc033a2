/**
 * The damages of recorded desktop cassettes, re-hashed and re-pinned, so that only the content is wrong. `edit` changes what
 * `readCassette` gave; `expected` is the verdict as `describeVerdict` writes it.
 */
import { dropChunk, indexOf } from './cassette.mjs';

const hello = 'desktop-hello';
const approve = 'desktop-approve-command';
const turns = 'desktop-two-turns';

const at = (connectionId, chunkSeq, unitIndex) => [{ connectionId, chunkSeq, unitIndex }];
const root = (state) => state.agent.sessions[0];
const event = ({ events }, sequence) => events[sequence - 1];
const checkpoint = ({ plan }, index) => plan.checkpoints[index];

export const damages = [
  // cassette: what the contract refuses before anything starts
  { name: 'plan-splits-effect', base: approve, edit: (c) => moveBoundary(checkpoint(c, 5), 3), expected: 'cassette/boundary_splits_effect at checkpoint-plan.json:1, $.checkpoints[5].trigger.afterActivityEventSequence' },
  { name: 'cursor-beyond-tape', base: hello, edit: (c) => void (checkpoint(c, 3).cursor.providerConnections[0].chunkSeq = 99), expected: 'cassette/cursor_beyond_tape at checkpoint-plan.json:1, $.checkpoints[3].cursor.providerConnections[0].chunkSeq' },
  { name: 'path-absolute', base: hello, edit: (c) => void (root(c.expected).cwd = '/home/somebody/project'), expected: 'cassette/state_path_absolute at expected-state.json:1, $.agent.sessions[0].cwd' },
  { name: 'required-effect-removed', base: approve, edit: (c) => removeEvents(c, 4), expected: 'cassette/intent_effect_missing at activity-events.jsonl:3, $.eventId' },
  { name: 'lanes-of-nobody', base: approve, edit: (c) => void (event(c, 4).lanes.started = at('connection-9', 1, 1)), expected: 'cassette/lanes_invalid at activity-events.jsonl:4, $.lanes.started[0].connectionId' },

  // effect: what the window does, and how it ends
  { name: 'command-content', base: turns, edit: (c) => void (event(c, 4).payload.content[0].text = 'Name a second one'), expected: 'effect/command_changed at event 4, $.payload.content[0].text' },
  { name: 'outcome', base: approve, edit: (c) => void (event(c, 4).payload.outcome = 'failed'), expected: 'effect/command_result at event 4, $.payload.outcome' },
  { name: 'error-code', base: approve, edit: (c) => void (event(c, 4).payload.errorCode = 'interaction_answered'), expected: 'effect/command_result at event 4, $.payload.errorCode' },
  { name: 'effect-removed', base: turns, edit: (c) => removeEvents(c, 4), expected: 'effect/command_extra at event 3' },
  { name: 'intent-and-effect-removed', base: turns, edit: (c) => removeEvents(c, 3, 4), expected: 'protocol/outbound_missing at connection-1, chunk 20, $' },
  { name: 'effect-added', base: approve, edit: (c) => addEffect(c, 4), expected: 'effect/command_missing at event 5, $.type' },

  // protocol: what the product says to the provider
  { name: 'outbound-text', base: hello, edit: ({ tape }) => exchange(tape, 8, 'Say hello to the team', 'Say hello to a team'), expected: 'protocol/outbound_mismatch at connection-1, chunk 8, $.params.input[0].text' },
  { name: 'outbound-dropped', base: approve, edit: (c) => dropChunk(c, 21), expected: 'protocol/outbound_extra at connection-1, chunk 21, $' },
  { name: 'outbound-added', base: hello, edit: ({ tape }) => addChunk(tape, 'outbound', '{"method":"initialized"}\n'), expected: 'protocol/outbound_missing at connection-1, chunk 21, $' },
  { name: 'outbound-swapped', base: hello, edit: ({ tape }) => void tape.chunks.splice(indexOf(tape, 4), 2, tape.chunks[indexOf(tape, 5)], tape.chunks[indexOf(tape, 4)]), expected: 'protocol/outbound_mismatch at connection-1, chunk 4, $.id' },

  // transport: which connections there are, and how far they were read
  { name: 'request-behind-end', base: hello, edit: ({ tape }) => addChunk(tape, 'stdout', '{"id":7,"method":"currentTime/read","params":{}}\n'), expected: 'protocol/outbound_extra at connection-1, chunk 21, $' },
  { name: 'connection-added', base: hello, edit: addConnection, expected: 'transport/connection_not_selected at connection-2, chunk 1' },
  { name: 'connection-of-another', base: hello, edit: ({ tape }) => giveAway(tape.manifest.connections[0]), expected: 'transport/launch_unmatched, $.argv' },
  { name: 'cursor-inside-outbound', base: approve, edit: (c) => void Object.assign(checkpoint(c, 5).cursor.providerConnections[0], { chunkSeq: 21, unitIndex: 1 }), expected: 'transport/checkpoint_provider_overshot at connection-1, chunk 22' },
  { name: 'turn-start-dropped', base: approve, edit: (c) => dropChunk(c, 13), expected: 'state/checkpoint_trigger_missing at connection-1, chunk 13, $.trigger' },

  // state: checkpoints on the way, and the end
  { name: 'text', base: hello, edit: (c) => void (root(c.expected).messages[1].payload.text = 'Hello to nobody.'), expected: 'state/state_diff, $.agent.sessions[0].messages[1].payload.text' },
  { name: 'turn-outcome', base: hello, edit: (c) => void (root(c.expected).turns[0].outcome = 'failed'), expected: 'state/state_diff, $.agent.sessions[0].turns[0].outcome' },
  { name: 'message-added', base: hello, edit: (c) => void root(c.expected).messages.push({ ...root(c.expected).messages[1], id: 'msg_r9_9' }), expected: 'state/state_diff, $.agent.sessions[0].messages' },
  { name: 'interaction-status', base: approve, edit: (c) => void (root(c.expected).interactions[0].status = 'superseded'), expected: 'state/state_diff, $.agent.sessions[0].interactions[0].status' },
  { name: 'settings', base: hello, edit: (c) => void (root(c.expected).settings.reasoningEffort = 'high'), expected: 'state/state_diff, $.agent.sessions[0].settings.reasoningEffort' },
  { name: 'title', base: hello, edit: (c) => void (root(c.expected).title = 'Say hello'), expected: 'state/state_diff, $.agent.sessions[0].title' },
  { name: 'turn-removed', base: turns, edit: (c) => removeLastTurn(root(c.expected)), expected: 'state/turn_surplus, $.turns[1]' },
  { name: 'trigger-fingerprint', base: approve, edit: (c) => void (checkpoint(c, 2).trigger.fingerprint = `sha256:${'0'.repeat(64)}`), expected: 'state/checkpoint_trigger_mismatch at connection-1, chunk 13, $.trigger.fingerprint' },
  { name: 'trigger-unit', base: approve, edit: (c) => void (checkpoint(c, 7).trigger.position.unitIndex = 1), expected: 'state/checkpoint_trigger_missing at connection-1, chunk 31, $.trigger' },
  { name: 'readiness-value', base: approve, edit: (c) => void (checkpoint(c, 6).readiness.all[0].equals = 'failed'), expected: 'state/checkpoint_not_ready at connection-1, chunk 23, $.call.status' },

  // lanes: the order between what the person did and what the provider said
  { name: 'accepted-too-small', base: approve, edit: (c) => void (event(c, 3).lanes = { seen: at('connection-1', 19, 1), accepted: at('connection-1', 19, 1) }), expected: 'state/checkpoint_not_reached at connection-1, chunk 20, $.cursor.providerConnections' },
  // Nothing tells these lanes from those of a product that owes a message to what came meanwhile: it is that message that lacks.
  { name: 'started-too-late', base: approve, edit: (c) => void (event(c, 4).lanes.started = at('connection-1', 22, 1)), expected: 'protocol/outbound_missing at connection-1, chunk 21, $' },
  { name: 'started-beyond-tape', base: approve, edit: (c) => void (event(c, 4).lanes.started = at('connection-1', 99, 1)), expected: 'cassette/lanes_invalid at activity-events.jsonl:4, $.lanes.started[0].chunkSeq' },
  { name: 'seen-beyond-accepted', base: approve, edit: (c) => void (event(c, 3).lanes.accepted = at('connection-1', 20, 1)), expected: 'cassette/lanes_invalid at activity-events.jsonl:3, $.lanes.seen' },
];

/**
 * What the provider says is played and not judged: more of it that changes nothing is green, and counted. A replay that passed
 * it over would have checked less than its cassette holds.
 */
export const harmless = [
  { name: 'inbound-behind-end', base: hello, edit: ({ tape }) => addChunk(tape, 'stdout', '{"method":"account/updated","params":{"authMode":null}}\n') },
  { name: 'exit-behind-end', base: hello, edit: ({ tape }) => addChunk(tape, 'exit', '', { exitCode: 1 }) },
];

function moveBoundary({ cursor, trigger }, sequence) {
  cursor.activityEventSequence = sequence;
  trigger.afterActivityEventSequence = sequence;
}

/** Events, and the checkpoints that stand at one of them; what is left stands at the event before. */
function removeEvents(cassette, ...sequences) {
  const { events, plan } = cassette;
  const first = sequences[0];
  cassette.events = events.filter(({ sequence }) => !sequences.includes(sequence));
  plan.checkpoints = plan.checkpoints.filter(({ trigger }) => !sequences.includes(trigger.afterActivityEventSequence));
  plan.checkpoints.forEach((one, index) => {
    Object.assign(one, { index, id: `checkpoint-${String(index).padStart(4, '0')}` });
    if (one.cursor.activityEventSequence >= first) one.cursor.activityEventSequence = first - 1;
  });
}

/** The same effect once more: the window is to make two commands of one intent. */
function addEffect({ events, plan }, sequence) {
  const effect = structuredClone(events[sequence - 1]);
  events.splice(sequence, 0, { ...effect, sequence: sequence + 1, eventId: effect.eventId.replace(/\d+$/, '90') });
  for (const one of plan.checkpoints) {
    if (one.cursor.activityEventSequence === sequence) one.cursor.activityEventSequence++;
    if (one.trigger.afterActivityEventSequence === sequence) one.trigger.afterActivityEventSequence++;
  }
}

function exchange(tape, chunkSeq, from, to) {
  const chunk = tape.chunks[indexOf(tape, chunkSeq)];
  if (!chunk.text.includes(from)) throw new Error(`Cannot damage chunk ${chunkSeq}: it has no ${from}`);
  chunk.text = chunk.text.replace(from, to);
}

function addChunk({ chunks }, kind, text, more = {}) {
  const { connectionId, elapsedMs, isBeforeEnd } = chunks.at(-1);
  chunks.push({ connectionId, elapsedMs, kind, text, isBeforeEnd, ...more });
}

function addConnection({ tape: { manifest, chunks } }) {
  const [first] = manifest.connections;
  const cwdToken = first.cwdToken.replace(':1}', ':2}');
  manifest.connections.push({ ...first, connectionId: 'connection-2', launchOrdinal: 2, cwdToken });
  chunks.push(...chunks.map((chunk) => ({ ...chunk, connectionId: 'connection-2', text: chunk.text.replaceAll(first.cwdToken, cwdToken) })));
}

// The launch of the root session has nobody's connection then.
function giveAway(connection) {
  connection.agentSessionId = 'another-session';
}

function removeLastTurn(session) {
  const { id } = session.turns.pop();
  for (const name of ['messages', 'interactions']) session[name] = session[name]?.filter(({ turnId }) => turnId !== id);
}
