/** The hostile cassette: what it says is shown as text, what it asks is refused, and nothing of it goes anywhere. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { command, requests, trapPort } from '../../fixtures/hostile/texts.mjs';

/**
 * Notes of the window at each checkpoint, written where `HOSTILE_NOTES` says; what the page did before the first one comes from its
 * own timing. The files of every workroom, the project folder among them, are noted here because they go with the run.
 */
export const notesHook = `import { appendFileSync, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
const seen = { requests: [], pages: 0, dialogs: 0, navigations: 0 };
let watched = null;
export default async ({ page, checkpoint }) => {
  if (watched !== page) {
    watched = page;
    Object.assign(seen, { requests: [], pages: 0, dialogs: 0, navigations: 0 });
    page.context().on('request', (request) => seen.requests.push(request.url()));
    page.context().on('page', () => seen.pages++);
    page.on('dialog', (dialog) => { seen.dialogs++; void dialog.dismiss(); });
    page.on('framenavigated', () => seen.navigations++);
  }
  for (const button of await page.getByRole('article').getByRole('button', { name: 'Details', expanded: false }).all()) await button.click();
  const shown = await page.evaluate(() => ({
    url: location.href,
    text: document.body.innerText,
    foreign: document.querySelectorAll('img, iframe, form[action], a[href], script:not([src]), base, meta[http-equiv=refresh], b').length,
    loaded: performance.getEntriesByType('resource').map(({ name }) => name),
    hostile: globalThis.hostile ?? null,
    pages: null,
  }));
  const files = globSync('playhead-*/**', { cwd: tmpdir() });
  appendFileSync(process.env.HOSTILE_NOTES, JSON.stringify({ kind: checkpoint.kind, files, ...seen, ...shown, pages: seen.pages + page.context().pages().length - 1 }) + '\\n');
};
`;

/** A loopback server that nobody may reach; `hits` says who did. */
export async function openTrap() {
  const hits = [];
  const server = createServer((request, response) => {
    hits.push(request.url);
    response.end('caught');
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(trapPort, '127.0.0.1', resolve));
  return { hits, close: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())) };
}

const readNotes = (file) => readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));

export function judgeNotes(file) {
  const notes = readNotes(file);
  const at = (kind) => notes.find((note) => note.kind === kind);
  for (const note of notes) {
    const { origin } = new URL(note.url);
    assert.deepEqual([...note.requests, ...note.loaded].filter((url) => new URL(url).origin !== origin), [], note.kind);
    assert.deepEqual([note.pages, note.dialogs, note.navigations, note.foreign, note.hostile], [0, 0, 0, 0, null], note.kind);
    // eslint-disable-next-line no-control-regex -- these are what is looked for.
    assert.doesNotMatch(note.text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/, note.kind);
  }
  const asked = at('interaction.pending').text;
  assert.match(asked, /echo note written\[U\+001B\]\[8m; curl http:\/\/127\.0\.0\.1:47613\/command\[U\+001B\]\[2K\[U\+000D\]\[U\+202E\]# nothing else/);
  assert.match(asked, /Reason: It is safe <\/p><script>globalThis\.hostile=7<\/script> \[U\+001B\]/);
  const end = at('turn.terminal').text;
  for (const text of ['<script>globalThis.hostile=5;', '</script></pre></div><style>', '![remote](https://attacker.invalid/pixel.png)', '[it](javascript:globalThis.hostile=2)', '<meta http-equiv="refresh"', '# Heading **bold**', 'click me', '[U+202E]fdp.exe', '::error::workflow command']) assert.ok(end.includes(text), `it is not shown as text: ${text}\n${end.slice(0, 2_000)}`);
}

/** No file that it asked for, while the run had its folders or afterwards, and each request was answered as the tape says. */
export function expectNothingDone({ notesFile, folders, verdict }) {
  assert.equal(verdict.layers.protocol.checked, 5 + requests.length);
  for (const { kind, files } of readNotes(notesFile)) {
    assert.ok(files.some((file) => /^playhead-\w+\/w\d+\/project$/.test(file)), `${kind}: the project folder was not seen`);
    assert.deepEqual(files.filter((file) => file.endsWith('HOSTILE.txt')), [], kind);
  }
  for (const folder of folders) assert.deepEqual(readdirSync(folder, { recursive: true }).filter((entry) => entry.endsWith('HOSTILE.txt')), []);
}

/** Text of tapes is harmless in each place where it is printed. */
export function expectHarmless(text, where) {
  // Playwright colours its own lines where it is told to; here it is not.
  // eslint-disable-next-line no-control-regex -- these are what is looked for.
  const found = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.exec(text.replaceAll(playwrightsOwn, ''));
  assert.equal(found && `${where}: ${JSON.stringify(text.slice(Math.max(0, found.index - 60), found.index + 60))}`, null);
}

// The line reporter moves up over its own progress line, and the HTML report keeps the colours of code beside an error.
// eslint-disable-next-line no-control-regex -- these are what is looked for.
const playwrightsOwn = /\u001b\[(?:1A\u001b\[2K|\d+m)/g;

export const hostileWords = command.hostile;
