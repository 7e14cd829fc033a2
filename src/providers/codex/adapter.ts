/** Codex app-server behind the provider port; pinned and tried with the version in `path-fields.json`. */

import { isObject, member, type Json } from '../../core/json/exact.ts';
import type { MessageShape, ProviderAdapter } from '../../core/provider/adapter.ts';
import { deltaOfCodex, generatedIdsOfCodex, maskCodex } from './mask.ts';
import { matchCodex } from './match.ts';
import { createCodexObserver } from './observe.ts';
import { codexRecordHome } from './record-home.ts';
import { mayChangeCodex, resolveCodex } from './resolve.ts';
import { codexDescriptor, codexRules } from './rules.ts';

export const codex: ProviderAdapter = {
  id: codexDescriptor.providerId,
  agentTargetId: codexDescriptor.agentTargetId,
  homeEnv: codexDescriptor.homeEnv,
  homeDir: codexDescriptor.homeDir,
  keyEnv: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN'],
  rules: codexRules,
  speaksProtocol: (argv) => argv.includes('app-server') && !argv.includes('--help') && !argv.includes('--version') && !argv.some((arg) => arg.startsWith('generate-')),
  shapeOf,
  match: matchCodex,
  resolve: resolveCodex,
  mayChange: mayChangeCodex,
  createObserver: createCodexObserver,
  generatedIds: generatedIdsOfCodex,
  mask: maskCodex,
  deltaOf: deltaOfCodex,
  refusal: (id, text) => ({ id, error: { code: refusedCode, message: text } }),
  recordHome: codexRecordHome,
  versionOf,
  initializeResult(outbound, inbound) {
    const request = outbound.find((message) => member(message, 'method') === 'initialize');
    const id = member(request, 'id');
    const answer = id === undefined ? undefined : inbound.find((message) => member(message, 'method') === undefined && member(message, 'id') === id);
    return member(answer, 'result') ?? null;
  },
};

function shapeOf(message: Json): MessageShape {
  if (!isObject(message)) return { type: 'other' };
  const { id, method } = message;
  if (typeof method === 'string') return id === undefined ? { type: 'notification', method } : { type: 'request', id, method };
  return id === undefined ? { type: 'other' } : { type: 'response', id };
}

// The answer to thread/start names the version; before it, the second token of initialize's userAgent (stand-in c19).
function versionOf(message: Json): string | null {
  const result = member(message, 'result');
  const thread = member(member(result, 'thread'), 'cliVersion');
  if (typeof thread === 'string') return thread;
  const agent = member(result, 'userAgent');
  return typeof agent === 'string' ? (/\/(\d+\.\d+\.\d+\S*)/.exec(agent)?.[1] ?? null) : null;
}

// What a server of JSON-RPC uses for its own refusals.
const refusedCode = -32000;
