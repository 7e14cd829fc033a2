/** Tapes of another product, played through the adapter: real traffic, committed with the cases. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ActivityReport } from '../../../core/agent/report.ts';
import type { Json, JsonObject } from '../../../core/json/exact.ts';
import { canonicalFileChanges } from '../../../core/state/file-changes.ts';
import { createStage, execInput, ref, settle, startInput, type Stage } from './fixtures/fake-process.ts';

type Chunk = { kind: string; chunkSeq: number; data?: string; exitCode?: number; message?: string };

const chunksOf = (name: string): Chunk[] => readFileSync(new URL(`../../../../cases/${name}/cassettes/main/provider/frames.jsonl`, import.meta.url), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Chunk);

/** Gives the recorded inbound; at each recorded send it waits for ours. */
async function play(name: string, drive: (stage: Stage) => Promise<void>): Promise<Stage> {
  const stage = createStage();
  const driven = drive(stage);
  let sent = 0;
  for (const { kind, data, chunkSeq, exitCode } of chunksOf(name)) {
    if (kind === 'outbound') await stage.process.hasSent(++sent);
    else if (kind === 'exit') stage.process.exit(exitCode ?? 0);
    else stage.process.raw(Buffer.from(data ?? '', 'base64'), kind as 'stdout' | 'stderr', chunkSeq);
  }
  await driven;
  await settle();
  return stage;
}

const begin = async ({ runtime }: Stage, text: string) => {
  await runtime.start(startInput);
  runtime.publishInitialization(ref);
  expect(await runtime.exec(execInput('t1', text))).toMatchObject({ disposition: 'applied' });
};

const answer = async (stage: Stage, optionId: string) => {
  const { interactions } = await stage.sink.has((report) => report.interactions?.[0]?.status === 'pending');
  const { requestId } = interactions?.[0] ?? { requestId: '' };
  expect(await stage.runtime.respond({ ref, turnId: 't1', requestId, answer: { action: optionId, optionId, payload: null } })).toBe('answered');
};

/** What was reported, short: what it was about, and what became of it. */
const storyOf = ({ sink }: Stage) => sink.reports.flatMap(({ turn, rootProviderTurn, messages, interactions }: ActivityReport) => [
  ...(turn?.accepted ? ['accepted'] : []),
  ...(interactions ?? []).map(({ status, toolName }) => `${toolName ?? 'question'} ${status}`),
  ...(messages ?? []).filter(({ contentDelta }) => contentDelta === undefined).map(({ kind, status, payload }) => `${kind} ${status}${typeof payload?.['title'] === 'string' ? `: ${payload['title']}` : ''}`),
  ...(rootProviderTurn ? [`turn ${rootProviderTurn.outcome ?? rootProviderTurn.phase}`] : []),
]);

const checkUnits = ({ sink, journal }: Stage) => {
  // One report for each unit, each unit completed behind its report.
  const places = sink.reports.map(({ unit }) => `${unit?.position.chunkSeq}.${unit?.position.unitIndex}`);
  expect(journal.filter((line) => line.startsWith('complete')).map((line) => line.slice(9))).toEqual(places);
  expect(new Set(places).size).toBe(places.length);
};

test('approve-command of a recording is told as a turn with a tool and two answers', async () => {
  const stage = await play('chat-approve-command', async (live) => {
    await begin(live, 'Create the release note');
    await answer(live, 'approve');
  });
  const title = "printf 'version one\\n' > RELEASE.txt && echo note written";
  expect(storyOf(stage)).toEqual(['accepted', 'turn running', 'text running', 'text completed', `tool_call running: ${title}`, 'command pending', `tool_call completed: ${title}`, 'text running', 'text completed', 'turn completed']);
  expect(stage.sink.reports.flatMap(({ messages }) => messages ?? []).findLast(({ kind }) => kind === 'tool_call')).toMatchObject({ messageId: 'call:call_note', payload: { callId: 'call_note', status: 'completed', output: { text: 'note written\n', exitCode: 0 } } });
  expect(stage.process.sent.at(-1)).toEqual({ id: 0, result: { decision: 'accept' } });
  checkUnits(stage);
});

test('decline-command of a recording ends its turn, and its tool as failed', async () => {
  const stage = await play('chat-decline-command', async (live) => {
    await begin(live, 'x');
    await answer(live, 'deny');
  });
  expect(storyOf(stage).filter((line) => /tool_call|command|turn/.test(line)).map((line) => line.split(':')[0])).toEqual(['turn running', 'tool_call running', 'command pending', 'tool_call failed', 'turn completed']);
  checkUnits(stage);
});

test('file-change of a recording shows its changes in the question, and leaves them with the turn', async () => {
  const stage = await play('chat-file-change', async (live) => {
    await begin(live, 'x');
    await answer(live, 'approve');
  });
  const question = stage.sink.reports.flatMap(({ interactions }) => interactions ?? [])[0];
  const files = stage.sink.reports.findLast(({ turn }) => turn?.fileChanges)?.turn?.fileChanges as JsonObject;
  expect(question).toMatchObject({ toolName: 'file_change', input: { toolCall: { title: expect.stringMatching(/^Edit /) }, changes: [{ kind: 'add', diff: expect.stringContaining('@@') }, { kind: 'update', diff: expect.stringContaining('@@') }] } });
  // Each one is a diff in its canonical form too.
  expect((canonicalFileChanges(files) as { files: Json[] }).files).toEqual((files['files'] as JsonObject[]).map((file) => expect.objectContaining({ path: file['path'], change: file['change'], diff: expect.stringContaining('@@') })));
  checkUnits(stage);
});

test('cancel of a recording ends as canceled, and so does the text that it cut off', async () => {
  const canceled: unknown[] = [];
  const stage = await play('chat-cancel', async (live) => {
    await begin(live, 'Tell a long story');
    await live.sink.has(({ messages }) => messages?.[0]?.contentDelta !== undefined);
    canceled.push(await live.runtime.cancel({ ref, turnId: 't1' }));
  });
  expect(storyOf(stage)).toEqual(['accepted', 'turn running', 'text running', 'text canceled', 'turn canceled']);
  expect(canceled).toEqual([{ state: 'settled' }]);
  checkUnits(stage);
});

test('model-error of a recording fails its turn with the words of Codex', async () => {
  const stage = await play('chat-model-error', (live) => begin(live, 'x'));
  expect(stage.sink.reports.findLast(({ rootProviderTurn }) => rootProviderTurn)).toMatchObject({ rootProviderTurn: { outcome: 'failed', error: { code: 'other', message: expect.stringContaining('lamp oil') } } });
  checkUnits(stage);
});

test('two turns of a recording are two', async () => {
  const stage = await play('chat-two-turns', async (live) => {
    await begin(live, 'x');
    await live.sink.has(({ rootProviderTurn }) => rootProviderTurn?.phase === 'completed');
    await live.runtime.exec(execInput('t2', 'y'));
  });
  expect(stage.sink.reports.flatMap(({ rootProviderTurn: turn }) => (turn ? [`${turn.turnId} ${turn.phase}`] : []))).toEqual(['t1 running', 't1 completed', 't2 running', 't2 completed']);
  checkUnits(stage);
});
