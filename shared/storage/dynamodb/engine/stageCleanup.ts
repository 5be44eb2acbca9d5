import * as z from 'zod/mini';
import { STAGED_SHARDS, stagedKey, stagedPk } from '#shared/storage/dynamodb/keys/staged.ts';
import { partitionQuery, queryAll } from './query.ts';
import { tryWrite } from './transaction.ts';

const Stage = z.object({ sk: z.string(), stagedAtMs: z.number() });

export interface Stage {
  object: string;
  stagedAtMs: number;
}

export async function* listStages(beforeMs: number): AsyncGenerator<Stage> {
  for (let shard = 0; shard < STAGED_SHARDS; shard++) {
    const { ExpressionAttributeValues, ...inShard } = partitionQuery(stagedPk(shard));
    const query = {
      ...inShard,
      FilterExpression: 'stagedAtMs < :before',
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':before': beforeMs },
    };
    for await (const item of queryAll(query)) {
      const { sk, stagedAtMs } = Stage.parse(item);
      yield { object: sk, stagedAtMs };
    }
  }
}

/** Prevents staging of the object until {@link removeStage}. Returns false if the stage was deleted or renewed. */
export const claimStage = ({ object, stagedAtMs }: Stage): Promise<boolean> =>
  tryWrite({
    update: {
      Key: stagedKey(object),
      UpdateExpression: 'SET isSwept = :yes',
      ConditionExpression: 'stagedAtMs = :at',
      ExpressionAttributeValues: { ':yes': true, ':at': stagedAtMs },
    },
  });

export async function removeStage({ object }: Stage): Promise<void> {
  await tryWrite({ remove: { Key: stagedKey(object) } });
}
