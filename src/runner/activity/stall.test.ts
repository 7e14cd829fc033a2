import { expect, test } from 'vitest';
import { createDivergence } from '../../core/verdict/divergence.ts';
import { at, checkpoint, effect, emptySnapshot, emptyStatus, intent } from './fixtures/lane-desk.ts';
import { judgeStandstill, type Standstill } from './stall.ts';

const outbound = createDivergence({ layer: 'protocol', code: 'outbound_missing', message: 'The product did not send "turn/start"' });
const unread = createDivergence({ layer: 'transport', code: 'not_drained', message: 'Chunk 9 was never read' });
const [asks, sends, asksOn] = [intent(1, at(2)), effect(2, at(5)), intent(3, at(8))];
const events = [asks, sends, asksOn];
const window = { ...emptySnapshot, lanes: at(8), awaited: { sequence: 3, what: 'a session that is ready' } };
const landing = { checkpoint: checkpoint(1, { name: 'greeted', activitySequence: 2 }), reply: null, hidden: null };

/** Everything stands still at once, with the window and the lanes where nothing is awaited of them. */
const status = { ...emptyStatus, lanes: at(8), accepted: [1], begun: [2] };
const still = (change: Partial<Standstill>): Standstill => ({ status, window, events, dispatching: null, verifying: [], landing: null, ...change });

const lacksCommand = { status: { ...status, begun: [] } };
const lacksIntent = { dispatching: asksOn };
const lacksOutbound = { status: { ...status, missing: outbound } };
const lacksResult = { verifying: [sends] };
const lacksCheckpoint = { landing: { ...landing, reply: { state: 'not_yet' as const } } };
const lacksReader = { status: { ...status, missing: unread } };
const lacksEnd = { status: { ...status, isDrained: true, hasActiveTurn: true } };
const lacksCursor = { landing: { ...landing, checkpoint: { ...landing.checkpoint, lanes: at(9, 2) } } };
const merge = (...parts: Partial<Standstill>[]): Partial<Standstill> => {
  const told = parts.map(({ status: of }) => of).filter((of) => of !== undefined).map((of) => Object.fromEntries(Object.entries(of).filter(([name, value]) => value !== status[name as keyof typeof status])));
  return Object.assign({}, ...parts, { status: Object.assign({}, status, ...told) }) as Partial<Standstill>;
};

test.each<[string, Partial<Standstill>, string | null]>([
  ['a command that was not made, before all else', merge(lacksCommand, lacksIntent, lacksOutbound, lacksResult, lacksCheckpoint, lacksEnd), 'effect/command_missing'],
  ['a command that is held at its checkpoint as nothing', merge(lacksCommand, { landing: { ...landing, checkpoint: { ...landing.checkpoint, activitySequence: 1, lanes: at(5) } } }), null],
  ['an intent that is not ready', merge(lacksIntent, lacksOutbound, lacksResult, lacksCheckpoint, lacksEnd), 'state/intent_not_ready'],
  ['a window that has not applied what the intent saw', merge(lacksIntent, lacksOutbound, { window: { ...window, lanes: at(7) } }), 'state/not_shown'],
  ['a message that the product did not send', merge(lacksOutbound, lacksResult, lacksCheckpoint, lacksEnd), 'protocol/outbound_missing'],
  ['a command without result', merge(lacksResult, lacksCheckpoint, lacksReader, lacksEnd), 'effect/command_result'],
  ['a checkpoint that was not reached', merge(lacksCheckpoint, lacksReader, lacksEnd), 'state/checkpoint_not_reached'],
  ['recorded output that nobody read', merge(lacksReader, lacksEnd), 'transport/not_drained'],
  ['recorded output that nobody read, before a cursor behind it', merge(lacksCursor, lacksReader, lacksEnd), 'transport/not_drained'],
  ['a cursor that no lane comes to', merge(lacksCursor, lacksEnd), 'state/checkpoint_not_reached'],
  ['a turn that has not settled', lacksEnd, 'state/session_unsettled'],
  ['no turn while the lanes have not been played to their end', { status: { ...status, hasActiveTurn: true } }, null],
  ['nothing that was recorded', {}, null],
])('judgeStandstill() names %s', (_title, change, expected) => {
  const facts = judgeStandstill(still(change));
  expect(facts && `${facts.layer}/${facts.code}`).toBe(expected);
});

test.each<[string, Partial<Standstill>, string | null]>([
  ['lanes are at "started" of the command', lacksCommand, 'effect/command_missing'],
  ['lanes are not yet at "started"', { status: { ...status, begun: [], lanes: at(4), missing: outbound } }, 'protocol/outbound_missing'],
  ['its intent was not accepted', { status: { ...status, begun: [], accepted: [] } }, null],
  ['it has begun', {}, null],
  ['its cause is not in the recording', { ...lacksCommand, events: [sends] }, null],
  ['no lanes were recorded and it is played now', { ...lacksCommand, events: [asks, { ...sends, started: null }], verifying: [] }, null],
])('judgeStandstill() misses a command only where it is due: %s', (_title, change, expected) => {
  const facts = judgeStandstill(still(change));
  expect(facts && `${facts.layer}/${facts.code}`).toBe(expected);
});

test('judgeStandstill() takes a command without lanes as due when it is played', () => {
  const played = { ...sends, started: null };
  expect(judgeStandstill(still({ ...lacksCommand, events: [asks, played], verifying: [played] }))?.code).toBe('command_missing');
});

test.each<[string, Partial<Standstill>, string | null]>([
  ['lanes that are not at "seen" are not the window\'s fault', { dispatching: intent(3, at(9)) }, null],
  ['an intent that was accepted waits for its reply alone', { dispatching: asks, status: { ...status, missing: outbound } }, 'protocol/outbound_missing'],
  ['a window that does not answer is not behind', { dispatching: asksOn, window: null }, 'state/intent_not_ready'],
  ['without lanes it may wait for what the product owes', { dispatching: intent(3, null), status: { ...status, missing: outbound } }, 'protocol/outbound_missing'],
  ['without lanes and without a debt it is the window', { dispatching: intent(3, null), status: { ...status, missing: unread } }, 'state/intent_not_ready'],
  ['a command that has not begun has no result to give', { verifying: [effect(4, at(9))], status: { ...status, missing: unread } }, 'transport/not_drained'],
])('judgeStandstill() weighs an intent and a command by the lanes: %s', (_title, change, expected) => {
  const facts = judgeStandstill(still(change));
  expect(facts && `${facts.layer}/${facts.code}`).toBe(expected);
});

test.each<[string, Partial<Standstill>, object]>([
  ['a missing command', lacksCommand, { message: 'Cannot continue replay: the window made no command "queue/sendPrompt" for "submit/requested" (event 2), the recorded one was needed', position: { activitySequence: 2, eventId: 'ev-2' }, recorded: 'queue/sendPrompt', live: null }],
  ['an unready intent', lacksIntent, { message: 'Cannot dispatch "submit/requested" (event 3): the window waits for a session that is ready, the state of the recording was needed', position: { activitySequence: 3, eventId: 'ev-3' }, live: 'a session that is ready' }],
  ['a command without result', lacksResult, { message: 'Cannot continue replay: command "queue/sendPrompt" (event 2) has begun and got no result, the recorded one was needed', position: { activitySequence: 2, eventId: 'ev-2' }, path: '$.payload.outcome' }],
  ['a window that is behind at a checkpoint', { landing: { ...landing, reply: { state: 'reached', revision: 9, shows: [] }, lag: { needed: 9, actual: 7 } } }, { code: 'not_shown', path: '$.revision', recorded: '9', live: '7', checkpoint: { id: 'checkpoint-0001', name: 'greeted' } }],
  ['an untriggered checkpoint', lacksCheckpoint, { message: 'Cannot reach checkpoint "greeted": what triggers it was not seen, its recorded trigger was needed', checkpoint: { id: 'checkpoint-0001', name: 'greeted' } }],
  ['a cursor that no lane comes to', lacksCursor, { message: 'Cannot reach checkpoint "greeted": c1 stands at 8.1, 9.2 was needed', position: { connectionId: 'c1', chunkSeq: 9, unitIndex: 2 }, path: '$.cursor.providerConnections', recorded: '9.2', live: '8.1' }],
  ['an unready checkpoint', { landing: { ...landing, reply: { state: 'not_ready', awaited: { predicate: 'turn.phase', needed: 'running', actual: 'settled' } } } }, { code: 'checkpoint_not_ready', message: 'Cannot reach checkpoint "greeted": turn.phase is "settled", "running" was recorded', path: '$.turn.phase', recorded: 'running', live: 'settled' }],
  ['a checkpoint whose subject is missing', { landing: { ...landing, reply: { state: 'not_ready', awaited: { predicate: 'session.exists', needed: 'true', actual: null } } } }, { code: 'checkpoint_not_ready', message: 'Cannot reach checkpoint "greeted": session.exists is not there, "true" was recorded', live: null }],
  ['a checkpoint that is not shown', { landing: { ...landing, reply: { state: 'reached', revision: 4, shows: [] }, hidden: { kind: 'turn', id: 't-1', status: 'completed', shown: 'running' } } }, { layer: 'state', code: 'not_shown', message: 'Cannot reach checkpoint "greeted": the window shows turn as "running", "completed" was needed', path: '$.turn.status', recorded: 'completed', live: 'running' }],
])('judgeStandstill() tells of %s where it is', (_title, change, expected) => {
  expect(judgeStandstill(still(change))).toMatchObject(expected);
});
