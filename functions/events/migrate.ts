import { scheduleConsumer } from '#shared/events/consumers/consumer.ts';
import { MIGRATIONS } from '#shared/events/migrations/migrationRegistry.ts';
import { runMigrations } from '#shared/events/migrations/runMigrations.ts';

const EVERY_MINUTES = 5;

export const migrate = scheduleConsumer({
  name: 'migrate',
  summary:
    'Brings what earlier versions stored into its present form, step by step, once a version that needs it is deployed.',
  everyMinutes: EVERY_MINUTES,
  table: 'writes',
  partitions: {
    reads: [...new Set(MIGRATIONS.flatMap(({ reads = [] }) => reads))],
    writes: ['migrations', ...new Set(MIGRATIONS.flatMap(({ writes }) => writes))],
  },
  ...(MIGRATIONS.some(({ scansLists }) => scansLists) ? { scansLists: true as const } : {}),

  run: isTimeLeft => runMigrations(MIGRATIONS, isTimeLeft),
});
