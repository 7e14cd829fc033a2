/** Rows of the store as the views that everybody else sees (agent-host 2.1). */

import type { Json, JsonObject } from '../../core/json/exact.ts';
import { isObject, parseJson } from '../../core/json/exact.ts';
import type { InteractionView, MessageView, SessionRef, SessionView, TurnError, TurnView } from '../../core/agent/views.ts';
import type { Row } from './connection.ts';

export function sessionView(row: Row): SessionView {
  const text = textOf(row);
  return {
    agentSessionId: text('agent_session_id'),
    kind: row['session_kind'] as SessionView['kind'],
    rootSessionId: text('root_agent_session_id'),
    rootTurnId: text('root_turn_id'),
    parentSessionId: text('parent_agent_session_id'),
    parentTurnId: text('parent_turn_id'),
    parentToolCallId: text('parent_tool_call_id'),
    origin: text('origin'),
    agentTargetId: text('agent_target_id'),
    provider: text('provider'),
    providerSessionId: text('provider_session_id'),
    model: text('model'),
    settings: objectOf(row['settings_json']),
    cwd: text('cwd'),
    railSectionKind: text('rail_section_kind'),
    railProjectPath: text('rail_project_path'),
    railSectionKey: text('rail_section_key'),
    title: text('title'),
    activeTurnId: (row['active_turn_id'] as string | null) ?? null,
    isPinned: Number(row['pinned_at_unix_ms']) > 0,
    isVisible: objectOf(row['session_metadata_json'])['visible'] === true,
    messageVersion: Number(row['message_version']),
    createdAtUnixMs: Number(row['created_at_unix_ms']),
    updatedAtUnixMs: Number(row['updated_at_unix_ms']),
  };
}

export function turnView(row: Row): TurnView {
  return {
    agentSessionId: row['agent_session_id'] as string,
    turnId: row['turn_id'] as string,
    sequence: Number(row['turn_sequence']),
    phase: row['phase'] as TurnView['phase'],
    outcome: row['outcome'] as TurnView['outcome'],
    error: jsonOf(row['error_json']) as TurnError | null,
    origin: row['turn_origin'] as TurnView['origin'],
    rootProviderTurnId: row['root_provider_turn_id'] as string,
    fileChanges: jsonOf(row['file_changes_json']) as JsonObject | null,
    completedCommand: jsonOf(row['completed_command_json']) as JsonObject | null,
  };
}

export function messageView(row: Row): MessageView {
  return {
    agentSessionId: row['agent_session_id'] as string,
    messageId: row['message_id'] as string,
    version: Number(row['version']),
    turnId: (row['turn_id'] as string | null) ?? null,
    role: row['role'] as string,
    kind: row['kind'] as string,
    status: row['status'] as string,
    payload: objectOf(row['payload_json']),
    semantics: jsonOf(row['semantics_json']) as JsonObject | null,
  };
}

export function interactionView(row: Row): InteractionView {
  return {
    agentSessionId: row['agent_session_id'] as string,
    turnId: row['turn_id'] as string,
    requestId: row['request_id'] as string,
    kind: row['kind'] as InteractionView['kind'],
    status: row['status'] as InteractionView['status'],
    toolName: row['tool_name'] as string,
    input: objectOf(row['input_json']),
    output: jsonOf(row['output_json']) as JsonObject | null,
    metadata: objectOf(row['metadata_json']),
  };
}

export function refOf(row: Row): SessionRef {
  return { workspaceId: row['workspace_id'] as string, agentSessionId: row['agent_session_id'] as string };
}

export function jsonOf(text: unknown): Json {
  return typeof text === 'string' ? (parseJson(text) ?? null) : null;
}

export function objectOf(text: unknown): JsonObject {
  const value = jsonOf(text);
  return isObject(value) ? value : {};
}

function textOf(row: Row): (column: string) => string {
  return (column) => (row[column] as string | null) ?? '';
}
