/** Reports in another order, or twice: the same graph, or the same refusal. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ActivityReport } from '../../../src/core/agent/report.ts';
import { Refusal } from '../../../src/daemon/store/refusal.ts';
import { createDesk, prompted, ref } from './desk.ts';

type Part = Omit<ActivityReport, 'ref' | 'unit'>;

/** What a provider says of each thing, each in its own order. */
const lanesOf = (turnId: string): Part[][] => {
  const message = (messageId: string, kind: string, role: 'assistant' | 'tool', steps: [string, object][]): Part[] => steps.map(([status, payload]) => ({ messages: [{ messageId, turnId, role, kind, status, payload: payload as never }] }));
  const ask = { turnId, requestId: 'r', kind: 'approval', toolName: 'command', input: { toolCall: { toolCallId: 'c' } } } as const;
  return [
    message('answer', 'text', 'assistant', [['running', { text: 'a' }], ['running', { text: 'ab' }], ['completed', { text: 'abc' }]]),
    message('call', 'tool_call', 'tool', [['running', { input: { command: 'ls' } }], ['running', { output: { text: 'x' } }], ['completed', { output: { exitCode: 0 } }]]),
    message('thought', 'reasoning', 'assistant', [['running', { text: 'hm' }], ['failed', { error: { code: 'e' } }]]),
    [{ interactions: [{ ...ask, status: 'pending' }] }, { interactions: [{ turnId, requestId: 'r', kind: 'approval', status: 'answered' }] }],
    [{ interactions: [{ ...ask, requestId: 'other', status: 'pending' }] }],
    [{ turn: { turnId, fileChanges: { files: [{ path: 'a' }] } } }],
    [{ session: { model: 'larger' } }],
  ];
};

/** Refused wherever they come, and without a trace. */
const illegalOf = (turnId: string): Part[] => [
  { turn: { turnId, phase: 'submitted' as never }, messages: [{ messageId: 'lost', turnId, role: 'assistant', kind: 'text', status: 'running' }] },
  { messages: [{ messageId: 'lost', turnId: 'nobody', role: 'assistant', kind: 'text', status: 'running' }] },
  { session: { model: 'lost' }, rootProviderTurn: { turnId, providerTurnId: 'other', phase: 'completed' } },
  { messages: [{ messageId: 'answer', turnId, role: 'tool', kind: 'text', status: 'completed', payload: { text: 'lost' } }, { messageId: 'client-submit:user:submit-1', turnId, role: 'system', kind: 'text', status: 'completed' }] },
];

const begin = async () => {
  const desk = createDesk();
  const turnId = (await desk.host.create(prompted())).turnId!;
  const tell = async (part: Part): Promise<string> => {
    try {
      await desk.sink.report({ ref, unit: null, ...part });
      return 'stored';
    } catch (error) {
      return error instanceof Refusal ? error.code : String(error);
    }
  };
  const end = () => tell({ rootProviderTurn: { turnId, providerTurnId: `provider:${turnId}`, phase: 'completed', outcome: 'completed' } });
  /** Versions and times count the reports; everything else is the graph. */
  const graph = () => {
    const { session, turns, messages, interactions } = desk.host.graph(ref)!;
    const sorted = messages.map((message) => ({ ...message, version: 0 })).sort((a, b) => (a.messageId < b.messageId ? -1 : 1));
    return { session: { ...session, messageVersion: 0, createdAtUnixMs: 0, updatedAtUnixMs: 0 }, turns, messages: sorted, interactions };
  };
  return { turnId, tell, end, graph };
};

/** An order of all reports that keeps each lane's own; `picks` choose the next lane, `again` what is told twice. */
function shuffle(lanes: Part[][], picks: number[], again: number[]): Part[] {
  const left = lanes.map((lane) => [...lane]);
  const told: Part[] = [];
  const order: Part[] = [];
  for (let step = 0; left.some((lane) => lane.length > 0); step++) {
    const open = left.filter((lane) => lane.length > 0);
    const next = open[(picks[step % picks.length] ?? 0) % open.length]!.shift()!;
    told.push(next);
    order.push(next);
    const twice = again[step];
    if (twice !== undefined) order.push(told[twice % told.length]!);
  }
  return order;
}

const naturals = fc.array(fc.nat(30), { minLength: 1, maxLength: 20 });

test('reports of different things in any order, and again, give the same graph', async () => {
  const plain = await begin();
  for (const part of lanesOf(plain.turnId).flat()) expect(await plain.tell(part)).toBe('stored');
  await plain.end();
  await fc.assert(
    fc.asyncProperty(naturals, fc.array(fc.nat(30), { maxLength: 14 }), async (picks, again) => {
      const other = await begin();
      for (const part of shuffle(lanesOf(other.turnId), picks, again)) expect(await other.tell(part)).toBe('stored');
      expect(await other.end()).toBe('stored');
      expect(other.graph()).toEqual(plain.graph());
    }),
    { numRuns: 60 },
  );
});

test('a report that breaks a rule is refused alike wherever it comes, and leaves no trace', async () => {
  const plain = await begin();
  for (const part of lanesOf(plain.turnId).flat()) await plain.tell(part);
  await plain.end();
  const codes = ['turn_transition_illegal', 'turn_unknown', 'provider_binding_conflict', 'message_conflict'];
  await fc.assert(
    fc.asyncProperty(naturals, fc.nat(3), fc.nat(20), async (picks, which, place) => {
      const other = await begin();
      const parts = shuffle(lanesOf(other.turnId), picks, []);
      for (const [index, part] of parts.entries()) {
        if (index === place % parts.length) expect(await other.tell(illegalOf(other.turnId)[which]!)).toBe(codes[which]);
        expect(await other.tell(part)).toBe('stored');
      }
      await other.end();
      expect(other.graph()).toEqual(plain.graph());
    }),
    { numRuns: 40 },
  );
});

test('what comes again behind the end of a turn changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(naturals, async (again) => {
      const late = await begin();
      const parts = lanesOf(late.turnId).flat();
      for (const part of parts) await late.tell(part);
      await late.end();
      const settled = late.graph();
      for (const index of again) expect(await late.tell(parts[index % parts.length]!)).toBe('stored');
      expect([await late.end(), await late.tell({ turn: { turnId: late.turnId, phase: 'running' } }), await late.tell({ turn: { turnId: late.turnId, phase: 'settled', outcome: 'completed' } })]).toEqual(['stored', 'turn_transition_illegal', 'stored']);
      expect(late.graph()).toEqual(settled);
    }),
    { numRuns: 40 },
  );
});
