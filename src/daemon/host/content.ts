/** What a prompt may hold (agent-host 1.2): texts and connectors. Every other block is refused before anything happens. */

import { HostError } from '../../core/agent/host.ts';
import type { PromptBlock } from '../../core/agent/runtime.ts';
import { textAt, trim } from '../../core/json/read.ts';
import type { JsonObject } from '../../core/json/exact.ts';

export type Prompt = { content: PromptBlock[]; displayPrompt: string; clientSubmitId: string };

/** The typed id overrides the one in the metadata, which is left as it is. */
export function readPrompt({ content, displayPrompt, clientSubmitId, metadata }: { content: readonly PromptBlock[]; displayPrompt?: string; clientSubmitId?: string; metadata?: JsonObject }): Prompt {
  return { content: normalizeContent(content), displayPrompt: trim(displayPrompt ?? ''), clientSubmitId: trim(clientSubmitId ?? '') || trim(textAt(metadata, 'clientSubmitId') ?? '') };
}

/** Texts without space around them, and connectors; empty texts are dropped, and something must be left. */
export function normalizeContent(content: readonly PromptBlock[]): PromptBlock[] {
  const blocks = content.map(normalizeBlock).filter((block) => block.type !== 'text' || block.text !== '');
  if (blocks.length === 0) throw new HostError('invalid_argument', 'Cannot take a prompt: it is empty, a text or a connector was needed');
  return blocks;
}

// Whoever calls in this process may hand in what no type allows.
function normalizeBlock(block: PromptBlock): PromptBlock {
  if (block.type === 'text' && typeof block.text === 'string') return { type: 'text', text: trim(block.text) };
  if (block.type === 'connector' && typeof block.key === 'string' && connectorKey.test(block.key)) return { type: 'connector', key: block.key };
  throw new HostError('invalid_argument', `Cannot take a prompt: its block of type "${String((block as { type: unknown }).type)}" cannot be sent, a text or the key of a connector was needed`);
}

const connectorKey = /^[a-z][a-z0-9._-]{0,127}$/;
