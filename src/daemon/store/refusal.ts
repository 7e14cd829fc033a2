/** A report or a step that would break a rule of the store; its transaction was rolled back as a whole (agent-host 2.1, subtlest rule 6). */

export type RefusalCode =
  | 'session_unknown'
  | 'turn_unknown'
  | 'turn_active'
  | 'turn_not_accepted'
  | 'turn_transition_illegal'
  | 'provider_binding_conflict'
  | 'message_conflict'
  | 'interaction_conflict'
  | 'rail_placement_conflict';

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}
