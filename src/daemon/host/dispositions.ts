/** What the Host does with what a runtime says: the disposition decides, never an error (agent-host 1.4, subtlest rule 4). */

import type { ExecDisposition, InteractiveDisposition } from '../../core/agent/runtime.ts';

/** `withdraw`: nothing left the machine, so it may be sent again. `keep`: nobody knows, so it never is. */
export type SubmitAction = 'accept' | 'reject' | 'withdraw' | 'keep';

export function submitActionOf(disposition: ExecDisposition): SubmitAction {
  switch (disposition) {
    case 'applied':
    case 'applied_without_provider_turn':
      return 'accept';
    case 'rejected':
      return 'reject';
    case 'not_dispatched':
      return 'withdraw';
    case 'outcome_unknown':
      return 'keep';
  }
}

export type AnswerAction = 'answered' | 'superseded' | 'retry' | 'fail';

export function answerActionOf(disposition: InteractiveDisposition): AnswerAction {
  switch (disposition) {
    case 'answered':
      return 'answered';
    case 'superseded':
    case 'interrupted':
      return 'superseded';
    case 'pending':
    case 'resolving':
      return 'retry';
    case 'unknown':
      return 'fail';
  }
}

/** Before an answer is sent once more: whether the first one may still be on its way. */
export function resendActionOf(disposition: InteractiveDisposition): AnswerAction | 'send' {
  return disposition === 'pending' ? 'send' : answerActionOf(disposition);
}
