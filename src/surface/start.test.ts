import { expect, test } from 'vitest';
import { selectComposer, selectFailures, selectQueue, selectStatus, selectTranscript } from './engine/selectors.ts';
import { FakeDaemon, json } from './fixtures/fake-daemon.ts';
import { openWindow, quiesce, until, type FakeWindow } from './fixtures/fake-window.ts';

const statusOf = ({ engine }: FakeWindow) => selectStatus(engine.getSnapshot());

test('a live window has no bridge, and its commands have no stamp', async () => {
  const daemon = new FakeDaemon({ mode: 'live', run: 'a' });
  const window = await openWindow(daemon);
  await until(() => statusOf(window) === 'ready');
  window.actions.newSession('Say hello');
  await until(() => statusOf(window) === 'working');
  expect(window.bridge).toBeUndefined();
  expect(daemon.seen).toMatchObject([{ headers: { authorization: 'Bearer secret' }, body: { agentSessionId: 'id-1', clientSubmitId: 'id-3', cwd: '/project', title: 'Say hello', initialContent: [{ type: 'text', text: 'Say hello' }] } }]);
  expect(Object.keys(daemon.seen[0]?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual([]);
});

test('a prompt that is queued goes out when the turn has settled', async () => {
  const daemon = new FakeDaemon({ mode: 'live', run: 'a' });
  const window = await openWindow(daemon);
  await until(() => statusOf(window) === 'ready');
  window.actions.newSession('One');
  window.actions.send('Two');
  await quiesce();
  expect(daemon.paths).toEqual(['create']);
  daemon.settle();
  await until(() => daemon.paths.length === 2);
  expect(daemon.paths[1]).toBe('/id-1/input');
});

test('a lost stream is opened again, and the window goes on from a new snapshot', async () => {
  const daemon = new FakeDaemon({ mode: 'live', run: 'a' });
  const window = await openWindow(daemon);
  await until(() => statusOf(window) === 'ready');
  window.actions.newSession('One');
  await until(() => statusOf(window) === 'working');
  daemon.cut();
  await until(() => statusOf(window) === 'disconnected');
  daemon.settle();
  window.runTimers();
  await until(() => statusOf(window) === 'ready');
  expect(selectTranscript(window.engine.getSnapshot()).map(({ status }) => status)).toEqual(['completed']);
});

test('a refusal and a lost connection are shown, and the prompt stays for another try', async () => {
  let answers: (() => Response)[] = [];
  const daemon = new FakeDaemon({ mode: 'live', run: 'a', answer: () => answers.shift()?.() ?? null });
  const window = await openWindow(daemon);
  await until(() => statusOf(window) === 'ready');
  window.actions.newSession('One');
  await until(() => statusOf(window) === 'working');
  daemon.settle();
  await until(() => statusOf(window) === 'ready');
  answers = [() => json({ error: { code: 'provider_rejected', reason: 'busy', message: 'The provider said no' } }, 502)];
  window.actions.send('Two');
  await until(() => statusOf(window) === 'failed');
  expect(selectFailures(window.engine.getSnapshot())).toMatchObject([{ code: 'provider_rejected', message: 'The provider said no' }]);
  answers = [() => { throw new TypeError('fetch failed'); }];
  window.actions.resend();
  await until(() => selectFailures(window.engine.getSnapshot())[0]?.code === 'network');
  expect(selectQueue(window.engine.getSnapshot())).toMatchObject([{ text: 'Two', isFailed: true }]);
  window.actions.resend();
  await until(() => statusOf(window) === 'working');
  expect(selectFailures(window.engine.getSnapshot())).toEqual([]);
});

test('a window without a daemon does not start', async () => {
  const daemon = new FakeDaemon({ mode: 'live', run: 'a', answer: () => json({}, 503) });
  await expect(openWindow(daemon)).rejects.toThrow('Cannot start the window: The daemon answered 503 (http_503), its bootstrap was needed');
});

test('what is chosen while a session starts is meant for no other one', async () => {
  let create = (_reply: Response) => {};
  const created = new Promise<Response>((resolve) => (create = resolve));
  const daemon = new FakeDaemon({ mode: 'live', run: 'a', answer: ({ path }) => (path.endsWith('/agent-sessions') ? created : null) });
  const { engine, actions } = await openWindow(daemon);
  await until(() => selectStatus(engine.getSnapshot()) === 'ready');
  const before = engine.getSnapshot().composer;
  expect(selectComposer(engine.getSnapshot()).canSet).toBe(true);
  actions.newSession('One');
  await until(() => daemon.paths.includes('create'));
  expect(selectComposer(engine.getSnapshot()).canSet).toBe(false);
  actions.setSetting('permissionModeId', 'full');
  expect(engine.getSnapshot().composer).toEqual(before);
  create(json({ error: { code: 'provider_rejected', message: 'No' } }, 502));
  await until(() => selectStatus(engine.getSnapshot()) === 'failed');
});
