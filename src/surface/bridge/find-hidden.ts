/** Whether the window shows what the daemon says it must (design ruling 23). Reads the page, never the engine. */

import type { ShownEntity } from '../../core/control/daemon.ts';

export type Hidden = { entity: ShownEntity; shown: string | null };

/** What of an element is read; the real one is an `HTMLElement`. */
export type EntityElement = {
  dataset: { readonly [name: string]: string | undefined };
  checkVisibility: (options: CheckVisibilityOptions) => boolean;
  getBoundingClientRect: () => { width: number; height: number };
};

export type EntityPage = { querySelectorAll: (selector: string) => Iterable<unknown> };

/** The first entity that is not there with its status; `shown` is its status in the window, null where it is not to be seen. */
export function findHidden(page: EntityPage, entities: readonly ShownEntity[]): Hidden | null {
  for (const entity of entities) {
    const statuses = visibleStatuses(page, entity);
    if (!statuses.includes(entity.status)) return { entity, shown: statuses[0] ?? null };
  }
  return null;
}

function visibleStatuses(page: EntityPage, { kind, sessionId, id }: ShownEntity): string[] {
  // By value, not by selector: an id of a provider may hold anything.
  const elements = [...page.querySelectorAll(`[data-entity="${kind}"]`)] as EntityElement[];
  return elements.filter((element) => element.dataset['id'] === id && isOfSession(element, { kind, sessionId }) && isVisible(element)).map((element) => element.dataset['status'] ?? '');
}

function isOfSession({ dataset }: EntityElement, { kind, sessionId }: Pick<ShownEntity, 'kind' | 'sessionId'>): boolean {
  return kind === 'session' || dataset['session'] === sessionId;
}

function isVisible(element: EntityElement): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
}
