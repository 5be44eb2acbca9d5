/** Runs consumers in their roles, which the table guard enforces. */
import { fireTimers, checkTotals as totalsConsumer } from '#functions/events/index.ts';
import { accessOfConsumer } from '#infra/bundle/functionAccess.ts';
import { inRole } from '#infra/local/services/tableGuard.ts';
import type { Consumer } from '#shared/events/consumers/consumer.ts';
import { fireTimer as fire } from '#shared/events/timers/fireTimer.ts';
import { checkTotals as check } from '#shared/events/totals/checkTotals.ts';

/** Wraps a function so that it runs in a consumer's role. */
export const inRoleOf = <Arguments extends unknown[], Result>(
  consumer: Consumer,
  run: (...args: Arguments) => Promise<Result>,
) => inRole(consumer.name, accessOfConsumer(consumer), run);

/** Returns a consumer's Lambda handler in its role. */
export const handlerOf = <C extends Consumer>(consumer: C) =>
  inRoleOf(consumer, consumer.handle as (...args: Parameters<C['handle']>) => Promise<void>);

export const fireTimer = inRoleOf(fireTimers, fire);

export const checkTotals = inRoleOf(totalsConsumer, check);
