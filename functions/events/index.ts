/** Everything that reacts to the table, to queues, uploads and schedules. */
export { reactToTable } from './reactToTable.ts';
export { sweepDeleted } from './sweepDeleted.ts';
