/**
 * How far each migration is. Its version guards every write: of two runs at the same time, one goes on and the other
 * stops.
 */
import * as z from 'zod/mini';
import { migrationKey, migrationsPk } from './keys/migrations.ts';
import { inPartition, queryAll } from './query.ts';
import { tryWrite } from './transaction.ts';

const Progress = z.object({
  number: z.number(),
  name: z.string(),
  /** Where the next step begins; none before the first and after the last. */
  cursor: z.optional(z.string()),
  /** Items changed so far. A step that was repeated may count some twice. */
  changed: z.number(),
  steps: z.number(),
  startedAtMs: z.number(),
  updatedAtMs: z.number(),
  doneAtMs: z.optional(z.number()),
  /** Of the last step that failed; none once one has succeeded. */
  error: z.optional(z.string()),
  version: z.number(),
});
export type MigrationProgress = z.infer<typeof Progress>;

/** All that were ever started, by number. */
export async function listMigrationProgress(): Promise<MigrationProgress[]> {
  const found: MigrationProgress[] = [];
  for await (const item of queryAll({ ...inPartition(migrationsPk), ConsistentRead: true })) {
    found.push(Progress.parse(item));
  }
  return found;
}

/** @returns the stored progress; undefined when another run has written it since it was read */
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
