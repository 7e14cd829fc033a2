/** Keeps a transcript at its end while text comes, and leaves it where it is once a person reads elsewhere. */

import { createContext, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { endSlackPx } from './limits.ts';

export type ReadingPlace = {
  /** To be called before something unfolds: what a person has just pressed must not run away under the pointer. */
  keep: () => void;
  /** To be called after something was scrolled to: a transcript that stands elsewhere no longer follows its end. */
  look: () => void;
};

export const ReadingPlaceContext = createContext<ReadingPlace>({ keep: () => undefined, look: () => undefined });
export const useReadingPlace = (): ReadingPlace => useContext(ReadingPlaceContext);

export type EndOf = { box: RefObject<HTMLDivElement | null>; content: RefObject<HTMLDivElement | null>; isAtEnd: boolean; toEnd: () => void; place: ReadingPlace };

/** `subject` names what is read: another one starts at its end. */
export function useEndOf(subject: string): EndOf {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const follower = useMemo(() => createFollower(box, setAtEnd), []);

  useLayoutEffect(follower.toEnd, [subject, follower]);
  useLayoutEffect(follower.follow);
  useEffect(() => (box.current && content.current ? watch(box.current, content.current, follower) : undefined), [follower]);
  return { box, content, isAtEnd, toEnd: follower.toEnd, place: follower };
}

type Follower = ReadingPlace & { toEnd: () => void; follow: () => void };

function createFollower(box: RefObject<HTMLDivElement | null>, setAtEnd: (isAtEnd: boolean) => void): Follower {
  let follows = true;
  const follow = (): void => {
    if (follows && box.current) box.current.scrollTop = box.current.scrollHeight;
  };
  const look = (): void => {
    if (!box.current) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    follows = scrollHeight - scrollTop - clientHeight <= endSlackPx;
    setAtEnd(follows);
  };
  const toEnd = (): void => {
    follows = true;
    follow();
    setAtEnd(true);
  };
  return { toEnd, follow, look, keep: () => (follows = false) };
}

/** A person scrolls, or the size of the box or its content changes for another reason than a render (fonts, the window). */
function watch(box: HTMLDivElement, content: HTMLDivElement, { follow, look }: Follower): () => void {
  const observer = new ResizeObserver(() => {
    follow();
    look();
  });
  observer.observe(box);
  observer.observe(content);
  box.addEventListener('scroll', look, { passive: true });
  return () => {
    observer.disconnect();
    box.removeEventListener('scroll', look);
  };
}
