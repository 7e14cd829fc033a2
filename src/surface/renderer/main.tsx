/** The page's script: asks for its boot, starts the window, shows it. A page that cannot start says why. */

import { useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import type { WindowBoot } from '../../core/agent/wire.ts';
import { startWindow, type StartedWindow } from '../start.ts';
import { App } from './app.tsx';
import { Boundary, wordsOf } from './boundary.tsx';
import { FailurePage } from './failures.tsx';
import { ProjectContext } from './project.ts';
import { readView } from './read-view.ts';

function Window({ engine, actions }: StartedWindow): ReactNode {
  const state = useSyncExternalStore(engine.subscribe, engine.getSnapshot);
  const view = useMemo(() => readView(state), [state]);
  return (
    <ProjectContext value={state.project.path}>
      <App view={view} actions={actions} />
    </ProjectContext>
  );
}

async function start(): Promise<StartedWindow> {
  const { desktopBoot } = globalThis as { desktopBoot?: () => Promise<WindowBoot> };
  if (!desktopBoot) throw new Error('This page was opened without the app: it has no address of a daemon. Open it with the desktop app.');
  return startWindow({ boot: await desktopBoot(), fetch: globalThis.fetch.bind(globalThis), now: Date.now, newId: () => crypto.randomUUID(), global: globalThis });
}

async function show(root: Root): Promise<void> {
  try {
    const started = await start();
    root.render(
      <Boundary>
        <Window {...started} />
      </Boundary>,
    );
  } catch (error) {
    root.render(<FailurePage title="This window cannot start" message={wordsOf(error)} />);
  }
}

const place = document.getElementById('root');
if (!place) throw new Error('Cannot show the window: its page has no element "root", one was needed');
void show(createRoot(place));
