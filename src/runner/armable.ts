/**
 * A promise that knows whether it was armed: kept in a variable while the spec acts, or awaited at once (stand-in b10).
 * The tape cannot tell the two apart, for in both the product speaks after the call; so the one who waits decides.
 */

/** `start` gets a promise of `true` where nobody waited yet when the caller went on. */
export function armable<T>(start: (isArmed: Promise<boolean>) => Promise<T>): Promise<T> {
  let isAwaited = false;
  // `await` takes hold in a microtask; a spec that acts first needs at least one turn of the event loop.
  const isArmed = new Promise<boolean>((resolve) => setImmediate(() => resolve(!isAwaited)));
  const result = start(isArmed);
  // Whoever keeps it may also drop it; a failure then shows in the verdict and not as an unhandled rejection.
  result.catch(() => {});
  const watched = <R>(use: () => R): R => {
    isAwaited = true;
    return use();
  };
  return {
    // eslint-disable-next-line unicorn/no-thenable -- it stands for the promise that it wraps.
    then: (onFulfilled, onRejected) => watched(() => result.then(onFulfilled, onRejected)),
    catch: (onRejected) => watched(() => result.catch(onRejected)),
    finally: (onFinally) => watched(() => result.finally(onFinally)),
    [Symbol.toStringTag]: 'Promise',
  };
}
