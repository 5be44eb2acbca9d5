import { sweepStages } from '#shared/cleanup/sweepStages.ts';
import { scheduleConsumer } from '#shared/consumers/consumer.ts';
import { log } from '#shared/log.ts';

const DAY_MINUTES = 24 * 60;
/** The rest is left to the next run. */
const STOP_BEFORE_TIMEOUT_MS = 10_000;

export const sweepStagedObjects = scheduleConsumer({
  name: 'sweepStagedObjects',
  summary: 'Deletes objects that were put more than a day ago for records that were never written.',
  trigger: { everyMinutes: DAY_MINUTES },
  table: 'writes',
  objects: 'deletes',

  handle: async (_, context) => {
    const isTimeLeft = () => context.getRemainingTimeInMillis() > STOP_BEFORE_TIMEOUT_MS;
    const { removed, isMoreLeft } = await sweepStages(Date.now(), isTimeLeft);
    log.info('Swept objects without a record.', { operation: 'sweepStagedObjects', removed, left: isMoreLeft });
  },
});
