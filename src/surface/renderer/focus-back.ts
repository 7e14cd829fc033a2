/** Gives the focus back to the composer when the part that holds it goes away: a keyboard never stands nowhere. */

import { useLayoutEffect, useRef, type RefObject } from 'react';

/** For the outermost element of what goes away. */
export function useFocusBack<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null);
  useLayoutEffect(() => {
    const part = element.current;
    // This runs while the part is still in the page: afterwards nobody could tell where the focus was.
    return () => (part?.contains(document.activeElement) ? focusMessage() : undefined);
  }, []);
  return element;
}

export const messageId = 'message';

export function focusMessage(): void {
  document.getElementById(messageId)?.focus();
}
