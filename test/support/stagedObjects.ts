/** Lists objects in the object store whose records may never be written. */
import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { sweepStagedObjects } from '#functions/events/sweepStagedObjects.ts';
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { sweepStages } from '#shared/events/cleanup/sweepStages.ts';
import { listStages } from '#shared/storage/dynamodb/engine/stageCleanup.ts';
import { s3 } from '#shared/storage/s3/objects.ts';
import { inRoleOf } from './inRoles.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Returns the keys of all objects of the platform. */
export async function allObjects(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket: environment.bucketName })) {
    keys.push(...Contents.map(({ Key }) => Key!));
  }
  return keys.sort();
}

/** Returns the keys of all objects whose records are not written. */
export async function stagedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { object } of listStages(Number.MAX_SAFE_INTEGER)) keys.push(object);
  return keys.sort();
}

/** Sweeps as the consumer does a day from now. */
export const sweepTomorrow = (isTimeLeft = () => true) =>
  inRoleOf(sweepStagedObjects, () => sweepStages(clock.now() + DAY_MS + 1, isTimeLeft))();
