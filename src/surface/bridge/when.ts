/** Waits for something that the engine or the bridge will say; nothing polls. */

export type Await = { sequence: number; what: () => string };

export type Waits = {
  /** Resolves with what `check` gives, as soon as it is not null; `check` runs inside the change, before the next one. */
  until: <Value>(awaited: Await, check: () => Value | null) => Promise<Value>;
  /** What is waited for now, the earliest event first. */
  current: () => { sequence: number; what: string } | null;
  /** Something changed: looks at every wait again. */
  look: () => void;
};

type Waiting = Await & { look: () => boolean };

/** Makes an empty set of waits. */
export function createWaits(): Waits {
  const waiting = new Set<Waiting>();
  return {
    until: <Value>({ sequence, what }: Await, check: () => Value | null) =>
      new Promise<Value>((resolve, reject) => {
        const look = (): boolean => {
          try {
            const value = check();
            if (value === null) return false;
            resolve(value);
          } catch (error) {
            reject(error as Error);
          }
          return true;
        };
        if (!look()) waiting.add({ sequence, what, look });
      }),
    current: () => {
      const first = [...waiting].toSorted((a, b) => a.sequence - b.sequence)[0];
      return first ? { sequence: first.sequence, what: first.what() } : null;
    },
    look: () => {
      // Taken out while it is looked at: what its check does may bring us here again.
      const looked = [...waiting];
      for (const wait of looked) if (waiting.delete(wait) && !wait.look()) waiting.add(wait);
    },
  };
}
