/** Labels of the conversations of a workspace. One item holds them, so names stay unique and one read lists them. */
import * as z from 'zod/mini';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { inboxLabelsKey } from '#shared/storage/dynamodb/keys/agents.ts';

export const LABEL_COLORS = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple'] as const;

export const InboxLabel = z.object({ id: z.string(), name: z.string(), color: z.enum(LABEL_COLORS) });
export type InboxLabel = z.infer<typeof InboxLabel>;

/** `version` is undefined before the first label. */
export const InboxLabels = z.object({ labels: z.array(InboxLabel), version: z.optional(z.number()) });
export type InboxLabels = z.infer<typeof InboxLabels>;

export async function findInboxLabels(workspaceId: string): Promise<InboxLabels> {
  const item = await readItem(inboxLabelsKey(workspaceId));
  return item ? InboxLabels.parse(item) : { labels: [] };
}

/** Replaces the labels that were read. Fails with {@link WriteConflict} after a concurrent change. */
export const putInboxLabels = (
  workspaceId: string,
  { version }: Pick<InboxLabels, 'version'>,
  labels: readonly InboxLabel[],
): Write => ({
  put: {
    Item: { ...inboxLabelsKey(workspaceId), labels, version: (version ?? 0) + 1 },
    ...(version === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } }),
  },
  onRefused: () => new WriteConflict(),
});
