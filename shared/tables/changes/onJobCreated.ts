import type { StreamChange } from '#shared/dynamodb/streamChange.ts';
import { changedJob } from '#shared/dynamodb/tables/changes.ts';
import { enqueueTableJob } from '#shared/queues/tableJobs.ts';

/** Starts a new job. */
export async function onJobCreated(change: StreamChange): Promise<void> {
  await enqueueTableJob({ ...changedJob(change), steps: 0 });
}
