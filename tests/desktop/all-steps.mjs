/** A reporter that keeps what the Playwright report shows of each test: its steps, however deep, and what is attached. */
import { writeFileSync } from 'node:fs';

export default class AllSteps {
  #tests = [];

  onTestEnd(test, result) {
    const attachments = result.attachments.map(({ name, contentType, body }) => ({ name, contentType, bytes: body?.length ?? 0 }));
    this.#tests.push({ project: test.parent.project()?.name ?? '', title: test.title, status: result.status, steps: titlesOf(result.steps), attachments });
  }

  onEnd() {
    writeFileSync(process.env.ALL_STEPS_FILE, JSON.stringify(this.#tests));
  }
}

const titlesOf = (steps) => steps.flatMap(({ title, steps: inner }) => [title, ...titlesOf(inner)]);
