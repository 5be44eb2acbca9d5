/** Longer than the call that holds the lock. A tab that is frozen while it holds the lock delays others this long. */
const PATIENCE_MS = 15_000;

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
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return run();
  let running: Promise<Result> | undefined;
  const start = () => {
    running = run();
    return running;
  };
  try {
    return await locks.request(name, { signal: AbortSignal.timeout(patienceMs) }, start);
  } catch {
    return running ?? run();
  }
}
