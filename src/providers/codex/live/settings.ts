/** Composer settings as parameters of Codex: what a thread starts with, and what a turn changes (replay-runtime 7). */

import type { Settings } from '../../../core/agent/views.ts';
import { RuntimeError } from '../../../core/agent/runtime.ts';
import type { JsonObject } from '../../../core/json/exact.ts';
import { textAt, trim } from '../../../core/json/read.ts';

export type PermissionMode = keyof typeof modes;
/** An empty text stands for what Codex takes by itself. */
export type ThreadSettings = { model: string; mode: PermissionMode; effort: string; serviceTier: string };

/** Rejects a permission mode that Codex has no policy for. */
export function readSettings(settings: Settings): ThreadSettings {
  const mode = trim(textAt(settings, 'permissionModeId') ?? '') || 'ask';
  if (!isMode(mode)) throw new RuntimeError('settings_invalid', `Cannot use permission mode "${mode}": Codex has no such mode, one of ${Object.keys(modes).join(', ')} was needed`);
  return { model: trim(textAt(settings, 'model') ?? ''), mode, effort: chosen(settings, 'reasoningEffort', 'default'), serviceTier: chosen(settings, 'speed', 'standard') };
}

/** The members that `thread/start` and `thread/resume` share. */
export function threadParams(cwd: string, settings: ThreadSettings): JsonObject {
  const { model, effort, serviceTier } = settings;
  const config: JsonObject = { ...(effort && { model_reasoning_effort: effort }), ...(serviceTier && { service_tier: serviceTier }) };
  const { approvalPolicy, sandbox } = modes[settings.mode];
  return { cwd, ...(model && { model }), ...(Object.keys(config).length > 0 && { config }), approvalPolicy, sandbox };
}

/** What `turn/start` must say where a turn has other settings than its thread; Codex keeps them for later turns. */
export function turnOverrides(thread: ThreadSettings, turn: ThreadSettings): JsonObject {
  const { approvalPolicy, sandboxPolicy } = modes[turn.mode];
  return {
    ...(turn.model && turn.model !== thread.model && { model: turn.model }),
    ...(turn.effort && turn.effort !== thread.effort && { effort: turn.effort }),
    ...(turn.serviceTier && turn.serviceTier !== thread.serviceTier && { serviceTier: turn.serviceTier }),
    ...(turn.mode !== thread.mode && { approvalPolicy, sandboxPolicy }),
  };
}

function chosen(settings: Settings, name: string, byDefault: string): string {
  const value = trim(textAt(settings, name) ?? '');
  return value === byDefault ? '' : value;
}

function isMode(text: string): text is PermissionMode {
  return Object.hasOwn(modes, text);
}

const writable = { type: 'workspaceWrite', writableRoots: [], networkAccess: false, excludeTmpdirEnvVar: false, excludeSlashTmp: false };
const modes = {
  ask: { approvalPolicy: 'untrusted', sandbox: 'workspace-write', sandboxPolicy: writable },
  auto: { approvalPolicy: 'on-request', sandbox: 'workspace-write', sandboxPolicy: writable },
  full: { approvalPolicy: 'never', sandbox: 'danger-full-access', sandboxPolicy: { type: 'dangerFullAccess' } },
  'read-only': { approvalPolicy: 'untrusted', sandbox: 'read-only', sandboxPolicy: { type: 'readOnly', networkAccess: false } },
} as const;
