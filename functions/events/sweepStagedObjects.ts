import { clock } from '#shared/core/clock.ts';
import { sweepStages } from '#shared/events/cleanup/sweepStages.ts';
import { scheduleConsumer } from '#shared/events/consumers/consumer.ts';

const DAY_MINUTES = 24 * 60;

export const sweepStagedObjects = scheduleConsumer({
  name: 'sweepStagedObjects',
  summary: 'Deletes objects that were stored over a day ago without a record.',
  everyMinutes: DAY_MINUTES,
  table: 'writes',
  // Keeps objects that a file record references.
  partitions: { reads: ['files'], writes: ['staged'] },
  objects: { deletes: ['values', 'assets', 'files', 'uploads'] },

  run: isTimeLeft => sweepStages(clock.now(), isTimeLeft),
});
