/**
 * Deletes objects whose records were never written: the call was refused after it had put them, or its process died.
 */
import { objectsOf } from '#shared/storage/dynamodb/files/file.ts';
import { findFile } from '#shared/storage/dynamodb/files/files.ts';
import { claimStage, listStages, removeStage, type Stage } from '#shared/storage/dynamodb/stageCleanup.ts';
import { deleteObjectIfThere } from '#shared/storage/s3/objects.ts';
import { parseFileObject } from '#shared/storage/s3/prefixes.ts';

/** Longer than a function runs, and than a job rests between two attempts: nobody will commit what is older. */
const KEPT_MS = 24 * 3600 * 1000;
const AT_ONCE = 32;

/** @returns how many objects were deleted, and whether more are left for the next run */
export async function sweepStages(
  nowMs: number,
  isTimeLeft: () => boolean,
): Promise<{ removed: number; isMoreLeft: boolean }> {
  let removed = 0;
  let batch: Stage[] = [];
  const sweepBatch = async () => {
    const outcomes = await Promise.all(batch.map(sweepStage));
    removed += outcomes.filter(isRemoved => isRemoved).length;
    batch = [];
  };
  for await (const stage of listStages(nowMs - KEPT_MS)) {
    if (!isTimeLeft()) return { removed, isMoreLeft: true };
    batch.push(stage);
    if (batch.length === AT_ONCE) await sweepBatch();
  }
  await sweepBatch();
  return { removed, isMoreLeft: false };
}

/** @returns whether there was an object to delete: it may never have been put, or have gone with its tenant */
async function sweepStage(stage: Stage): Promise<boolean> {
  if (!(await claimStage(stage))) return false;
  const isRemoved = !(await hasRecord(stage)) && (await deleteObjectIfThere(stage.object));
  await removeStage(stage);
  return isRemoved;
}

/**
 * The keys of accepted uploads and of a job's output are known to several processes: one may stage an object that
 * another has committed. Any other key has one process, whose write takes the stage back.
 */
async function hasRecord({ object }: Stage): Promise<boolean> {
  const named = parseFileObject(object);
  return named !== undefined && objectsOf(await findFile(named.botId, named.fileId)).includes(object);
}
