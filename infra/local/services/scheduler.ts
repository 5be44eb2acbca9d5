/** EventBridge on one machine: invokes the functions that run every few minutes, and once at the start. */
import type { ScheduleConsumer } from '#shared/consumers/consumer.ts';
import { errorFields, log } from '#shared/log.ts';
import { lambdaContext } from './lambdaContext.ts';

const FUNCTION_TIMEOUT_MS = 60_000;

export function startScheduler(consumers: readonly ScheduleConsumer[]): { stop(): Promise<void> } {
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
    return setInterval(run, consumer.trigger.everyMinutes * 60_000, consumer);
  });
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}
