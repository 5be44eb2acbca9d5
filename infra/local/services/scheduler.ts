/** Local EventBridge schedules. Also runs each scheduled function once at startup. */

import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { ScheduleConsumer } from '#shared/events/consumers/consumer.ts';

const FUNCTION_TIMEOUT_MS = 60_000;

export interface Scheduler {
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export function startScheduler(consumers: readonly ScheduleConsumer[]): Scheduler {
  const running = new Set<Promise<void>>();
  const run = (consumer: ScheduleConsumer) => {
    const work = consumer
      .handle({}, lambdaContext(consumer.name, FUNCTION_TIMEOUT_MS))
      .catch(error => log.error('A scheduled run failed.', { operation: consumer.name, error: errorFields(error) }))
      .finally(() => running.delete(work));
    running.add(work);
  };
  const timers = consumers.map(consumer => {
    run(consumer);
    return clock.every(consumer.trigger.everyMinutes * 60_000, () => run(consumer));
  });
  const idle = async () => void (await Promise.all(running));
  return {
    idle,
    stop: async () => {
      for (const timer of timers) timer.stop();
      await idle();
    },
  };
}
