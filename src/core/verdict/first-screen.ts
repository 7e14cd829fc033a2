/** A failure's first screen: at most 24 lines of 100 columns (interface.md). Text of tapes is made harmless for terminals. */

import { diagnose } from './diagnose.ts';
import type { Divergence } from './divergence.ts';

export type ScreenOptions = { caseName: string | null };

export function firstScreen(divergence: Divergence, options: ScreenOptions): string {
  const d = divergence;
  const lines = [
    ...wrap(d.message),
    '',
    row('layer', d.layer),
    row('code', `${d.code}  (docs/errors.md#${d.code})`),
    ...(options.caseName ? [row('case', options.caseName)] : []),
    ...(d.checkpoint ? [row('after', `${d.checkpoint.name} (${d.checkpoint.id})`)] : []),
    ...(d.lane ? [row('lane', placeOf(d))] : d.position ? [row('at', placeOf(d))] : []),
    ...(d.path ? [row('path', d.path)] : []),
    ...comparison(d),
    ...(d.nearest ? [row('nearest', nearestText(d))] : []),
    ...d.causes.slice(0, 2).map((cause) => row('cause', cause.text)),
    ...d.next.slice(0, 2).map((next) => row('next', next)),
  ];
  return lines.slice(0, lineCountMax).join('\n');
}

/** Control characters and escapes that a terminal would obey become visible. */
export function sanitiseForTerminal(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are what is looked for.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).replaceAll('\n', '⏎').replaceAll('\t', '⇥');
}

/** JSON leaves DEL, the C1 controls and marks of direction as they are, and a screen would obey them; escaped, it is the same document. */
export function escapeJsonText(json: string): string {
  return json.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function comparison(d: Divergence): string[] {
  if (d.recorded === null && d.live === null) return [];
  const { recorded, live, note } = diagnose(d.recorded, d.live);
  return [row('recorded', recorded), row('live', live), ...(note ? [row('', note)] : [])];
}

function placeOf(d: Divergence): string {
  const { position } = d;
  if (!position) return d.lane ?? '';
  if ('file' in position) return `${position.file}:${position.line}`;
  if ('activitySequence' in position) return `activity event ${position.activitySequence}`;
  return `${position.connectionId}, chunk ${position.chunkSeq}`;
}

function nearestText(d: Divergence): string {
  const { nearest } = d;
  if (!nearest) return '';
  const paths = nearest.changed.length === 0 ? 'equal' : `differs at ${nearest.changed.slice(0, 4).join(', ')}${nearest.changed.length > 4 ? ' …' : ''}`;
  return `chunk ${nearest.position.chunkSeq}, ${paths}`;
}

function row(label: string, text: string): string {
  return `  ${label.padEnd(9)} ${clip(sanitiseForTerminal(text), columnCount - 12)}`;
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (let rest = sanitiseForTerminal(text); rest.length > 0 && lines.length < 4; ) {
    // A test runner puts the error's name and an indent before the first line.
    const width = lines.length === 0 ? columnCount - nameLength : columnCount;
    const cut = rest.length <= width ? rest.length : rest.lastIndexOf(' ', width) > 40 ? rest.lastIndexOf(' ', width) : width;
    lines.push(rest.slice(0, cut));
    rest = rest.slice(cut).trimStart();
  }
  return lines;
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

const columnCount = 100;
const nameLength = 'DivergenceError: '.length + 4;
const lineCountMax = 24;
