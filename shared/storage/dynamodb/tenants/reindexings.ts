/** The reindexing of a workspace's files and rows: one record, with its progress and optimistic locking. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { EmbeddingProgress } from '#shared/core/embeddingProgress.ts';
import { environment } from '#shared/core/environment.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { type Item, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import { reindexingKey } from '#shared/storage/dynamodb/keys/transfers.ts';
import { workspaceSk } from '#shared/storage/dynamodb/keys/workspace.ts';

const Reindexing = z.object({
  workspaceId: z.string(),
  requestId: z.string(),
  isForced: z.boolean(),
  space: z.optional(z.string()),
  place: z.optional(
    z.object({
      botId: z.string(),
      tableId: z.optional(z.string()),
      after: z.optional(z.record(z.string(), z.any())),
      afterRow: z.optional(z.number()),
      begun: z.optional(z.object({ fileId: z.string(), progress: EmbeddingProgress })),
    }),
  ),
  formerEmbeddingModels: z.array(z.string()),
  files: z.number(),
  rows: z.number(),
  updatedAtMs: z.number(),
  doneAtMs: z.optional(z.number()),
  version: z.number(),
});
export type Reindexing = z.infer<typeof Reindexing>;

export async function findReindexing(workspaceId: string): Promise<Reindexing | undefined> {
  const item = await readItem(reindexingKey(workspaceId));
  return item && Reindexing.parse(item);
}

export async function saveReindexing(
  before: Reindexing | undefined,
  state: Omit<Reindexing, 'version'>,
): Promise<Reindexing | undefined> {
  const next = { ...state, version: (before?.version ?? 0) + 1 };
  const isSaved = await tryWrite({
    put: {
      Item: { ...reindexingKey(state.workspaceId), ...next },
      ...(before
        ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } }
        : { ConditionExpression: 'attribute_not_exists(pk)' }),
    },
  });
  return isSaved ? next : undefined;
}

/** Lists the ids of all workspaces. Reads the whole table: for operators' commands only. */
export async function* listAllWorkspaces(): AsyncGenerator<string> {
  let next: Item | undefined;
  do {
    const page = await documents.send(
      new ScanCommand({
        TableName: environment.tableName,
        FilterExpression: 'sk = :sk',
        ExpressionAttributeValues: { ':sk': workspaceSk },
        ExclusiveStartKey: next,
      }),
    );
    for (const { id, deletedAtMs } of page.Items ?? []) if (deletedAtMs === undefined) yield id;
    next = page.LastEvaluatedKey;
  } while (next);
}
