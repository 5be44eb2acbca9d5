/** Everything that reacts to the table, to queues, uploads and schedules. */
export { deliver } from './deliver.ts';
export { doWhatIsDue } from './doWhatIsDue.ts';
export { lookAhead } from './lookAhead.ts';
export { queueDeliveries } from './queueDeliveries.ts';
export { reactToTable } from './reactToTable.ts';
export { sweepDeleted } from './sweepDeleted.ts';
