/**
 * Every issue code: what it means, at which acceptance levels it stands, and the rule of the contract behind it.
 * `docs/errors.md` and `docs/contract.md` are written from here; tests compare.
 *
 * The levels are the reference's four readers (cassette-contract 0.2, 14): `publish` and `resolve` are its core, `tape_load` its
 * player, `runner` its runner and audit script together with what our own players need. Asking all of them is the stricter of
 * every two; asking one is that reader alone.
 */

import type { IssueLevel } from './issue.ts';

export type IssueCode = keyof typeof issueCatalogue;

export type IssueEntry = {
  means: string;
  levels: readonly IssueLevel[];
  /** Section and number in the contract; `ours` where the contract is silent. */
  rule: string;
  severity?: 'warning';
};

const contract = ['publish', 'resolve'] as const;
const everywhere = ['publish', 'resolve', 'runner'] as const;
const tape = ['publish', 'resolve', 'tape_load'] as const;
const all = ['publish', 'resolve', 'tape_load', 'runner'] as const;

export const issueCatalogue = {
  // A case
  case_invalid: { levels: ['runner'], rule: 'ours', means: 'A member of `case.json` has a value that it cannot have.' },
  case_member_unknown: { levels: ['runner'], rule: 'ours', means: '`case.json` has a member that nobody reads: a misspelt option must not pass for a default.' },

  // Files and folders
  cassette_missing: { levels: all, rule: '0.6', means: 'The folder of a cassette is not there.' },
  cassette_manifest_missing: { levels: all, rule: '0.6', means: 'The folder holds more than `provider/` and no `cassette.json`.' },
  recording_unpublished: { levels: ['resolve', 'runner'], rule: '9.10', means: 'The folder is a recording that was never published.' },
  manifest_sha256_mismatch: { levels: ['resolve'], rule: '1.4', means: 'The manifest is not the one that `case.json` or the catalogue pins: the cassette was changed after it was recorded.' },
  file_missing: { levels: everywhere, rule: '1.6', means: 'A file of the inventory is not in the folder.' },
  file_unexpected: { levels: everywhere, rule: '1.6, P1', means: 'The folder holds a file that the inventory does not list.' },
  file_not_regular: { levels: all, rule: '1.6', means: 'A file of the cassette is a link, a folder or a device.' },
  file_name_colliding: { levels: ['runner'], rule: 'ours', means: 'Two files differ by the case of their letters alone: on some disks they are one.' },
  file_unreadable: { levels: all, rule: 'ours', means: 'A file of the cassette cannot be read.' },
  file_changed: { levels: all, rule: 'ours', means: 'A file was changed while it was read.' },
  file_size_mismatch: { levels: everywhere, rule: '1.6', means: 'A file has another size than the inventory says.' },
  file_sha256_mismatch: { levels: everywhere, rule: '1.4, 1.6', means: 'A file is not the one that the inventory was written for.' },
  folder_too_large: { levels: all, rule: 'ours', means: 'The folder holds more entries than any cassette has.' },
  finder_folder_not_empty: { levels: contract, rule: '0.6, 14.1', means: 'A folder named `.DS_Store` holds a file; only a file of that name is passed over.' },
  recording_left: { levels: ['resolve'], rule: '1.6, 15.14', means: 'The folder still holds `.recording`, which publication removes.' },

  // JSON (section 0)
  json_invalid: { levels: all, rule: 'J9, 0.3', means: 'A file or a line is not one JSON value.' },
  json_too_deep: { levels: all, rule: 'J10', means: 'A value is nested deeper than any recording is.' },
  json_too_large: { levels: all, rule: 'ours', means: 'A document holds more values than any recording does.' },
  json_member_repeated: { levels: all, rule: 'J3', severity: 'warning', means: 'An object has a member twice; the last one counts.' },
  byte_order_mark: { levels: all, rule: 'J8', means: 'A file or a line begins with a byte order mark.' },
  integer_invalid: { levels: all, rule: 'J6', means: 'An integer is written with a fraction or an exponent, or lies beyond its type.' },
  line_blank: { levels: tape, rule: '0.3', means: 'A line between or behind the records is empty.' },
  line_too_long: { levels: contract, rule: '0.3', means: 'A line is over the limit of its file.' },

  // cassette.json
  cassette_invalid: { levels: everywhere, rule: '1.1', means: 'A member of `cassette.json` is absent or has a value that it cannot have.' },
  cassette_schema_unsupported: { levels: everywhere, rule: '1.1, P10', means: 'The cassette has another schema version than 7.' },
  state_format_unknown: { levels: ['resolve', 'runner'], rule: '1.1', means: 'The state of the cassette has a format that nobody registered.' },
  cassette_id_mismatch: { levels: ['resolve'], rule: '1.1', means: 'The cassette has another id than the one that was asked for.' },
  cassette_identity_blank: { levels: contract, rule: '1.1', means: 'The id, the recording or the root session of the cassette is blank.' },
  cassette_name_invalid: { levels: contract, rule: '1.1, 9.1', means: 'The name of the cassette is blank or longer than 120 characters.' },
  agent_target_empty: { levels: ['runner'], rule: '14.1', means: 'The cassette names no agent target.' },
  prerequisites_invalid: { levels: everywhere, rule: '1.2', means: 'One of the four composer defaults is absent or blank.' },
  prerequisites_padded: { levels: ['resolve'], rule: '1.2', means: 'A composer default has white space around it.' },
  mode_invalid: { levels: everywhere, rule: '1.1', means: 'The mode is neither `create-session` nor `continue-session`.' },
  created_at_invalid: { levels: contract, rule: '1.1', means: 'The time of publication is not above zero.' },
  max_total_bytes_invalid: { levels: everywhere, rule: '1.1', means: 'The cassette was written for another size limit.' },
  total_bytes_mismatch: { levels: everywhere, rule: '1.1', means: 'The sizes of the inventory do not add up to `totalBytes`.' },
  cassette_too_large: { levels: everywhere, rule: '1.3, P8', means: 'The files of the cassette are over the limit together.' },
  scope_field_present: { levels: ['resolve', 'runner'], rule: '0.4', means: 'A cassette or an event names the workspace it was recorded in.' },
  inventory_path_unsafe: { levels: everywhere, rule: '1.3', means: 'A path of the inventory leaves the cassette, or is not written in its only form.' },
  inventory_path_not_allowed: { levels: everywhere, rule: '1.3, P1, P6, P7, P9', means: 'The inventory lists a file that no cassette may hold.' },
  inventory_path_repeated: { levels: everywhere, rule: '1.3', means: 'The inventory lists a file twice.' },
  inventory_role_mismatch: { levels: everywhere, rule: '1.3, P2', means: 'A file of the inventory has the role of another one.' },
  inventory_role_empty: { levels: ['runner'], rule: '1.3, 14', means: 'A file of the inventory has no role.' },
  inventory_size_invalid: { levels: everywhere, rule: '1.3', means: 'A size of the inventory is below zero.' },
  inventory_sha256_invalid: { levels: everywhere, rule: '1.3', means: 'A hash of the inventory is no SHA-256 in hex.' },
  inventory_sha256_spelling: { levels: ['runner'], rule: '1.3, 14', means: 'A hash of the inventory is not written in lower case without padding.' },
  inventory_file_missing: { levels: everywhere, rule: '1.3, P3, P4', means: 'The inventory lacks a file that this mode requires.' },
  initial_state_forbidden: { levels: everywhere, rule: '1.3, P5', means: 'A cassette that creates its session has an initial state.' },

  // activity-events.jsonl
  activity_event_invalid: { levels: everywhere, rule: '3.1', means: 'A member of an activity event is absent or has a value that it cannot have.' },
  activity_schema_unsupported: { levels: everywhere, rule: '3.1', means: 'An event has another schema version than 7.' },
  activity_sequence_invalid: { levels: everywhere, rule: '3.3 T1', means: 'The sequence of an event is not the number of its line.' },
  activity_kind_unknown: { levels: everywhere, rule: '3.1', means: 'An event is neither intent, effect nor direct stimulus.' },
  activity_type_blank: { levels: everywhere, rule: '3.1', means: 'An event has no type.' },
  activity_id_blank: { levels: everywhere, rule: '3.1', means: 'An event has no id.' },
  activity_id_repeated: { levels: everywhere, rule: '3.3 T2', means: 'Two events share an id.' },
  activity_time_invalid: { levels: everywhere, rule: '3.1', means: 'The time of an event is not above zero.' },
  activity_time_backward: { levels: ['runner'], rule: '3.1, 14', means: 'An event is earlier than the one before it.' },
  activity_integer_unsafe: { levels: ['runner'], rule: '14', means: 'A number of an event is beyond 2^53-1.' },
  activity_empty: { levels: ['runner'], rule: '3.3, 14', means: 'The cassette has no activity event.' },
  activity_count_mismatch: { levels: ['publish'], rule: '9.10', means: 'The file holds another number of events than the recording accepted.' },
  activity_padding: { levels: ['runner'], rule: '14.1', means: 'A type, cause or correlation has white space around it.' },
  payload_null: { levels: ['runner'], rule: '14.1', means: 'The payload of an event is null.' },
  intent_unknown: { levels: everywhere, rule: '3.2', means: 'The activity contract has no such intent.' },
  cause_missing: { levels: everywhere, rule: '3.1', means: 'An effect names no cause.' },
  cause_forbidden: { levels: everywhere, rule: '3.2', means: 'An event that is no effect names a cause.' },
  cause_blank: { levels: ['runner'], rule: '14', means: 'An event that is no effect has a blank cause.' },
  cause_not_earlier_intent: { levels: everywhere, rule: '3.3 T3', means: 'The cause of an effect is no earlier intent.' },
  effect_not_allowed: { levels: everywhere, rule: '3.3 T4', means: 'The contract does not allow this effect for its cause.' },
  correlation_mismatch: { levels: everywhere, rule: '3.3 T5', means: 'An effect and its cause have different correlation ids.' },
  correlation_blank: { levels: ['runner'], rule: '14.1', means: 'An effect has an empty correlation id and its cause has one.' },
  intent_effect_missing: { levels: everywhere, rule: '3.3 T6', means: 'An intent that requires an effect has none.' },
  effect_outcome_invalid: { levels: ['runner'], rule: '3.5, 14', means: 'An effect does not say how it ended.' },
  activity_path_absolute: { levels: contract, rule: '3.10', means: 'A project path of an event belongs to the recording machine.' },
  stimulus_repeats_intent: { levels: ['runner'], rule: '3.9', means: 'A direct send repeats an intent: one of the two would be sent twice.' },
  payload_member_reserved: { levels: ['runner'], rule: '3.5', means: 'The payload of an intent holds a member that the window sets itself.' },
  command_correlation_missing: { levels: ['runner'], rule: '3.5', means: 'An intent whose command id is made at replay has no correlation id.' },
  command_correlation_repeated: { levels: ['runner'], rule: '3.5', means: 'Two intents bind different commands to one correlation id.' },
  lanes_invalid: { levels: ['runner'], rule: 'ruling 2', means: 'The lanes of an event are no cursor, or do not fit its kind.' },

  // checkpoint-plan.json
  plan_invalid: { levels: everywhere, rule: '4.1, 4.2', means: 'A member of the checkpoint plan is absent or has a value that it cannot have.' },
  plan_schema_unsupported: { levels: everywhere, rule: '4.1', means: 'The plan, its cassette or its observations have another schema version.' },
  plan_empty: { levels: everywhere, rule: '4.1', means: 'The plan has no checkpoint.' },
  checkpoint_id_invalid: { levels: everywhere, rule: '4.2', means: 'The id of a checkpoint does not follow from its place.' },
  checkpoint_index_invalid: { levels: everywhere, rule: '4.2', means: 'The index of a checkpoint is not its place.' },
  checkpoint_kind_unknown: { levels: contract, rule: '4.3', means: 'A checkpoint has no known kind.' },
  checkpoint_tag_missing: { levels: everywhere, rule: '4.2', means: 'The tags of a checkpoint do not hold its kind.' },
  cursor_activity_backward: { levels: everywhere, rule: '4.4 C1', means: 'The activity part of a cursor goes back.' },
  cursor_connection_order: { levels: contract, rule: '4.4 C2', means: 'The connections of a cursor are blank, repeated or not in order.' },
  cursor_connection_unknown: { levels: contract, rule: '4.4 C3', means: 'A cursor names a connection that the tape does not have.' },
  cursor_connection_dropped: { levels: contract, rule: '4.4 C4', means: 'A cursor lacks a connection that an earlier one had.' },
  cursor_provider_backward: { levels: contract, rule: '4.4 C5', means: 'A provider part of a cursor goes back.' },
  cursor_unchanged: { levels: contract, rule: '4.4 C6', means: 'Two checkpoints stand at one cursor; they must be one.' },
  cursor_beyond_events: { levels: ['runner'], rule: '4.4, 14', means: 'A cursor lies behind the last activity event.' },
  cursor_beyond_tape: { levels: ['runner'], rule: 'ours', means: 'A cursor lies behind the last chunk of a connection: no replay comes there.' },
  cursor_connections_null: { levels: ['runner'], rule: '14.1', means: 'A cursor has no list of connections.' },
  trigger_source_unknown: { levels: everywhere, rule: '4.5', means: 'A trigger has no known source.' },
  trigger_bootstrap_invalid: { levels: contract, rule: '4.5', means: 'A bootstrap trigger names a place.' },
  boundary_sequence_invalid: { levels: contract, rule: '4.5', means: 'An activity boundary is not where its cursor is.' },
  boundary_kind_unknown: { levels: contract, rule: '4.5', means: 'An activity boundary has no known kind.' },
  boundary_beyond_events: { levels: everywhere, rule: '4.5', means: 'An activity boundary lies behind the last event.' },
  boundary_splits_effect: { levels: contract, rule: '4.5', means: 'An activity boundary parts an intent from its effect.' },
  trigger_position_invalid: { levels: contract, rule: '4.5', means: 'A provider trigger has no complete position.' },
  trigger_type_blank: { levels: contract, rule: '4.5', means: 'A provider trigger does not say what was observed.' },
  trigger_unit_kind_unknown: { levels: contract, rule: '4.5', means: 'A provider trigger has no known unit kind.' },
  trigger_beyond_cursor: { levels: contract, rule: '4.5', means: 'A provider trigger lies behind the cursor of its checkpoint, or on a connection that it lacks.' },
  fingerprint_invalid: { levels: contract, rule: '4.7', means: 'A fingerprint is not `sha256:` and 64 hex digits.' },
  checkpoint_zero_not_bootstrap: { levels: everywhere, rule: '4.5', means: 'The first checkpoint is not triggered by the bootstrap.' },
  address_invalid: { levels: contract, rule: '4.6', means: 'An entity address has no known kind, or not exactly one origin.' },
  subject_repeated: { levels: contract, rule: '4.2', means: 'A checkpoint names one entity twice.' },
  predicate_type_unknown: { levels: contract, rule: '4.8', means: 'A readiness predicate has no known type.' },
  predicate_subject_invalid: { levels: contract, rule: '4.8', means: 'A readiness predicate names a subject that the checkpoint does not have.' },
  predicate_equals_blank: { levels: contract, rule: '4.8', means: 'A readiness predicate says nothing to compare with.' },
  last_checkpoint_not_terminal: { levels: ['publish'], rule: '4.3', means: 'The plan does not end with the end of a turn, goal, child or compaction.' },

  // The observation journal of a candidate
  journal_invalid: { levels: ['publish'], rule: '6.3', means: 'An entry of the observation journal has a value that it cannot have.' },
  journal_position_repeated: { levels: ['publish'], rule: '6.3', means: 'Two entries of the journal share a position.' },
  journal_conflict: { levels: ['publish'], rule: '6.3', means: 'An observation or correlation was written again with another identity.' },
  checkpoint_trigger_missing: { levels: ['publish'], rule: '6.4', means: 'The journal has no observation where a checkpoint is triggered.' },
  checkpoint_trigger_mismatch: { levels: ['publish'], rule: '6.4', means: 'The journal holds another observation where a checkpoint is triggered.' },
  checkpoint_commit_unconfirmed: { levels: ['publish'], rule: '6.4', means: 'No committed transaction confirms what triggers a checkpoint.' },

  // provider/manifest.json and provider/frames.jsonl
  manifest_missing: { levels: all, rule: '5.2', means: '`provider/manifest.json` cannot be read.' },
  manifest_too_large: { levels: all, rule: 'ours', means: '`provider/manifest.json` is over its limit.' },
  manifest_invalid: { levels: all, rule: '5.2, 5.3', means: 'A member of the tape manifest is absent or has a value that it cannot have.' },
  tape_schema_unsupported: { levels: tape, rule: '5.2', means: 'The tape has another schema version than 4.' },
  tape_projection_unsupported: { levels: tape, rule: '5.2', means: 'The tape has another projection version than 1.' },
  tape_incomplete: { levels: all, rule: '5.2', means: 'The recording of this tape was never finished.' },
  tape_connections_empty: { levels: ['runner'], rule: '14', means: 'The tape has no connection.' },
  provider_unknown: { levels: tape, rule: '5.7 A1, 11', means: 'A connection belongs to a provider that is not registered.' },
  provider_without_player: { levels: ['runner'], rule: 'ours', means: 'The tape is valid, and nothing here plays its provider.' },
  connection_member_blank: { levels: ['runner'], rule: '5.3', means: 'A connection lacks its session, its root or the token of its folder, which players need.' },
  stand_in_member_invalid: { levels: ['runner'], rule: 'ours', means: 'What a stand-in adds to a connection (`argv`, `inputEndedAt`, launches without a gap) has a value that it cannot have.' },
  launch_ordinal_invalid: { levels: ['tape_load'], rule: '5.3', means: 'A launch has no ordinal from 1.' },
  capture_origin_invalid: { levels: ['tape_load'], rule: '5.3', means: 'A connection does not say how its capture began.' },
  connection_duplicate: { levels: ['tape_load'], rule: '5.3', means: 'Two connections share an id, or session, provider and ordinal.' },
  frames_missing: { levels: all, rule: '5.4', means: '`provider/frames.jsonl` cannot be read.' },
  frames_sha256_mismatch: { levels: ['tape_load'], rule: '5.2', means: 'The frames are not those that the tape manifest was written for.' },
  frame_count_mismatch: { levels: ['tape_load', 'runner'], rule: '5.2', means: 'The frames file has another number of lines than the tape manifest says.' },
  frame_line_too_long: { levels: tape, rule: '0.3', means: 'A line of the frames file is over its limit.' },
  frame_invalid: { levels: all, rule: '5.4', means: 'A line of the frames file is no chunk.' },
  frame_order_invalid: { levels: ['tape_load', 'runner'], rule: '5.4', means: '`globalSeq` does not equal the line number.' },
  chunk_order_invalid: { levels: ['tape_load', 'runner'], rule: '5.4', means: '`chunkSeq` has a gap on its connection.' },
  frame_elapsed_invalid: { levels: ['runner'], rule: '14.1', means: 'The time of a chunk is absent or below zero.' },
  frame_kind_unknown: { levels: ['runner'], rule: '5.4', means: 'A chunk is neither outbound, stdout, stderr nor exit.' },
  frame_exit_code_missing: { levels: ['runner'], rule: '5.4', means: 'An exit has no exit code.' },
  frame_data_invalid: { levels: contract, rule: '5.7 A2', means: 'The data of a chunk is no padded base64.' },
  frame_too_large: { levels: ['runner'], rule: '2.2', means: 'The payload of one chunk is over its limit.' },
  frame_connection_unknown: { levels: contract, rule: '5.7 A4', means: 'A chunk names a connection that the manifest does not have.' },
  tape_too_large: { levels: all, rule: '1.3, 2.2', means: 'The frames file is over its limit.' },
  stream_too_large: { levels: contract, rule: '5.7 A2', means: 'The bytes of one stream of a connection are over the limit.' },
  protocol_json_invalid: { levels: contract, rule: '5.7 A3', means: 'What a connection said or was told is not a sequence of JSON values.' },
  credential_method: { levels: contract, rule: '5.7 A5', means: 'A recorded message is a login.' },
  recording_sensitive: { levels: contract, rule: '5.7 A6', means: 'A recorded message holds a credential, an account id or an e-mail address.' },
  recording_not_portable: { levels: contract, rule: '5.7 A6', means: 'A recorded message holds an absolute path under a path member.' },
  chunk_after_exit: { levels: ['runner'], rule: 'ours', means: 'A connection goes on after its exit.' },
  message_framing_unsupported: { levels: ['runner'], rule: 'ours', means: 'A message is not alone on its line, or not whole in its outbound chunk: players take no such tape.' },
  message_unfinished: { levels: ['runner'], rule: 'ours', means: 'The last message of a connection has no end.' },
  turn_open: { levels: ['runner'], rule: 'stand-in b23', means: 'A session that was not killed ends inside a turn.' },
  request_open: { levels: ['runner'], rule: 'stand-in b23', means: 'A session that was not killed ends before a request was answered.' },
  interaction_open: { levels: ['runner'], rule: 'stand-in b23', means: 'A session that was not killed ends before an approval or question was resolved.' },

  // initial-state.json and expected-state.json
  state_invalid: { levels: ['resolve'], rule: '7.1', means: 'A member of a state is absent or has a value that it cannot have.' },
  state_schema_unsupported: { levels: ['resolve'], rule: '7.1', means: 'A state has another schema version than 1.' },
  state_identity_blank: { levels: ['resolve'], rule: '7.1', means: 'Something in a state has a blank id, target or provider.' },
  state_root_invalid: { levels: ['resolve'], rule: '7.3', means: 'The root of a state is no session of kind `root`.' },
  state_session_repeated: { levels: ['resolve'], rule: '7.1', means: 'Two sessions of a state share an id.' },
  state_session_kind_unknown: { levels: ['resolve'], rule: '7.1', means: 'A session is neither root nor child.' },
  state_child_detached: { levels: ['resolve'], rule: '7.1, 7.3', means: 'A child session does not belong to the root, or its parent is not in the state.' },
  state_not_settled: { levels: ['resolve'], rule: '7.1, 7.3', means: 'A turn or a goal operation of a state is still under way.' },
  state_turn_repeated: { levels: ['resolve'], rule: '7.1', means: 'Two turns of a session share an id.' },
  state_turn_unknown: { levels: ['resolve'], rule: '7.1', means: 'A message belongs to a turn that its session does not have.' },
  state_path_absolute: { levels: ['resolve'], rule: '7.4', means: 'A path of a state belongs to the recording machine.' },
  state_scope_present: { levels: ['resolve'], rule: '0.4, 7.4', means: 'A state names the workspace it was captured in.' },
  state_root_mismatch: { levels: ['runner'], rule: '7.3', means: 'The initial state has another root than the cassette.' },
  state_domain_unsupported: { levels: ['runner'], rule: '7.9', means: 'A state holds a domain that the profile of the product does not have.' },
  state_path_escapes: { levels: ['runner'], rule: '7.5', means: 'A token path of a state leaves the project folder.' },
  state_binding_not_portable: { levels: ['runner'], rule: '7.4', means: 'The project of a session is bound to a folder of the recording machine.' },

  // blobs
  blob_manifest_invalid: { levels: everywhere, rule: '8.1, 8.2', means: 'A member of the blob manifest is absent or has a value that it cannot have.' },
  blob_schema_unsupported: { levels: everywhere, rule: '8.1', means: 'The blob manifest has another schema version than 1.' },
  blobs_null: { levels: ['runner'], rule: '14', means: 'The blob manifest has no list.' },
  blob_kind_unknown: { levels: everywhere, rule: '8.2', means: 'A blob is neither a prompt attachment nor a generated image.' },
  blob_sha256_invalid: { levels: everywhere, rule: '8.2', means: 'The digest of a blob is no SHA-256 in hex.' },
  blob_size_invalid: { levels: everywhere, rule: '8.2, P8', means: 'The size of a blob is below zero or over its limit.' },
  blob_segment_unsafe: { levels: everywhere, rule: '8.2', means: 'A session or attachment of a blob is no safe file name.' },
  blob_path_unsafe: { levels: everywhere, rule: '8.2', means: 'The path of a generated image leaves its folder, or is not written in its only form.' },
  blob_member_forbidden: { levels: everywhere, rule: '8.2', means: 'A blob has the place of the other kind.' },
  blob_member_blank: { levels: ['runner'], rule: '14', means: 'A blob has a blank place of the other kind.' },
  blob_mime_unsupported: { levels: everywhere, rule: '8.2', means: 'A blob is no PNG, JPEG or WebP image.' },
  blob_extension_mismatch: { levels: everywhere, rule: '8.2', means: 'The name of a generated image does not fit its type.' },
  blob_padded: { levels: ['runner'], rule: '8.2', means: 'A member of a blob has white space around it.' },
  blob_target_repeated: { levels: ['runner'], rule: '8.2, 14', means: 'Two blobs belong in one place.' },
  blob_inventory_mismatch: { levels: everywhere, rule: '1.3', means: 'A blob has another size in the inventory than in the blob manifest.' },
  blob_missing: { levels: ['runner'], rule: '1.3, 8.4', means: 'A blob of the manifest is not in the cassette.' },
  blob_content_mismatch: { levels: ['runner'], rule: '1.3, 8.4', means: 'The content of a blob is not what its name says.' },
  blob_image_invalid: { levels: ['runner'], rule: 'ours', means: 'The content of a blob is no image of its type.' },
  blob_pixels_exceeded: { levels: ['runner'], rule: 'ours', means: 'An image has more pixels than any window shows.' },

  // Secrets
  secret_found: { levels: ['publish', 'runner'], rule: 'design', means: 'A file of the cassette holds a key, a token or something known of the recording machine.' },
} as const satisfies { [code: string]: IssueEntry };
