/**
 * The damages of the product. `expected` is what `describeVerdict` says; `within` names the bound of its time:
 * `sent` two seconds, `missing` the stall limit and one second, `body` what the spec itself waits for,
 * `outside` also a real CLI, `end` the test after it was found.
 */
import { damages, hidden } from './patches.mjs';

const hello = 'chat-hello';
const approve = 'chat-approve-command';

const awaitsAnswer = 'protocol/outbound_missing at connection-1, chunk 21, $';
const otherPrompt = 'protocol/outbound_mismatch at connection-1, chunk 9, $.params.input[0].text';
const launchedTwice = 'transport/launch_unmatched, $.argv';
const notIntercepted = 'fault/provider_not_intercepted';

export const productDamages = (realProgram) => [
  { name: 'prompt-space', base: approve, patch: damages.promptSpace, expected: otherPrompt, within: 'sent' },
  { name: 'prompt-space-silent', base: hello, spec: 'silent-hello', patch: damages.promptSpace, expected: otherPrompt, within: 'sent' },
  { name: 'prompt-space-hidden', base: hello, patch: hidden(damages.promptSpace), expected: otherPrompt, within: 'sent' },
  { name: 'prompt-space-hidden-silent', base: hello, spec: 'silent-hello', patch: hidden(damages.promptSpace), expected: otherPrompt, within: 'sent' },

  { name: 'approval-dropped', base: approve, spec: 'replay-only', patch: damages.approvalDropped, expected: awaitsAnswer, within: 'missing' },
  { name: 'approval-dropped-silent', base: approve, spec: 'silent-approve', patch: damages.approvalDropped, expected: awaitsAnswer, within: 'missing' },
  { name: 'approval-dropped-hidden', base: approve, patch: damages.approvalDroppedHidden, expected: awaitsAnswer, within: 'missing' },

  { name: 'message-doubled', base: approve, patch: damages.messageDoubled, expected: 'protocol/outbound_mismatch at connection-1, chunk 21, $.id', within: 'sent' },
  { name: 'message-doubled-at-end', base: hello, patch: damages.messageDoubled, expected: 'protocol/outbound_extra at connection-1, chunk 24, $', within: 'sent' },
  { name: 'message-doubled-silent', base: hello, spec: 'silent-hello', patch: damages.messageDoubled, expected: 'protocol/outbound_extra at connection-1, chunk 24, $', within: 'sent' },

  { name: 'approval-late', base: approve, spec: 'replay-only', patch: damages.approvalLate, expected: awaitsAnswer, within: 'missing' },

  { name: 'other-parameter', base: approve, patch: damages.otherParameter, expected: 'protocol/outbound_mismatch at connection-1, chunk 6, $.params.approvalPolicy', within: 'sent' },
  { name: 'other-parameter-hidden', base: hello, spec: 'silent-hello', patch: hidden(damages.otherParameter), expected: 'protocol/outbound_mismatch at connection-1, chunk 6, $.params.approvalPolicy', within: 'sent' },

  { name: 'never-started', base: hello, patch: damages.neverStarted, expected: notIntercepted, within: 'missing' },
  { name: 'never-started-silent', base: hello, spec: 'silent-hello', patch: damages.neverStarted, expected: notIntercepted, within: 'missing' },

  { name: 'second-process', base: approve, patch: damages.secondProcess, expected: launchedTwice, within: 'sent' },
  { name: 'second-process-silent', base: hello, spec: 'silent-hello', patch: damages.secondProcess, expected: launchedTwice, within: 'sent' },

  { name: 'wrong-order', base: approve, patch: damages.wrongOrder, expected: 'protocol/outbound_mismatch at connection-1, chunk 5, $.id', within: 'sent' },

  { name: 'absolute-path', base: approve, spec: 'ready-only', goodSpec: null, patch: damages.absolutePath(realProgram), expected: notIntercepted, within: 'outside' },

  { name: 'reply-swallowed', base: approve, spec: 'replay-only', patch: damages.replySwallowed, expected: 'protocol/outbound_missing at connection-1, chunk 9, $', within: 'body' },

  { name: 'killed', base: approve, patch: damages.killed, expected: 'transport/shim_lost at connection-1, chunk 21', within: 'sent' },
  { name: 'killed-silent', base: approve, spec: 'silent-approve', patch: damages.killed, expected: 'transport/shim_lost at connection-1, chunk 21', within: 'sent' },
  { name: 'terminated', base: approve, spec: 'replay-only', patch: damages.terminated, expected: awaitsAnswer, within: 'body' },

  { name: 'extra-before', base: approve, patch: damages.extraBefore, expected: 'protocol/outbound_mismatch at connection-1, chunk 6, $.method', within: 'sent' },
  { name: 'extra-hidden', base: hello, spec: 'silent-hello', patch: hidden(damages.extraBefore), expected: 'protocol/outbound_mismatch at connection-1, chunk 6, $.method', within: 'sent' },
  { name: 'extra-late', base: approve, spec: 'late-mark', goodSpec: 'silent-approve', patch: damages.extraLate, expected: 'protocol/outbound_extra at connection-1, chunk 33, $', within: 'end' },
  { name: 'extra-at-stop', base: approve, patch: damages.extraAtStop, expected: 'protocol/outbound_extra at connection-1, chunk 33, $', within: 'end' },
  { name: 'extra-at-stop-silent', base: hello, spec: 'silent-hello', patch: damages.extraAtStop, expected: 'protocol/outbound_extra at connection-1, chunk 24, $', within: 'end' },
];
