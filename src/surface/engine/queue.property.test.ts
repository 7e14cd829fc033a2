import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EngineCommand } from './command.ts';
import { activated, activation, changed, failed, graph, openState, sent, sessionRow, settled, snapshot, submit, turnRow, userRow } from './fixtures.ts';
import type { Intent } from './intent.ts';
import { reduce } from './reduce.ts';
import type { EngineState } from './state.ts';

/** A daemon that takes one prompt at a time: its stream keeps its order, answers come when the draw says. */
class Simulation {
  state: EngineState = openState();
  readonly #stream: Intent[] = [];
  readonly #answers: Intent[] = [];
  readonly sent: string[] = [];
  submitted = ['p1'];
  /** Prompts that were sent before the window could know that the one before was through. */
  readonly early: string[] = [];
  #turnCount = 0;

  step(draw: number): void {
    const choices = [() => this.#submit(), () => this.#next(this.#stream, 0), () => this.#next(this.#answers, draw), () => this.#next(this.#stream, 0)];
    choices[draw % choices.length]?.();
  }

  take(intent: Intent): void {
    const reduced = reduce(this.state, intent);
    this.state = reduced.state;
    for (const command of reduced.commands) this.#execute(command);
  }

  drain(): void {
    while (this.#stream.length + this.#answers.length > 0) {
      this.#next(this.#stream, 0);
      this.#next(this.#answers, 0);
    }
  }

  #submit(): void {
    const id = `p${this.submitted.length + 1}`;
    this.submitted.push(id);
    this.take(submit(id));
  }

  #next(from: Intent[], draw: number): void {
    const [intent] = from.splice(from.length > 0 ? draw % from.length : 0, 1);
    if (intent) this.take(intent);
  }

  #execute({ type, payload }: EngineCommand): void {
    const id = payload['clientSubmitId'] as string;
    this.sent.push(id);
    if (this.#answers.length > 0 || this.#stream.some((intent) => intent.type === 'canonical/changed')) this.early.push(id);
    const turn = { turnId: `t${++this.#turnCount}`, sequence: this.#turnCount };
    const session = sessionRow({ activeTurnId: turn.turnId, updatedAtUnixMs: turn.sequence * 10 });
    this.#stream.push(changed({ sessions: [session], turns: [turnRow({ ...turn, phase: 'submitted' })] }), changed({ messages: [userRow(id, { turnId: turn.turnId })] }), settled(turn.turnId, turn.sequence));
    if (turn.sequence % 3 === 0) this.#stream.push(this.#snapshotAfter(turn.sequence));
    this.#answers.push(type === 'session/activate' ? activated(turn.turnId) : turn.sequence % 4 === 0 ? failed('queue/sendPrompt', `send:${id}`) : sent(id, turn.turnId));
  }

  #snapshotAfter(count: number): Intent {
    const turns = Array.from({ length: count }, (_, i) => turnRow({ turnId: `t${i + 1}`, sequence: i + 1, phase: 'settled', outcome: 'completed' }));
    return snapshot(graph({ sessions: [sessionRow({ updatedAtUnixMs: count * 10 + 1 })], turns, messages: this.sent.map((id, i) => userRow(id, { turnId: `t${i + 1}` })) }));
  }
}

test('the queue sends each prompt once and in order, whatever comes when', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1000 }), { maxLength: 80 }), (draws) => {
      const simulation = new Simulation();
      simulation.take(activation('p1'));
      for (const draw of draws) simulation.step(draw);
      expect(simulation.sent).toEqual(simulation.submitted.slice(0, simulation.sent.length));
      simulation.drain();
      expect(simulation.early).toEqual([]);
      // The rows of a prompt whose answer was lost say that it was taken: nothing stays behind.
      expect(simulation.sent).toEqual(simulation.submitted);
    }),
    { numRuns: 500 },
  );
});
