/** All consumers: of the table's stream, of queues, and of schedules. */
export { checkTotals } from './checkTotals.ts';
export { deliver } from './deliver.ts';
export { deployCode } from './deployCode.ts';
export { enqueueUpcomingTimers } from './enqueueUpcomingTimers.ts';
export { fireTimers } from './fireTimers.ts';
export { indexFile } from './indexFile.ts';
export { makeTableSnapshot } from './makeTableSnapshot.ts';
export { migrate } from './migrate.ts';
export { queueDeliveries } from './queueDeliveries.ts';
export { reactToTable } from './reactToTable.ts';
export { receiveUpload } from './receiveUpload.ts';
export { runTableJob } from './runTableJob.ts';
export { runTransfer } from './runTransfer.ts';
export { sweepDeleted } from './sweepDeleted.ts';
export { sweepStagedObjects } from './sweepStagedObjects.ts';
export { talkToCanary } from './talkToCanary.ts';
export { workOnRows } from './workOnRows.ts';
