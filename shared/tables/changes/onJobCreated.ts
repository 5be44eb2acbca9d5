/** What follows when a job was written: it is worked on. */
import { positionOf } from '#shared/dynamodb/keys/chat.ts';
import { splitPk } from '#shared/dynamodb/keys/table.ts';
import type { StreamChange } from '#shared/dynamodb/streamChange.ts';
import { enqueueTableJob } from '#shared/queues/tableJobs.ts';

export async function onJobCreated({ event, pk, sk }: StreamChange): Promise<void> {
  if (event !== 'INSERT') return;
  const { botId, id } = splitPk(pk);
  await enqueueTableJob({ botId, tableId: id, position: positionOf(sk), steps: 0 });
}
