/** The activity engine's reducer: no time, no ids, no input or output; all of it comes in with the intent (design ruling 11). */

import { applyChange, applySnapshot } from './canonical.ts';
import type { EngineCommand } from './command.ts';
import type { Intent, SubmitRequested } from './intent.ts';
import { removePrompt, requestActivation, requestResponse, requestSettings, requestStop, requestSubmit, type Step } from './person.ts';
import { queuesSubmit, sendHeads } from './queue.ts';
import { applyResult } from './result.ts';
import { forgetFailure, promptIdOf, type EngineState } from './state.ts';

/** `intent` is what observers see: a submission then says whether it was queued (cassette-contract 3.6). */
export type Reduced = { state: EngineState; commands: EngineCommand[]; intent: Intent };

/** The next state, and the commands to make, in order (replay-runtime 5.1). */
export function reduce(state: EngineState, intent: Intent): Reduced {
  const observed = intent.type === 'submit/requested' ? diagnose(state, intent) : intent;
  const step = take(state, observed);
  const heads = sendHeads(step.state);
  return { state: heads.state, commands: [...step.commands, ...heads.commands], intent: observed };
}

function take(state: EngineState, intent: Intent): Step {
  switch (intent.type) {
    case 'activation/requested':
      return requestActivation(state, intent);
    case 'session/stopRequested':
      return requestStop(state, intent);
    case 'interaction/responseRequested':
      return requestResponse(state, intent);
    case 'session/settingsUpdateRequested':
      return requestSettings(state, intent);
    case 'submit/requested':
      return quiet(requestSubmit(state, intent));
    case 'submit/canceled':
      return quiet(removePrompt(state, intent.agentSessionId, promptIdOf(intent.clientSubmitId)));
    case 'queue/removed':
      return quiet(removePrompt(state, intent.agentSessionId, intent.promptId));
    case 'canonical/snapshot':
      return quiet(applySnapshot(state, intent.event));
    case 'canonical/changed':
      return quiet(applyChange(state, intent.event));
    case 'engine/commandResult':
      return quiet(applyResult(state, intent));
    case 'view/selected':
      return quiet(state.sessions[intent.agentSessionId] ? { ...state, selectedId: intent.agentSessionId } : state);
    case 'view/newSession':
      return quiet({ ...state, selectedId: null });
    case 'view/composerChanged':
      return quiet({ ...state, composer: { ...state.composer, ...intent.settings } });
    case 'connection/changed':
      return quiet({ ...state, connection: intent.connection });
    case 'failure/dismissed':
      return quiet(forgetFailure(state, intent.failureId));
  }
}

function quiet(state: EngineState): Step {
  return { state, commands: [] };
}

function diagnose(state: EngineState, intent: SubmitRequested): SubmitRequested {
  const session = state.sessions[intent.agentSessionId];
  return { ...intent, submitDiagnostics: { ...intent.submitDiagnostics, queued: session ? queuesSubmit(session, intent.replaces) : true } };
}
