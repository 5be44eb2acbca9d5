/** Moves the clock of this process on, past every limit within which something ends by itself. */
import { enqueueUpcomingTimers } from '#functions/events/enqueueUpcomingTimers.ts';
import { lambdaContext } from '#infra/local/services/lambdaContext.ts';
import { clock } from '#shared/clock.ts';
import { handlerOf } from './inRoles.ts';
import { eventually, isLeftOut, settled } from './platform.ts';
import { sweepTomorrow } from './stagedObjects.ts';

/** Functions remember callers, bots and webhooks for half a minute. */
const REMEMBERED_MS = 31_000;

/** As `eventually`, when functions have forgotten what they remember: at once here, where the clock can be moved. */
export async function onceForgotten<T>(expectation: () => Promise<T>): Promise<T> {
  if (isLeftOut('clock')) return eventually(expectation, REMEMBERED_MS * 2);
  clock.advance(REMEMBERED_MS);
  return eventually(expectation);
}

/** Moves the clock on meanwhile, ten times as fast as it goes: past time limits, and pauses between attempts. */
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

/** Fires what is due within four hours, runs what its queues hold back, and sweeps what was staged. */
export async function passAllDeadlines(): Promise<void> {
  for (let step = 1; step <= STEPS; step++) {
    clock.advance(STEP_MS);
    await handlerOf(enqueueUpcomingTimers)({}, lambdaContext('enqueueUpcomingTimers', 60_000));
    await settled();
  }
  await sweepTomorrow();
  await settled();
}
