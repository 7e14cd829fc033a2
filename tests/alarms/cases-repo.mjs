/** A cases repository for one run: copies of committed cases under names of their own, with products and specs beside them. */
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTape, sha256, writeTape } from './tape.mjs';

const root = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');
const here = new URL('.', import.meta.url).pathname;

export function createCasesRepo(folder) {
  const products = { 'chat-node': join(root, 'fixtures/products/chat-node.product.ts'), 'chat-python': join(root, 'fixtures/products/chat-python.product.ts') };
  mkdirSync(join(folder, 'products'), { recursive: true });

  return {
    folder,
    /** A product with texts exchanged (or only looked for) and other environment; gives its key. */
    addProduct({ name, swaps = [], isApplied = true, env = {} }) {
      const patchFile = join(folder, 'products', `${name}.json`);
      writeFileSync(patchFile, JSON.stringify({ swaps, isApplied }));
      return this.addModule(name, `import { definePatched } from ${JSON.stringify(join(here, 'patched-product.mjs'))};\nexport default definePatched(${JSON.stringify({ patchFile, env })});\n`);
    },
    /** A product by the text of its module; gives its key. */
    addModule(name, text) {
      products[name] = join(folder, 'products', `${name}.mjs`);
      writeFileSync(products[name], text);
      return name;
    },
    /**
     * A copy of a committed case as `<group>/<name>`. `spec` names one of `specs/` in place of its own; `tape` is handed to
     * `writeTape`; `isPinned: false` leaves the committed hash in case.json; `isRed` declares that the test fails. `files` come in
     * place of its own, `use` is what its test uses.
     */
    addCase({ group, name, base, product = null, spec = null, tape = null, files = {}, use = null, isPinned = true, isRed = false }) {
      const from = join(root, 'cases', base);
      const to = join(folder, group, name);
      cpSync(from, to, { recursive: true });
      const own = readdirSync(to).find((file) => file.endsWith('.spec.ts'));
      const body = spec ? readFileSync(join(here, 'specs', `${spec}.ts`), 'utf8') : own ? readFileSync(join(to, own), 'utf8') : ofScenario;
      if (own) rmSync(join(to, own));
      const used = use ? declareUse(body, use) : body;
      writeFileSync(join(to, `${name}.spec.ts`), isRed ? declareRed(used) : used);
      for (const [file, text] of Object.entries(files)) writeFileSync(join(to, file), text);
      const described = JSON.parse(readFileSync(join(to, 'case.json'), 'utf8'));
      if (product) described.product = product;
      if (tape) {
        const provider = join(to, 'cassettes/main/provider');
        const hash = writeTape(provider, readTape(provider), tape);
        if (isPinned) described.cassettes[0].manifestSha256 = hash;
      }
      writeFileSync(join(to, 'case.json'), `${JSON.stringify(described, null, 2)}\n`);
    },
    /** Whether the writer gives back a committed tape byte for byte. */
    isFaithful(base) {
      const provider = join(root, 'cases', base, 'cassettes/main/provider');
      const copy = join(folder, 'faithful', base);
      writeTape(copy, readTape(provider));
      return ['manifest.json', 'frames.jsonl'].every((file) => sha256(readFileSync(join(copy, file))) === sha256(readFileSync(join(provider, file))));
    },
    /** A program that is not on PATH: it notes what it finds as its home, and goes on as the real one where that is installed. */
    addOutsideProgram({ real, noteFile }) {
      const program = join(folder, 'outside-codex');
      const go = real ? `if unshare -n true 2>/dev/null; then exec unshare -n '${real}' "$@"; else exec '${real}' "$@"; fi` : `exec '${process.execPath}' '${join(here, 'answering-program.mjs')}'`;
      writeFileSync(program, `#!/bin/sh\n{ echo "$CODEX_HOME"; echo "$HOME"; ls -A "$CODEX_HOME"; } >'${noteFile}'\n${go}\n`);
      chmodSync(program, 0o755);
      return program;
    },
    /** Writes both configurations; `projects` gives each group its worker options, `more` is of the whole Playwright configuration. */
    seal({ projects, more = {} }) {
      const own = { products };
      writeFileSync(join(folder, 'playhead.config.mjs'), `import { defineConfig } from 'playhead';\nexport default defineConfig(${JSON.stringify(own, null, 2)});\n`);
      writeFileSync(join(folder, 'playwright.config.mjs'), playwrightConfig(projects, more));
    },
  };
}

// A case without a spec of its own is driven by its scenario.
const ofScenario = `import { defineCases } from 'playhead/playwright';\n\ndefineCases('.');\n`;

function declareUse(body, use) {
  return `import { test as used } from 'playhead/playwright';\nused.use(${JSON.stringify(use)});\n${body}`;
}

// A failure nobody declared makes Playwright start a new worker and a new browser, which a hundred red tests cannot afford.
// The declaration changes neither status nor errors of the result, and a green test would still show as passed.
function declareRed(body) {
  return `${body}\nimport { test as declared } from 'playhead/playwright';\ndeclared.fail();\n`;
}

// As the root's own, with a test folder of its own for each group.
function playwrightConfig(projects, more) {
  return `import base from ${JSON.stringify(join(root, 'playwright.config.ts'))};
const projects = ${JSON.stringify(projects)};
export default {
  ...base,
  testDir: import.meta.dirname,
  outputDir: import.meta.dirname + '/results',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  ...${JSON.stringify(more)},
  projects: Object.entries(projects).map(([name, use]) => ({ name, testDir: import.meta.dirname + '/' + name, use })),
};
`;
}
