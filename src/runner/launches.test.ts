import { expect, test } from 'vitest';
import { unregisteredFault } from './launches.ts';

test('unregisteredFault() keeps the machine\'s path beside the message', () => {
  const { message, at, facts } = unregisteredFault({ provider: 'codex', argv: ['app-server'], cwd: '/srv/lab/app', pid: 1, reason: 'no test is running' });
  expect(message).toBe('Cannot start "codex" outside every registered project folder: no test is running, a folder of a running test was needed');
  expect([at, facts]).toEqual(['/srv/lab/app', { cwd: '/srv/lab/app', argv: ['app-server'] }]);
});
