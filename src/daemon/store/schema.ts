/**
 * The canonical tables of the Agent Host (agent-host 2.1 to 2.3), as one forward schema. What a single row can say of itself is
 * a CHECK, what a row may not become is a trigger: a bug above fails here instead of being stored.
 */

/** Marks a database as ours; another value belongs to another program. */
export const applicationId = 0x50_4c_41_59;
export const schemaVersion = 1;

const sessions = `
create table workspace_agent_sessions (
  workspace_id text not null check (trim(workspace_id) <> ''),
  agent_session_id text not null check (trim(agent_session_id) <> ''),
  origin text not null,
  user_id text not null default '',
  agent_target_id text not null check (trim(agent_target_id) <> ''),
  provider text not null check (trim(provider) <> ''),
  provider_session_id text not null default '',
  model text not null default '',
  settings_json text not null check (json_type(settings_json) = 'object'),
  session_metadata_json text not null check (json_type(session_metadata_json) = 'object'),
  internal_runtime_context_json text not null default '{}' check (json_type(internal_runtime_context_json) = 'object'),
  cwd text not null,
  rail_section_kind text not null check (rail_section_kind in ('project', 'conversations')),
  rail_project_path text not null default '',
  rail_section_key text not null check (rail_section_key <> ''),
  title text not null default '',
  is_title_established integer not null default 0 check (is_title_established in (0, 1)),
  message_version integer not null default 0 check (message_version >= 0),
  active_turn_id text check (active_turn_id <> ''),
  session_kind text not null check (session_kind in ('root', 'child')),
  root_agent_session_id text,
  root_turn_id text,
  parent_agent_session_id text,
  parent_turn_id text,
  parent_tool_call_id text,
  pinned_at_unix_ms integer not null default 0,
  deleted_at_unix_ms integer not null default 0,
  created_at_unix_ms integer not null,
  updated_at_unix_ms integer not null,
  primary key (workspace_id, agent_session_id),
  foreign key (workspace_id, agent_session_id, active_turn_id) references workspace_agent_turns (workspace_id, agent_session_id, turn_id) deferrable initially deferred,
  check (session_kind = 'child' or coalesce(root_agent_session_id, root_turn_id, parent_agent_session_id, parent_turn_id, parent_tool_call_id) is null),
  check (session_kind = 'root' or (root_agent_session_id <> '' and parent_agent_session_id <> '' and root_agent_session_id <> agent_session_id and parent_agent_session_id <> agent_session_id))
) strict;
create index workspace_agent_sessions_of_root on workspace_agent_sessions (workspace_id, root_agent_session_id);
create trigger session_identity_is_immutable before update on workspace_agent_sessions
when old.session_kind is not new.session_kind or old.root_agent_session_id is not new.root_agent_session_id or old.root_turn_id is not new.root_turn_id
  or old.parent_agent_session_id is not new.parent_agent_session_id or old.parent_turn_id is not new.parent_turn_id
  or old.parent_tool_call_id is not new.parent_tool_call_id or old.created_at_unix_ms is not new.created_at_unix_ms or old.rail_section_key is not new.rail_section_key
begin select raise(abort, 'the identity of a session is immutable'); end;
create trigger session_updates_rise before update on workspace_agent_sessions when new.updated_at_unix_ms <= old.updated_at_unix_ms or new.message_version < old.message_version
begin select raise(abort, 'the update of a session did not rise'); end;`;

const turns = `
create table workspace_agent_turns (
  workspace_id text not null,
  agent_session_id text not null,
  turn_id text not null check (trim(turn_id) <> ''),
  turn_sequence integer not null check (turn_sequence > 0),
  phase text not null check (phase in ('submitted', 'running', 'waiting', 'settling', 'settled')),
  outcome text check (outcome in ('completed', 'failed', 'canceled', 'interrupted')),
  error_json text check (json_type(error_json) = 'object'),
  file_changes_json text check (json_type(file_changes_json) = 'object'),
  completed_command_json text check (json_type(completed_command_json) = 'object'),
  capability_refs_json text not null default '[]' check (json_type(capability_refs_json) = 'array'),
  turn_origin text not null check (turn_origin in ('user_prompt', 'goal_arm', 'goal_continuation', 'provider_initiated', 'legacy_unknown')),
  root_provider_turn_id text not null default '',
  root_provider_turn_phase text check (root_provider_turn_phase in ('running', 'completed')),
  root_provider_turn_outcome text check (root_provider_turn_outcome in ('completed', 'failed', 'canceled', 'interrupted')),
  root_provider_turn_error_json text check (json_type(root_provider_turn_error_json) = 'object'),
  started_at_unix_ms integer not null,
  settled_at_unix_ms integer,
  primary key (workspace_id, agent_session_id, turn_id),
  unique (workspace_id, agent_session_id, turn_sequence),
  foreign key (workspace_id, agent_session_id) references workspace_agent_sessions (workspace_id, agent_session_id),
  check ((phase = 'settled') = (outcome is not null) and (phase = 'settled') = (settled_at_unix_ms is not null)),
  check ((root_provider_turn_phase is not null and root_provider_turn_phase = 'completed') = (root_provider_turn_outcome is not null))
) strict;
create unique index workspace_agent_turns_of_provider on workspace_agent_turns (workspace_id, agent_session_id, root_provider_turn_id) where root_provider_turn_id <> '';
create index workspace_agent_turns_unsettled on workspace_agent_turns (workspace_id, agent_session_id) where phase <> 'settled';
create trigger turn_stays_settled before update on workspace_agent_turns
when old.phase = 'settled' and (new.phase <> 'settled' or new.outcome is not old.outcome)
begin select raise(abort, 'a settled turn stays as it is'); end;
create trigger turn_identity_is_immutable before update on workspace_agent_turns
when old.turn_sequence <> new.turn_sequence or old.turn_origin <> new.turn_origin or (old.root_provider_turn_id <> '' and old.root_provider_turn_id <> new.root_provider_turn_id)
begin select raise(abort, 'the identity of a turn is immutable'); end;
create trigger one_live_turn_per_session before insert on workspace_agent_turns
when new.phase <> 'settled' and exists (select 1 from workspace_agent_turns where workspace_id = new.workspace_id and agent_session_id = new.agent_session_id and phase <> 'settled')
begin select raise(abort, 'a session has one live turn'); end;`;

const messages = `
create table workspace_agent_messages (
  id integer primary key autoincrement,
  workspace_id text not null,
  agent_session_id text not null,
  message_id text not null check (trim(message_id) <> ''),
  version integer not null check (version > 0),
  turn_id text check (turn_id <> ''),
  role text not null check (role <> ''),
  kind text not null check (kind <> ''),
  status text not null default '',
  semantics_json text check (json_type(semantics_json) = 'object'),
  payload_json text not null check (json_type(payload_json) = 'object'),
  created_at_unix_ms integer not null,
  updated_at_unix_ms integer not null,
  unique (workspace_id, agent_session_id, message_id),
  foreign key (workspace_id, agent_session_id) references workspace_agent_sessions (workspace_id, agent_session_id),
  foreign key (workspace_id, agent_session_id, turn_id) references workspace_agent_turns (workspace_id, agent_session_id, turn_id),
  check (kind not in ('session_audit', 'collaboration') or turn_id is null)
) strict;
create index workspace_agent_messages_in_order on workspace_agent_messages (workspace_id, agent_session_id, version);
create index workspace_agent_messages_of_submit on workspace_agent_messages (workspace_id, agent_session_id, json_extract(payload_json, '$.clientSubmitId'));
create trigger message_identity_is_immutable before update on workspace_agent_messages when old.turn_id is not new.turn_id or old.role <> new.role or old.kind <> new.kind
begin select raise(abort, 'the identity of a message is immutable'); end;
create trigger message_versions_rise before update on workspace_agent_messages when new.version <= old.version
begin select raise(abort, 'the version of a message did not rise'); end;`;

const interactions = `
create table workspace_agent_interactions (
  workspace_id text not null,
  agent_session_id text not null,
  turn_id text not null,
  request_id text not null check (trim(request_id) <> ''),
  kind text not null check (kind in ('approval', 'question', 'plan')),
  status text not null check (status in ('pending', 'answered', 'superseded')),
  tool_name text not null default '',
  input_json text not null check (json_type(input_json) = 'object'),
  output_json text check (json_type(output_json) = 'object'),
  metadata_json text not null check (json_type(metadata_json) = 'object'),
  created_at_unix_ms integer not null,
  updated_at_unix_ms integer not null,
  primary key (workspace_id, agent_session_id, turn_id, request_id),
  foreign key (workspace_id, agent_session_id, turn_id) references workspace_agent_turns (workspace_id, agent_session_id, turn_id)
) strict;
create trigger interaction_stays_resolved before update on workspace_agent_interactions when old.status <> 'pending' and old.status <> new.status
begin select raise(abort, 'a resolved interaction stays resolved'); end;`;

// A claim is older than its session: it binds the turn before a runtime is even prepared (agent-host 1.1).
const submissions = `
create table workspace_agent_submit_claims (
  workspace_id text not null,
  agent_session_id text not null,
  client_submit_id text not null check (trim(client_submit_id) <> ''),
  status text not null check (status in ('prepared', 'accepted', 'rejected')),
  turn_id text,
  canonical_turn_id text not null check (canonical_turn_id <> ''),
  created_at_unix_ms integer not null,
  primary key (workspace_id, agent_session_id, client_submit_id),
  check ((status = 'prepared') = (turn_id is null)),
  check (turn_id is null or turn_id = canonical_turn_id)
) strict;
create trigger claim_is_final before update on workspace_agent_submit_claims
when old.canonical_turn_id <> new.canonical_turn_id or (old.status <> 'prepared' and old.status <> new.status)
begin select raise(abort, 'a claim keeps its turn and its end'); end;
create table workspace_agent_turn_submissions (
  workspace_id text not null,
  agent_session_id text not null,
  turn_id text not null,
  content_json text not null check (json_type(content_json) = 'array'),
  display_prompt text not null default '',
  client_submit_id text not null default '',
  primary key (workspace_id, agent_session_id, turn_id),
  foreign key (workspace_id, agent_session_id, turn_id) references workspace_agent_turns (workspace_id, agent_session_id, turn_id)
) strict;
create trigger submission_is_immutable before update on workspace_agent_turn_submissions begin select raise(abort, 'a submission is written once'); end;`;

const operations = `
create table workspace_agent_runtime_operations (
  operation_id text primary key not null,
  workspace_id text not null,
  agent_session_id text not null,
  kind text not null check (kind in ('interactive_response', 'cancel_turn')),
  status text not null check (status in ('prepared', 'leased', 'completed', 'failed')),
  result text check (result in ('answered', 'superseded', 'canceled', 'already_settled', 'failed')),
  turn_id text not null,
  request_id text not null default '',
  payload_json text not null check (json_type(payload_json) = 'object'),
  lease_owner text,
  lease_expires_at_unix_ms integer,
  next_attempt_at_unix_ms integer,
  attempt integer not null default 0 check (attempt >= 0),
  last_error text not null default '',
  created_at_unix_ms integer not null,
  completed_at_unix_ms integer,
  foreign key (workspace_id, agent_session_id, turn_id) references workspace_agent_turns (workspace_id, agent_session_id, turn_id),
  unique (workspace_id, agent_session_id, kind, turn_id, request_id),
  check ((status = 'leased') = (lease_owner is not null) and (status = 'leased') = (lease_expires_at_unix_ms is not null)),
  check (next_attempt_at_unix_ms is null or status = 'prepared'),
  check ((status = 'completed') = (result is not null) and (status = 'completed') = (completed_at_unix_ms is not null)),
  check ((kind = 'cancel_turn') = (request_id = ''))
) strict;
create index workspace_agent_runtime_operations_open on workspace_agent_runtime_operations (workspace_id, agent_session_id, turn_id) where status in ('prepared', 'leased');
create trigger operation_stays_completed before update on workspace_agent_runtime_operations when old.status = 'completed'
begin select raise(abort, 'a completed operation stays as it is'); end;`;

export const schema = [sessions, turns, messages, interactions, submissions, operations].join('\n');
