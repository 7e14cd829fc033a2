/** Titles of sessions (agent-host 1.9). */

import { HostError } from '../../core/agent/host.ts';
import { trim } from '../../core/json/read.ts';
import { promptText } from '../store/submissions.ts';
import type { Prompt } from './content.ts';
import { hostLimits } from './limits.ts';

/** From what a person sees of the prompt: links as their labels, one line, cut with an ellipsis of three dots. */
export function deriveTitle({ displayPrompt, content }: Prompt): string {
  const labels = (displayPrompt || promptText(content)).replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1');
  const line = [...trim(labels.replace(/\s+/g, ' '))];
  return line.length <= hostLimits.titleCodePointsMax ? line.join('') : `${line.slice(0, hostLimits.titleCodePointsMax - 3).join('')}...`;
}

export function readTitle(title: string): string {
  const trimmed = trim(title);
  const length = [...trimmed].length;
  if (length > hostLimits.titleCodePointsMax) throw new HostError('session_title_too_long', `Cannot set title: it has ${length} characters, at most ${hostLimits.titleCodePointsMax} were needed`);
  return trimmed;
}
