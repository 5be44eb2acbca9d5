/** Progress of a migration, with optimistic locking: one of two concurrent runs stops. */
import * as z from 'zod/mini';
import { partitionQuery, queryAll } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import { migrationKey, migrationsPk } from '#shared/storage/dynamodb/keys/migrations.ts';

const Progress = z.object({
  number: z.number(),
  name: z.string(),
  cursor: z.optional(z.string()),
  changed: z.number(),
  steps: z.number(),
  startedAtMs: z.number(),
  updatedAtMs: z.number(),
  doneAtMs: z.optional(z.number()),
  error: z.optional(z.string()),
  version: z.number(),
});
export type MigrationProgress = z.infer<typeof Progress>;

export async function listMigrationProgress(): Promise<MigrationProgress[]> {
  const found: MigrationProgress[] = [];
  for await (const item of queryAll({ ...partitionQuery(migrationsPk), ConsistentRead: true })) {
    found.push(Progress.parse(item));
  }
  return found;
}

export async function saveMigrationProgress(
  progress: Omit<MigrationProgress, 'version'>,
  before: MigrationProgress | undefined,
): Promise<MigrationProgress | undefined> {
  const next = { ...progress, version: (before?.version ?? 0) + 1 };
  const isSaved = await tryWrite({
    put: {
      Item: { ...migrationKey(progress.number), ...next },
      ...(before
        ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } }
        : { ConditionExpression: 'attribute_not_exists(pk)' }),
    },
  });
  return isSaved ? next : undefined;
}
