/** Exports of workspaces: a job each, retained as long as its archive. */
import * as z from 'zod/mini';
import { ApiError } from '#shared/core/errors.ts';
import { newPosition } from '#shared/core/ids.ts';
import { type StoredValue, storedValue, withoutStoredValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { type Item, prefixQuery, queryAll, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { exportKey, exportPrefix, exportSlotKey, transfersPk } from '#shared/storage/dynamodb/keys/transfers.ts';

export const EXPORT_STATUSES = ['pending', 'in_progress', 'completed', 'failed'] as const;

const Export = z.object({
  id: z.string(),
  workspaceId: z.string(),
  status: z.enum(EXPORT_STATUSES),
  createdBy: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  lines: z.number(),
  objects: z.number(),
  bytes: z.number(),
  reason: z.optional(z.string()),
  ttl: z.number(),
  /** Progress, see `transfer/archive.ts`. */
  ...storedValue,
});
export type Export = z.infer<typeof Export>;

const EXPORT_ID = /^[0-9A-Za-z]{10}$/;
/** Age at which a slot belongs to a crashed job. */
const SLOT_MS = 24 * 3600 * 1000;

export const RETENTION_DAYS = 7;

export const newExport = (workspaceId: string, createdBy: string, nowMs: number): Export => ({
  id: newPosition(nowMs),
  workspaceId,
  status: 'pending',
  createdBy,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
  lines: 0,
  objects: 0,
  bytes: 0,
  ttl: Math.ceil(nowMs / 1000) + RETENTION_DAYS * 24 * 3600,
});

export async function findExport(workspaceId: string, id: string): Promise<Export | undefined> {
  const item = EXPORT_ID.test(id) ? await readItem(exportKey(workspaceId, id)) : undefined;
  return item && Export.parse(item);
}

export async function listExports(workspaceId: string): Promise<Export[]> {
  const all: Export[] = [];
  const query = { ...prefixQuery(transfersPk(workspaceId), exportPrefix), ConsistentRead: true };
  for await (const item of queryAll(query)) all.push(Export.parse(item));
  return all;
}

const itemOf = (each: Export): Item & { pk: string; sk: string } => ({
  ...exportKey(each.workspaceId, each.id),
  ...each,
});

/** Fails with ResourceLockedConflict while another export is in progress. */
export const putNewExport = (each: Export): Write[] => [
  {
    put: { Item: itemOf(each), ConditionExpression: 'attribute_not_exists(pk)' },
    onRefused: () => new WriteConflict(),
  },
  {
    put: {
      Item: { ...exportSlotKey(each.workspaceId), exportId: each.id, sinceMs: each.createdAtMs },
      ConditionExpression: 'attribute_not_exists(pk) OR sinceMs < :old',
      ExpressionAttributeValues: { ':old': each.createdAtMs - SLOT_MS },
    },
    onRefused: () =>
      new ApiError('ResourceLockedConflict', 'An export of the workspace is in progress. Wait until it ends.'),
  },
];

const isUnchanged = ({ updatedAtMs }: Export) => ({
  ConditionExpression: 'updatedAtMs = :before',
  ExpressionAttributeValues: { ':before': updatedAtMs },
});

export const changeExport = (
  before: Export,
  change: Partial<Export> & StoredValue,
  nowMs: number,
): { after: Export; writes: Write[] } => {
  const after: Export = {
    ...withoutStoredValue(before),
    ...change,
    updatedAtMs: Math.max(nowMs, before.updatedAtMs + 1),
  };
  const hasEnded = after.status === 'completed' || after.status === 'failed';
  return {
    after,
    writes: [
      { put: { Item: itemOf(after), ...isUnchanged(before) }, onRefused: () => new WriteConflict() },
      ...(hasEnded ? [freeSlot(after.workspaceId)] : []),
    ],
  };
};

const freeSlot = (workspaceId: string): Write => ({
  remove: { Key: exportSlotKey(workspaceId) },
  onRefused: unconditional,
});
