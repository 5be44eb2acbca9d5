/** Longer than the call that holds the lock. A tab that is frozen while it holds the lock delays others this long. */
const PATIENCE_MS = 15_000;

/** Browsers show what one tab stores to other tabs with a delay. */
const SETTLE_MS = 100;

/**
 * Runs a task while no other tab of the browser runs one with this name. The browser releases the lock of a tab that
 * crashes. Runs it unlocked on insecure pages, which have no locks, and if the lock does not become free.
 */
export async function withTabLock<Result>(
  name: string,
  run: () => Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  // Undefined on insecure pages.
  const { locks } = navigator as Partial<Navigator>;
  if (!locks) return run();
  const { promise, resolve } = Promise.withResolvers<Result>();
  let running: Promise<Result> | undefined;
  const start = async () => {
    running = run();
    resolve(running);
    await Promise.allSettled([running]);
    await new Promise(settle => setTimeout(settle, SETTLE_MS));
  };
  locks.request(name, { signal: AbortSignal.timeout(patienceMs) }, start).catch(() => resolve(running ?? run()));
  return promise;
}

interface Held {
  until: AbortSignal;
  /** Takes the lock from the tab that holds it. */
  isStealing: boolean;
  onHeld(): void;
}

/**
 * Holds a lock until a signal. Resolves when this ends: regularly, because another tab has stolen the lock, or because
 * the browser denies locks to the page.
 */
export async function holdTabLock(
  name: string,
  { until, isStealing, onHeld }: Held,
): Promise<'released' | 'stolen' | 'unavailable'> {
  let isHeld = false;
  try {
    // A request that steals cannot have a signal.
    await navigator.locks.request(name, isStealing ? { steal: true } : { signal: until }, () => {
      if (until.aborted) return;
      isHeld = true;
      onHeld();
      return new Promise<void>(resolve => until.addEventListener('abort', () => resolve()));
    });
    return 'released';
  } catch {
    return isHeld || until.aborted ? 'stolen' : 'unavailable';
  }
}
