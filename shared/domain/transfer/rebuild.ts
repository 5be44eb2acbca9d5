/** Rebuilds search indexes and deployed functions after an import, and restarts work in progress. Idempotent. */

import { rebuildFileIndex } from '#shared/domain/files/indexFile.ts';
import { indexAgain as indexRowsAgain } from '#shared/domain/tables/search/indexRows.ts';
import { isSearchable } from '#shared/domain/tables/search/rowIndex.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findFile } from '#shared/storage/dynamodb/files/files.ts';
import { findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { inChunks } from '#shared/storage/dynamodb/lists.ts';
import { listJobs } from '#shared/storage/dynamodb/tables/jobs.ts';
import { rowsInOrder } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { listTableIds, requireTableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';
import { kindOf } from '#shared/storage/dynamodb/tenants/kinds.ts';
import { itemsOfTenant, listTenants, type Place, placeAfter } from '#shared/storage/dynamodb/tenants/tenants.ts';
import { enqueueCode } from '#shared/storage/queues/code.ts';
import { enqueueIndexing } from '#shared/storage/queues/indexing.ts';
import { enqueueRows } from '#shared/storage/queues/rows.ts';
import { enqueueTableJob } from '#shared/storage/queues/tableJobs.ts';
import { enqueueTransfer, type TransferJob } from '#shared/storage/queues/transfers.ts';

type Job<Task extends TransferJob['task']> = Extract<TransferJob, { task: Task }>;

export async function rebuild(
  job: Exclude<TransferJob, { task: 'export' }>,
  isTimeLeft: () => boolean,
): Promise<Record<string, unknown>> {
  if (job.task === 'rebuildFiles') return rebuildFiles(job, isTimeLeft);
  if (job.task === 'rebuildRows') return rebuildRows(job, isTimeLeft);
  return rebuildWorkspace(job);
}

async function rebuildWorkspace({ workspaceId }: Job<'rebuild'>) {
  const tenants = await listTenants(workspaceId);
  for (const { kind, id } of tenants) {
    if (kind === 'bot' || kind === 'integration') await deployAgain(kind, id);
    if (kind !== 'bot') continue;
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

/** Checks the time after each file, and within files, because a page of files may take longer than a run. */
async function rebuildFiles({ begun, ...job }: Job<'rebuildFiles'>, isTimeLeft: () => boolean) {
  const { botId } = job;
  let indexed = 0;
  let after = (job.after as Place | undefined) ?? { section: 'files', position: undefined };
  for await (const { items, place } of itemsOfTenant({ kind: 'bot', id: botId }, after)) {
    if (place.section !== 'files') break;
    for (const item of items) {
      const { id: fileId } = item;
      const file = kindOf(item).kind === 'file' ? await findFile(botId, fileId) : undefined;
      if (file?.indexing) await enqueueIndexing({ botId, fileId, indexingId: file.indexing.id });
      const progress = begun && begun.fileId === fileId ? begun.progress : undefined;
      const unfinished = file?.indexed && (await rebuildFileIndex(botId, file, { progress, isTimeLeft }));
      if (unfinished) {
        await enqueueTransfer({ ...job, after, begun: { fileId, progress: unfinished } });
        return { indexed, isUnfinished: true };
      }
      if (file?.indexed) indexed++;
      after = placeAfter(place, item);
      if (isTimeLeft()) continue;
      await enqueueTransfer({ ...job, after });
      return { indexed, isUnfinished: true };
    }
    after = place;
  }
  return { indexed };
}

const ROWS_TOGETHER = 100;

async function rebuildRows(job: Job<'rebuildRows'>, isTimeLeft: () => boolean) {
  const { botId, tableId, after = 0 } = job;
  const { table, lastId } = await requireTableWithIds(botId, tableId);
  const all = rowsInOrder(botId, tableId, lastId, { from: after + 1, to: lastId, direction: 'asc', pageSize: 500 });
  let count = 0;
  for await (const rows of inChunks(all, ROWS_TOGETHER)) {
    const waiting = rows.filter(row => row.pending.length > 0 || row.isUnindexed);
    // Separate jobs compute these rows first.
    await enqueueRows({ botId, tableId, ids: waiting.map(({ id }) => id) });
    if (isSearchable(table)) await indexRowsAgain(botId, table, rows);
    count += rows.length;
    if (isTimeLeft()) continue;
    await enqueueTransfer({ ...job, after: rows.at(-1)!.id });
    return { rows: count, isUnfinished: true };
  }
  return { rows: count };
}
