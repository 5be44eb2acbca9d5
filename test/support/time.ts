/** Advances the clock past time limits, retry delays and deadlines. */
import { onTestFinished, vi } from 'vitest';
import { enqueueUpcomingTimers } from '#functions/events/enqueueUpcomingTimers.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { clock } from '#shared/core/clock.ts';
import { handlerOf } from './inRoles.ts';
import { CACHED_MS, eventually, isLeftOut, settled } from './platform.ts';
import { sweepTomorrow } from './stagedObjects.ts';

/**
 * Like `eventually`, after the functions' caches have expired. Advances the clock where possible, and otherwise waits.
 */
export async function onceForgotten<T>(expectation: () => Promise<T>): Promise<T> {
  if (isLeftOut('clock')) return eventually(expectation, CACHED_MS * 2);
  clock.advance(CACHED_MS);
  return eventually(expectation);
}

const RATE_WINDOW_MS = 10_000;
/** Rate limit windows that tests of this process have used. */
let windows = 0;

/** Stops the clock until the test ends, in a window of the rate limits that no other test used. */
export function stopClockInOwnWindow(): number {
  const nowMs = (Math.ceil(clock.now() / RATE_WINDOW_MS) + 2 * ++windows) * RATE_WINDOW_MS;
  const now = vi.spyOn(clock, 'now').mockReturnValue(nowMs);
  onTestFinished(() => now.mockRestore());
  return nowMs;
}

/** Runs a function while the clock advances 200 ms every 20 ms, past time limits and retry delays. */
export async function inFastTime<T>(run: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => clock.advance(200), 20);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}

const STEP_MS = 65 * 60_000;
const STEPS = 4;

/** Fires timers due within four hours, runs delayed jobs, and sweeps staged objects. */
export async function passAllDeadlines(): Promise<void> {
  for (let step = 1; step <= STEPS; step++) {
    clock.advance(STEP_MS);
    await handlerOf(enqueueUpcomingTimers)({}, lambdaContext('enqueueUpcomingTimers', 60_000));
    await settled();
  }
  await sweepTomorrow();
  await settled();
}
