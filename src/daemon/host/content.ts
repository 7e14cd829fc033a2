/** What a prompt may hold (agent-host 1.2). This slice sends text alone; every other block is refused before anything happens. */

import { HostError } from '../../core/agent/host.ts';
import type { ContentBlock } from '../../core/agent/runtime.ts';
import { textAt, trim } from '../../core/json/read.ts';
import type { JsonObject } from '../../core/json/exact.ts';

export type Prompt = { content: ContentBlock[]; displayPrompt: string; clientSubmitId: string };

/** The typed id overrides the one in the metadata, which is left as it is. */
export function readPrompt({ content, displayPrompt, clientSubmitId, metadata }: { content: readonly ContentBlock[]; displayPrompt?: string; clientSubmitId?: string; metadata?: JsonObject }): Prompt {
  return { content: normalizeContent(content), displayPrompt: trim(displayPrompt ?? ''), clientSubmitId: trim(clientSubmitId ?? '') || trim(textAt(metadata, 'clientSubmitId') ?? '') };
}

/** Texts without space around them; empty ones are dropped, and something must be left. */
export function normalizeContent(content: readonly ContentBlock[]): ContentBlock[] {
  const other = content.find((block) => block.type !== 'text' || typeof block.text !== 'string');
  if (other) throw new HostError('invalid_argument', `Cannot take a prompt: it holds a block of type "${String((other as { type: unknown }).type)}", text was needed`);
  const texts = content.map(({ text }) => trim(text)).filter((text) => text !== '');
  if (texts.length === 0) throw new HostError('invalid_argument', 'Cannot take a prompt: it is empty, some text was needed');
  return texts.map((text) => ({ type: 'text', text }));
}
