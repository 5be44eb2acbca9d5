/** Sets the clock of this process forward, past every limit within which something ends by itself. */
import { vi } from 'vitest';
import { enqueueUpcomingTimers } from '#functions/events/enqueueUpcomingTimers.ts';
import { lambdaContext } from '#infra/local/services/lambdaContext.ts';
import { environment } from '#shared/environment.ts';
import { enqueue } from '#shared/queues/queue.ts';
import { handlerOf } from './inRoles.ts';
import { eventually, isLeftOut, settled } from './platform.ts';
import { sweepTomorrow } from './stagedObjects.ts';

/** Functions remember callers, bots and webhooks for half a minute. */
const REMEMBERED_MS = 31_000;

/** As `eventually`, when functions have forgotten what they remember: at once here, where the clock can be set. */
export async function onceForgotten<T>(expectation: () => Promise<T>): Promise<T> {
  if (isLeftOut('clock')) return eventually(expectation, REMEMBERED_MS * 2);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + REMEMBERED_MS });
  try {
    return await eventually(expectation);
  } finally {
    vi.useRealTimers();
  }
}

const STEP_MS = 65 * 60_000;
const STEPS = 4;

/** Fires what is due within four hours, runs what its queues hold back, and sweeps what was staged. */
export async function passAllDeadlines(): Promise<void> {
  const startMs = Date.now();
  try {
    for (let step = 1; step <= STEPS; step++) {
      vi.useFakeTimers({ toFake: ['Date'], now: startMs + step * STEP_MS });
      await handlerOf(enqueueUpcomingTimers)({}, lambdaContext('enqueueUpcomingTimers', 60_000));
      // The queues look at the clock when something is sent.
      await enqueue(environment.uploadQueueUrl, { Records: [] }, { tenant: 'clock' });
      await settled();
      await settled();
    }
    await sweepTomorrow();
    await settled();
  } finally {
    vi.useRealTimers();
  }
}
