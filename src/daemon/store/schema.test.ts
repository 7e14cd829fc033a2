import { expect, test } from 'vitest';
import { openDatabase } from './open.ts';

const ready = () => {
  const sql = openDatabase(':memory:');
  const turn = (id: string, sequence: number, rest: string) => `insert into workspace_agent_turns (workspace_id, agent_session_id, turn_id, turn_sequence, turn_origin, started_at_unix_ms, phase, outcome, settled_at_unix_ms) values ('w', 's', '${id}', ${sequence}, 'user_prompt', 1, ${rest})`;
  sql.exec(`
    insert into workspace_agent_sessions (workspace_id, agent_session_id, origin, agent_target_id, provider, settings_json, session_metadata_json, cwd, rail_section_kind, rail_section_key, session_kind, created_at_unix_ms, updated_at_unix_ms)
      values ('w', 's', '', 't', 'p', '{}', '{}', '/', 'conversations', 'conversations', 'root', 1, 1);
    ${turn('old', 1, "'settled', 'completed', 2")}; ${turn('live', 2, "'running', null, null")};
    update workspace_agent_turns set root_provider_turn_id = 'p1' where turn_id = 'live';
    insert into workspace_agent_messages (workspace_id, agent_session_id, message_id, version, turn_id, role, kind, payload_json, created_at_unix_ms, updated_at_unix_ms) values ('w', 's', 'm', 1, 'live', 'user', 'text', '{}', 1, 1);
    insert into workspace_agent_interactions (workspace_id, agent_session_id, turn_id, request_id, kind, status, input_json, metadata_json, created_at_unix_ms, updated_at_unix_ms) values ('w', 's', 'live', 'r', 'approval', 'answered', '{}', '{}', 1, 1);
    insert into workspace_agent_submit_claims (workspace_id, agent_session_id, client_submit_id, status, turn_id, canonical_turn_id, created_at_unix_ms) values ('w', 's', 'c', 'accepted', 'live', 'live', 1);
    insert into workspace_agent_turn_submissions (workspace_id, agent_session_id, turn_id, content_json) values ('w', 's', 'live', '[]');
    insert into workspace_agent_runtime_operations (operation_id, workspace_id, agent_session_id, kind, status, result, turn_id, payload_json, created_at_unix_ms, completed_at_unix_ms) values ('o', 'w', 's', 'cancel_turn', 'completed', 'canceled', 'live', '{}', 1, 1);`);
  return { sql, turn };
};
const { turn } = ready();

test.each([
  ['a second live turn', turn('more', 3, "'submitted', null, null"), 'a session has one live turn'],
  ['a settled turn without an outcome', turn('more', 3, "'settled', null, 2"), 'CHECK'],
  ['an outcome of a live turn', "update workspace_agent_turns set outcome = 'failed' where turn_id = 'live'", 'CHECK'],
  ['a turn that is reopened', "update workspace_agent_turns set phase = 'running', outcome = null, settled_at_unix_ms = null where turn_id = 'old'", 'a settled turn stays as it is'],
  ['another outcome', "update workspace_agent_turns set outcome = 'failed' where turn_id = 'old'", 'a settled turn stays as it is'],
  ['another provider turn', "update workspace_agent_turns set root_provider_turn_id = 'p2' where turn_id = 'live'", 'the identity of a turn is immutable'],
  ['one provider turn on two turns', "update workspace_agent_turns set root_provider_turn_id = 'p1' where turn_id = 'old'", 'UNIQUE'],
  ['an active turn of nobody', "update workspace_agent_sessions set active_turn_id = 'x', updated_at_unix_ms = 9", 'FOREIGN KEY'],
  ['a session that becomes a child', "update workspace_agent_sessions set session_kind = 'child', root_agent_session_id = 'r', parent_agent_session_id = 'r', updated_at_unix_ms = 9", 'the identity of a session is immutable'],
  ['another rail', "update workspace_agent_sessions set rail_section_key = 'project:/x', updated_at_unix_ms = 9", 'the identity of a session is immutable'],
  ['an update at the same time', "update workspace_agent_sessions set title = 'x'", 'the update of a session did not rise'],
  ['settings that are a list', "update workspace_agent_sessions set settings_json = '[]', updated_at_unix_ms = 9", 'CHECK'],
  ['settings that are no JSON', "update workspace_agent_sessions set settings_json = '{', updated_at_unix_ms = 9", 'malformed JSON'],
  ['a message without a kind', "update workspace_agent_messages set kind = '', version = 2", 'immutable'],
  ['a message that moves to another turn', "update workspace_agent_messages set turn_id = 'old', version = 2", 'the identity of a message is immutable'],
  ['a message without a new version', "update workspace_agent_messages set status = 'completed'", 'the version of a message did not rise'],
  ['a request that is pending again', "update workspace_agent_interactions set status = 'pending'", 'a resolved interaction stays resolved'],
  ['a claim that changes its end', "update workspace_agent_submit_claims set status = 'rejected'", 'a claim keeps its turn and its end'],
  ['a claim that changes its turn', "update workspace_agent_submit_claims set canonical_turn_id = 'old'", 'a claim keeps its turn and its end'],
  ['a prompt that is written again', "update workspace_agent_turn_submissions set display_prompt = 'x'", 'a submission is written once'],
  ['an operation that completes twice', "update workspace_agent_runtime_operations set result = 'failed'", 'a completed operation stays as it is'],
  ['a lease without an owner', "insert into workspace_agent_runtime_operations (operation_id, workspace_id, agent_session_id, kind, status, turn_id, request_id, payload_json, created_at_unix_ms) values ('q', 'w', 's', 'interactive_response', 'leased', 'live', 'r', '{}', 1)", 'CHECK'],
  ['a cancel of a request', "insert into workspace_agent_runtime_operations (operation_id, workspace_id, agent_session_id, kind, status, turn_id, request_id, payload_json, created_at_unix_ms) values ('q', 'w', 's', 'cancel_turn', 'prepared', 'live', 'r', '{}', 1)", 'CHECK'],
])('the schema refuses %s', (_title, statement, why) => {
  const { sql } = ready();
  expect(() => sql.exec(`begin; ${statement}; commit`)).toThrow(why);
});
