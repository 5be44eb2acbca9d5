/**
 * Indexes the files and rows of a workspace for another embedder, bot by bot. Until a file is indexed again, it is
 * searchable by keyword only. The former embedder's vectors of a bot's files, or of a table, are deleted after all of
 * them are replaced. Each run resumes from the record, which also shows the progress.
 */
import { chooseEmbeddingModel } from '#shared/ai/embedders/chooseEmbeddingModel.ts';
import { FORMER_MODELS } from '#shared/ai/embedders/formerEmbeddingModels.ts';
import { chooseVectorStore } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { clock } from '#shared/core/clock.ts';
import { searchIndexOf } from '#shared/domain/files/searchIndex.ts';
import { isSearchable, rowIndexOf } from '#shared/domain/tables/search/rowIndex.ts';
import type { File } from '#shared/storage/dynamodb/files/file.ts';
import { findTable, listTableIds } from '#shared/storage/dynamodb/tables/tables.ts';
import { findReindexing, type Reindexing, saveReindexing } from '#shared/storage/dynamodb/tenants/reindexings.ts';
import { listTenants } from '#shared/storage/dynamodb/tenants/tenants.ts';
import { enqueueTransfer } from '#shared/storage/queues/transferJobs.ts';
import { indexFilesAgain, indexRowsAgain } from './indexAgain.ts';

/** Interval of the recorded progress. */
const SAVED_EVERY_MS = 2_000;

type Place = NonNullable<Reindexing['place']>;
/** `other`: another run continues. */
type Outcome = 'done' | 'unfinished' | 'other';

/** Stops a run that has been replaced. */
class Replaced extends Error {}

interface Progress {
  state: Reindexing;
  space: string;
  isTimeLeft(): boolean;
  /** Records the progress at intervals and after the last step. Returns true if the time is up. */
  step(
    place: Place,
    counts?: { files?: number; rows?: number; formerEmbeddingModel?: string | undefined },
  ): Promise<boolean>;
  save(change: Partial<Reindexing>): Promise<void>;
}

export async function reindex(
  { workspaceId, requestId }: { workspaceId: string; requestId: string },
  isTimeLeft: () => boolean,
): Promise<Record<string, unknown>> {
  const found = await findReindexing(workspaceId);
  if (found?.requestId !== requestId || found.doneAtMs !== undefined) return { outcome: 'other' };
  const { id: space } = await chooseEmbeddingModel();
  const { place: _, ...started } = found;
  const state = found.space === space ? found : { ...started, space, files: 0, rows: 0 };
  const progress = openProgress(state, { space, isTimeLeft });
  const outcome = await run(progress, workspaceId).catch((error): Outcome => {
    if (error instanceof Replaced) return 'other';
    throw error;
  });
  if (outcome === 'unfinished') await enqueueTransfer({ task: 'reindex', workspaceId, requestId });
  const { files, rows } = progress.state;
  return { outcome, files, rows };
}

function openProgress(state: Reindexing, { space, isTimeLeft }: { space: string; isTimeLeft(): boolean }): Progress {
  let savedAtMs = clock.now();
  const progress: Progress = {
    state,
    space,
    isTimeLeft,
    async step(place, { files = 0, rows = 0, formerEmbeddingModel } = {}) {
      const { state: before } = progress;
      const isKnown =
        formerEmbeddingModel === undefined ||
        formerEmbeddingModel === space ||
        before.formerEmbeddingModels.includes(formerEmbeddingModel);
      const formerEmbeddingModels = isKnown
        ? before.formerEmbeddingModels
        : [...before.formerEmbeddingModels, formerEmbeddingModel];
      progress.state = {
        ...before,
        place,
        files: before.files + files,
        rows: before.rows + rows,
        formerEmbeddingModels,
      };
      const isTimeUp = !isTimeLeft();
      if (isTimeUp || clock.now() - savedAtMs >= SAVED_EVERY_MS) await progress.save({});
      return isTimeUp;
    },
    async save(change) {
      const { version: _, ...next } = { ...progress.state, ...change };
      const nowMs = clock.now();
      const saved = await saveReindexing(progress.state, { ...next, updatedAtMs: nowMs });
      if (!saved) throw new Replaced();
      progress.state = saved;
      savedAtMs = nowMs;
    },
  };
  return progress;
}

async function run(progress: Progress, workspaceId: string): Promise<Outcome> {
  const { place } = progress.state;
  const tenants = await listTenants(workspaceId);
  const botIds = tenants.flatMap(({ kind, id }) => (kind === 'bot' ? [id] : [])).sort();
  for (const botId of botIds.filter(id => id >= (place?.botId ?? ''))) {
    const start = place?.botId === botId ? place : { botId };
    if (start.tableId === undefined && (await reindexFiles(progress, start))) return 'unfinished';
    const tableIds = (await listTableIds(botId)).sort();
    for (const tableId of tableIds.filter(id => id >= (start.tableId ?? ''))) {
      const after = start.tableId === tableId ? start.afterRow : undefined;
      if (await reindexRows(progress, { botId, tableId, afterRow: after ?? 0 })) return 'unfinished';
    }
  }
  await progress.save({ place: undefined, doneAtMs: clock.now() });
  return 'done';
}

/** Returns true if the time is up. */
async function reindexFiles(progress: Progress, { botId, after, begun }: Place): Promise<boolean> {
  const { space, isTimeLeft, state } = progress;
  const selects = ({ indexed }: File) => indexed !== undefined && (state.isForced || indexed.space !== space);
  for await (const { place, file, isIndexed } of indexFilesAgain(botId, { after, begun }, { selects, isTimeLeft })) {
    const formerEmbeddingModel = file?.indexed?.space;
    if (await progress.step({ botId, ...place }, { files: Number(isIndexed), formerEmbeddingModel })) return true;
  }
  await removeFormer(progress, former => searchIndexOf(botId, { id: former }));
  return false;
}

/** Returns true if the time is up. */
async function reindexRows(
  progress: Progress,
  { botId, tableId, afterRow }: { botId: string; tableId: string; afterRow: number },
): Promise<boolean> {
  const table = await findTable(botId, tableId);
  if (!table || !isSearchable(table)) return false;
  for await (const rows of indexRowsAgain(botId, tableId, afterRow)) {
    const place = { botId, tableId, afterRow: rows.at(-1)!.id };
    if (await progress.step(place, { rows: rows.length })) return true;
  }
  await removeFormer(progress, former => rowIndexOf(botId, tableId, { id: former }));
  return false;
}

async function removeFormer({ space, state }: Progress, indexOf: (former: string) => string): Promise<void> {
  const store = await chooseVectorStore();
  const formers = new Set([...FORMER_MODELS, ...state.formerEmbeddingModels]);
  formers.delete(space);
  for (const former of formers) await store.removeIndex(indexOf(former));
}
