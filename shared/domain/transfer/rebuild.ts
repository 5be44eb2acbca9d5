/** Rebuilds search indexes and deployed functions after an import, and restarts work in progress. Idempotent. */

import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { indexListedUsers } from '#shared/storage/dynamodb/chat/userTerms.ts';
import type { File } from '#shared/storage/dynamodb/files/file.ts';
import { findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { botListKeys, END, inChunks } from '#shared/storage/dynamodb/lists/lists.ts';
import { listJobs } from '#shared/storage/dynamodb/tables/jobs.ts';
import { listTableIds } from '#shared/storage/dynamodb/tables/tables.ts';
import { listTenants } from '#shared/storage/dynamodb/tenants/tenants.ts';
import { enqueueCode } from '#shared/storage/queues/codeJobs.ts';
import { enqueueIndexing } from '#shared/storage/queues/indexingJobs.ts';
import { enqueueRows } from '#shared/storage/queues/rowJobs.ts';
import { enqueueTableJob } from '#shared/storage/queues/tableJobs.ts';
import { enqueueTransfer, type TransferJob } from '#shared/storage/queues/transferJobs.ts';
import { indexFilesAgain, indexRowsAgain } from './indexAgain.ts';

type Job<Task extends TransferJob['task']> = Extract<TransferJob, { task: Task }>;

export async function rebuild(
  job: Exclude<TransferJob, { task: 'export' | 'reindex' }>,
  isTimeLeft: () => boolean,
): Promise<Record<string, unknown>> {
  if (job.task === 'rebuildFiles') return rebuildFiles(job, isTimeLeft);
  if (job.task === 'rebuildUsers') return rebuildUsers(job, isTimeLeft);
  if (job.task === 'rebuildRows') return rebuildRows(job, isTimeLeft);
  return rebuildWorkspace(job);
}

async function rebuildWorkspace({ workspaceId }: Job<'rebuild'>) {
  const tenants = await listTenants(workspaceId);
  for (const { kind, id } of tenants) {
    if (kind === 'bot' || kind === 'integration') await deployAgain(kind, id);
    if (kind !== 'bot') continue;
    await enqueueTransfer({ task: 'rebuildUsers', workspaceId, botId: id });
    await enqueueTransfer({ task: 'rebuildFiles', workspaceId, botId: id });
    for (const tableId of await listTableIds(id)) await rebuildTable(workspaceId, id, tableId);
  }
  return { tenants: tenants.length };
}

async function deployAgain(kind: 'bot' | 'integration', id: string): Promise<void> {
  const rollout = (kind === 'bot' ? await findBot(id) : await findIntegration(id))?.rollout;
  if (rollout) await enqueueCode({ task: 'rollOut', kind, id, revision: rollout.revision });
}

async function rebuildTable(workspaceId: string, botId: string, tableId: string): Promise<void> {
  await enqueueTransfer({ task: 'rebuildRows', workspaceId, botId, tableId });
  const jobs = await listJobs(botId, tableId);
  const open = jobs.filter(({ status }) => status !== 'completed' && status !== 'failed');
  for (const { position } of open) await enqueueTableJob({ botId, tableId, position, steps: 0 });
}

const USERS_TOGETHER = 100;

async function rebuildUsers(job: Job<'rebuildUsers'>, isTimeLeft: () => boolean) {
  const { botId, after } = job;
  const everyone = { direction: 'asc' as const, first: '', last: END, after };
  let users = 0;
  for await (const entries of inChunks(botListKeys(botId, 'users', 'gsi1', everyone), USERS_TOGETHER)) {
    users += await indexListedUsers(botId, entries);
    if (isTimeLeft()) continue;
    await enqueueTransfer({ ...job, after: entries.at(-1)!.sortKey });
    return { users, isUnfinished: true };
  }
  return { users };
}

async function rebuildFiles(job: Job<'rebuildFiles'>, isTimeLeft: () => boolean) {
  const { botId, after, begun, ...rest } = job;
  let indexed = 0;
  const selects = async (file: File) => {
    if (file.indexing) await enqueueIndexing({ botId, fileId: file.id, indexingId: file.indexing.id });
    return true;
  };
  for await (const step of indexFilesAgain(botId, { after, begun }, { selects, isTimeLeft })) {
    if (step.isIndexed) indexed++;
    if (isTimeLeft()) continue;
    await enqueueTransfer({ ...rest, botId, ...step.place });
    return { indexed, isUnfinished: true };
  }
  return { indexed };
}

async function rebuildRows(job: Job<'rebuildRows'>, isTimeLeft: () => boolean) {
  const { botId, tableId, after = 0 } = job;
  let count = 0;
  for await (const rows of indexRowsAgain(botId, tableId, after)) {
    const waiting = rows.filter(row => row.pending.length > 0 || row.isUnindexed);
    // Separate jobs compute these rows.
    await enqueueRows({ botId, tableId, ids: waiting.map(({ id }) => id) });
    count += rows.length;
    if (isTimeLeft()) continue;
    await enqueueTransfer({ ...job, after: rows.at(-1)!.id });
    return { rows: count, isUnfinished: true };
  }
  return { rows: count };
}
