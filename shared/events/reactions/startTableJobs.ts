import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { enqueueTableJob } from '#shared/storage/queues/tableJobs.ts';

export const startTableJobs = ({ botId, id, position }: StreamChange): Promise<void> =>
  enqueueTableJob({ botId, tableId: id, position, steps: 0 });
