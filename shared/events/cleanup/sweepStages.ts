import { claimStage, listStages, removeStage, type Stage } from '#shared/storage/dynamodb/engine/stageCleanup.ts';
import { objectsOf } from '#shared/storage/dynamodb/files/file.ts';
import { findFile } from '#shared/storage/dynamodb/files/files.ts';
import { deleteObjectIfExists } from '#shared/storage/s3/objects.ts';
import { parseFileObject } from '#shared/storage/s3/prefixes.ts';

/** Exceeds a function's timeout and the pause between two attempts of a job, so no older stage can be committed. */
const RETENTION_MS = 24 * 3600 * 1000;
const AT_ONCE = 32;

/** Deletes objects whose records were never written, because the call failed or crashed after storing them. */
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
  for await (const stage of listStages(nowMs - RETENTION_MS)) {
    if (!isTimeLeft()) return { removed, isMoreLeft: true };
    batch.push(stage);
    if (batch.length === AT_ONCE) await sweepBatch();
  }
  await sweepBatch();
  return { removed, isMoreLeft: false };
}

async function sweepStage(stage: Stage): Promise<boolean> {
  if (!(await claimStage(stage))) return false;
  const isRemoved = !(await hasRecord(stage)) && (await deleteObjectIfExists(stage.object));
  await removeStage(stage);
  return isRemoved;
}

/** Several processes know the keys of uploads and job output: one may stage an object that another committed. */
async function hasRecord({ object }: Stage): Promise<boolean> {
  const named = parseFileObject(object);
  return named !== undefined && objectsOf(await findFile(named.botId, named.fileId)).includes(object);
}
