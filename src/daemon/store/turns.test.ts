import { expect, test } from 'vitest';
import { openDatabase } from './open.ts';
import { insertSession, type NewSession } from './sessions.ts';
import { createStore } from './store.ts';
import { createWrite } from './transaction.ts';
import { insertTurn, settleTurn } from './turns.ts';

const key = (agentSessionId: string) => ({ workspaceId: 'w', agentSessionId, turnId: `turn-${agentSessionId}` });
const session = (agentSessionId: string): NewSession => ({
  ref: { workspaceId: 'w', agentSessionId }, origin: '', userId: '', agentTargetId: 't', provider: 'p', providerSessionId: 'p', model: '', settings: {}, metadata: { visible: true }, resumeCheckpoint: null,
  cwd: '/', rail: { kind: 'conversations', projectPath: '', key: 'conversations' }, title: '',
  ...(agentSessionId !== 'root' && { kind: 'child', relation: { rootSessionId: 'root', rootTurnId: 'turn-root', parentSessionId: 'root', parentTurnId: 'turn-root', parentToolCallId: 'call' } }),
});

/** A root with two live children; its provider's turn has failed. */
const family = () => {
  const sql = openDatabase(':memory:');
  let now = 0;
  const ports = { clock: { nowUnixMs: () => ++now }, ids: { uuid: () => 'tx' }, onCommit: () => {} };
  const { write } = createWrite(sql, ports);
  const store = createStore(sql, ports);
  write((tx) => {
    for (const id of ['root', 'a', 'b']) {
      insertSession(tx, session(id));
      insertTurn(tx, key(id), 'provider_initiated');
    }
    tx.sql.run("update workspace_agent_turns set root_provider_turn_id = 'provider' where turn_id = 'turn-root'");
  });
  const root = () => store.turn(key('root'));
  const endProvider = (error = true) => store.report({ ref: key('root'), unit: null, rootProviderTurn: { turnId: 'turn-root', providerTurnId: 'provider', phase: 'completed', outcome: 'failed', ...(error && { error: { code: 'e', message: 'E' } }) } });
  const endChild = (id: string) => write((tx) => settleTurn(tx, key(id), { outcome: 'completed' })).delta;
  return { root, endProvider, endChild, isSettled: () => store.isSettled(key('root')) };
};

test('a root whose provider is done waits for its children, and settles in the transaction of the last one with what was stored', () => {
  const { root, endProvider, endChild, isSettled } = family();
  endProvider();
  expect([root()?.phase, isSettled()]).toEqual(['waiting', false]);
  endChild('a');
  expect(root()?.phase).toBe('waiting');
  const last = endChild('b');
  expect([root()?.outcome, root()?.error, isSettled(), last.turns.map(({ after }) => after.turnId).sort()]).toEqual(['failed', { code: 'e', message: 'E' }, true, ['turn-b', 'turn-root']]);
});

test('children that end first leave the root to its provider', () => {
  const { root, endProvider, endChild } = family();
  for (const id of ['a', 'b']) endChild(id);
  expect(root()?.phase).toBe('submitted');
  endProvider(false);
  expect([root()?.outcome, root()?.error]).toEqual(['failed', null]);
});
