/** Reads all that the renderer shows from the engine's state. */

import { selectComposer, selectFailures, selectQueue, selectSessions, selectStatus, selectTranscript } from '../engine/selectors.ts';
import type { EngineState } from '../engine/state.ts';
import type { WindowView } from './view.ts';

/** A failure of another session waits until that one is shown. */
export function readView(state: EngineState): WindowView {
  const composer = selectComposer(state);
  return {
    sessions: selectSessions(state),
    turns: selectTranscript(state),
    queue: selectQueue(state),
    status: selectStatus(state),
    connection: state.connection,
    failures: selectFailures(state).filter(({ agentSessionId }) => agentSessionId === null || agentSessionId === composer.agentSessionId),
    composer,
  };
}
