/** A new session: runtime, canonical row, publication, and where it has one its first prompt, in this order (agent-host 1.1). */

import { HostError, type CreateInput } from '../../core/agent/host.ts';
import type { SessionView } from '../../core/agent/views.ts';
import { isBlank } from '../../core/json/read.ts';
import type { NewSession, StoredSession } from '../store/sessions.ts';
import { deliveryUnknown, replaySubmission } from './claims.ts';
import { readPrompt, type Prompt } from './content.ts';
import type { HostContext } from './context.ts';
import { dispatch } from './dispatch.ts';
import { toHostError } from './errors.ts';
import { conversations, readRail, type Rail } from './rail.ts';
import { rejected } from './send.ts';
import { deriveTitle, readTitle } from './title.ts';

export type Created = { session: SessionView; turnId: string | null };

type Request = { input: CreateInput; prompt: Prompt | null; rail: Rail | null; title: string };
/** What this attempt made, and so may take back, and the session that it found. */
type Attempt = { turnId: string | null; isRuntimeOurs: boolean; isSessionNew: boolean; existing: StoredSession | null };

export async function create(host: HostContext, input: CreateInput): Promise<Created> {
  const request = readCreate(host, input);
  return host.lock(input.ref, async () => {
    const existing = host.store.session(input.ref);
    checkRail(existing, request);
    const replayed = request.prompt ? replaySubmission(host, input.ref, request.prompt.clientSubmitId) : null;
    if (replayed !== null || (existing && !request.prompt)) return created(host, input, replayed);
    if (existing?.activeTurnId) throw new HostError('turn_active', `Cannot create session "${input.ref.agentSessionId}" with a prompt: turn "${existing.activeTurnId}" has not settled, an idle session was needed`);
    return begin(host, request, existing);
  });
}

function readCreate(host: HostContext, input: CreateInput): Request {
  const needed = { workspaceId: input.ref.workspaceId, agentSessionId: input.ref.agentSessionId, provider: input.provider, agentTargetId: input.agentTargetId, cwd: input.cwd };
  for (const [name, value] of Object.entries(needed)) if (isBlank(value)) throw new HostError('invalid_argument', `Cannot create session: "${name}" is blank, a value was needed`);
  const prompt = input.initialContent?.length ? readPrompt({ ...input, content: input.initialContent }) : null;
  return { input, prompt, rail: readRail(input.railPlacement, host.normalisePath), title: readTitle(input.title ?? '') };
}

function checkRail(existing: StoredSession | null, { rail }: Request): void {
  if (existing && rail && rail.key !== existing.railSectionKey)
    throw new HostError('rail_placement_conflict', `Cannot create session "${existing.agentSessionId}": it stands on rail "${existing.railSectionKey}", the same one was needed`);
}

async function begin(host: HostContext, request: Request, existing: StoredSession | null): Promise<Created> {
  const { input, prompt } = request;
  const attempt: Attempt = { turnId: prompt && host.ids.uuid(), isRuntimeOurs: false, isSessionNew: false, existing };
  if (prompt?.clientSubmitId) host.store.prepareClaim({ ...input.ref, clientSubmitId: prompt.clientSubmitId, turnId: attempt.turnId! });
  try {
    await initialize(host, request, attempt);
  } catch (error) {
    await compensate(host, request, attempt);
    throw toHostError(error);
  }
  if (prompt) await submit(host, request, attempt);
  return created(host, input, attempt.turnId);
}

/** Until `publishInitialization` the runtime holds back whatever it hears: nothing may be stored of a session that is not there. */
async function initialize(host: HostContext, request: Request, attempt: Attempt): Promise<void> {
  const { input, prompt } = request;
  const { ref, provider, cwd, settings } = input;
  const started = await host.runtime.start({ ref, provider, cwd, settings, isInitializationPending: true });
  attempt.isRuntimeOurs = started.isCreated;
  if (prompt) host.runtime.validate(ref, prompt.content);
  const turn = prompt && { turnId: attempt.turnId!, envelope: prompt, settings, derivedTitle: deriveTitle(prompt), withClaim: false };
  attempt.isSessionNew = host.store.initialize({ session: sessionOf(request, { ...started, existing: attempt.existing }), turn });
  host.runtime.publishInitialization(ref);
}

async function submit(host: HostContext, request: Request, attempt: Attempt): Promise<void> {
  const { input, prompt } = request;
  const turnId = attempt.turnId!;
  const dispatched = await dispatch(host, { ref: input.ref, turnId, prompt: prompt!, settings: input.settings });
  switch (dispatched.state) {
    case 'accepted':
      return;
    case 'rejected':
      // Session, turn and prompt stay as facts; this runtime can do nothing more with them.
      if (attempt.isRuntimeOurs) await closeRuntime(host, input, { preserveCanonical: true });
      throw rejected(dispatched.error);
    case 'not_dispatched':
      await compensate(host, request, attempt);
      throw rejected(dispatched.error);
    case 'unknown':
      throw deliveryUnknown(prompt!.clientSubmitId, dispatched.cause);
  }
}

/** Takes back what this attempt made, and nothing of an earlier owner. */
async function compensate(host: HostContext, { input, prompt }: Request, { turnId, isRuntimeOurs, isSessionNew, existing }: Attempt): Promise<void> {
  if (isRuntimeOurs) await closeRuntime(host, input, { preserveCanonical: false });
  const turn = turnId === null ? null : { ...input.ref, turnId };
  try {
    host.store.rollBackCreate({ turn, ref: input.ref, clientSubmitId: prompt?.clientSubmitId ?? '', isSessionNew, before: existing });
  } catch (error) {
    host.log('cannot take back a failed create', error);
  }
}

async function closeRuntime({ runtime, log }: HostContext, { ref }: CreateInput, options: { preserveCanonical: boolean }): Promise<void> {
  try {
    await runtime.close(ref, options);
  } catch (error) {
    log('cannot close the runtime of a failed create', error);
  }
}

function sessionOf({ input, rail, title }: Request, runtime: { providerSessionId: string; model: string; resumeCheckpoint: NewSession['resumeCheckpoint']; existing: StoredSession | null }): NewSession {
  const { ref, agentTargetId, provider, settings, cwd } = input;
  const { providerSessionId, model, resumeCheckpoint, existing } = runtime;
  const own = existing && { kind: existing.railSectionKind, projectPath: existing.railProjectPath, key: existing.railSectionKey };
  const facts = { ref, agentTargetId, provider, settings, cwd, providerSessionId, model, resumeCheckpoint, title };
  return { ...facts, origin: 'WORKSPACE_AGENT_SESSION_ORIGIN_RUNTIME', userId: '', metadata: { visible: input.isVisible ?? true }, rail: rail ?? own ?? conversations };
}

function created({ store }: HostContext, { ref }: CreateInput, turnId: string | null): Created {
  return { session: store.view(ref)!, turnId };
}
