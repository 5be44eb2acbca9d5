/** EventBridge on one machine: starts the functions that run every few minutes, and at once when the platform starts. */
import { errorFields, log } from '#shared/log.ts';
import type { ScheduleReaction } from '#shared/consumers/consumer.ts';
import { lambdaContext } from './lambdaContext.ts';

const FUNCTION_TIMEOUT_MS = 60_000;

export function startSchedule(reactions: readonly ScheduleReaction[]): { stop(): Promise<void> } {
  const running = new Set<Promise<void>>();
  const run = (reaction: ScheduleReaction) => {
    const work = reaction
      .handle({}, lambdaContext(reaction.name, FUNCTION_TIMEOUT_MS))
      .catch(error => log.error('What is scheduled failed.', { operation: reaction.name, error: errorFields(error) }))
      .finally(() => running.delete(work));
    running.add(work);
  };
  const timers = reactions.map(reaction => {
    run(reaction);
    return setInterval(run, reaction.trigger.everyMinutes * 60_000, reaction);
  });
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}
