/** A bot's share of its workspace's usage, which moves or ends with the bot. */
import * as z from 'zod/mini';
import { notFound } from '#shared/core/errors.ts';
import { readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { botTotalsKey, gaugeKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { changeGauge, requireRoomIn, UNLIMITED, type UsageType } from '#shared/storage/dynamodb/workspace/usage.ts';
import type { BotRef } from './botRef.ts';

const BotTotals = z.object({
  bytes: z.number(),
  vectorBytes: z.number(),
  indexedFiles: z.number(),
  rows: z._default(z.number(), 0),
  workspaceId: z.string(),
  /** Passages, the document count of search ranking. */
  n: z.number(),
});
export type TotalsChange = Omit<z.infer<typeof BotTotals>, 'workspaceId'>;

const TYPES: Record<Exclude<keyof TotalsChange, 'n'>, UsageType> = {
  bytes: 'storage_count',
  vectorBytes: 'knowledgebase_vector_storage',
  indexedFiles: 'indexed_file_count',
  rows: 'table_row_count',
};

export const gaugeChanges = (
  workspaceId: string,
  botId: string,
  change: TotalsChange,
  { sign = 1, nowMs, hasHappened = false }: { sign?: 1 | -1; nowMs: number; hasHappened?: boolean },
): Write[] =>
  (Object.keys(TYPES) as (keyof typeof TYPES)[]).flatMap(name =>
    change[name] === 0
      ? []
      : changeGauge(workspaceId, TYPES[name], sign * change[name], {
          botId,
          nowMs,
          // Rows are counted after they are written.
          hasHappened: hasHappened || name === 'rows',
        }),
  );

export const fillTotals = (part: Partial<TotalsChange>): TotalsChange => ({
  bytes: 0,
  vectorBytes: 0,
  indexedFiles: 0,
  rows: 0,
  n: 0,
  ...part,
});
const isNothing = (change: TotalsChange) => Object.values(change).every(value => value === 0);

/** Fails with ResourceNotFound during deletion. Reads the workspace: a cached bot may have been transferred. */
export async function changeTotals(
  { id, workspaceId: known }: BotRef,
  part: Partial<TotalsChange>,
  nowMs: number,
): Promise<Write[]> {
  const change = fillTotals(part);
  if (isNothing(change)) return [];
  const workspaceId: string = (await readItem(botTotalsKey(id)))?.workspaceId ?? known;
  return [addToTotals(id, workspaceId, change), ...gaugeChanges(workspaceId, id, change, { nowMs })];
}

/** Maximum size of a change, as a fraction of the unused quota, that the stream consumer counts later. */
const SMALL = 1 / 10_000;

/** Returns the counting writes, or undefined for a small change. @throws ApiError ResourceNotFound */
export async function countIfLarge(
  { id, workspaceId: known }: BotRef,
  part: Partial<TotalsChange>,
  nowMs: number,
): Promise<Write[] | undefined> {
  const change = fillTotals(part);
  if (isNothing(change)) return undefined;
  const names = (Object.keys(TYPES) as (keyof typeof TYPES)[]).filter(name => change[name] !== 0);
  const gaugesOf = (workspaceId: string) => names.map(name => gaugeKey(workspaceId, TYPES[name]));
  const [totals, ...knownGauges] = await readItems([botTotalsKey(id), ...gaugesOf(known)]);
  if (totals?.hasEnded) throw notFound(`The bot ${id}`);
  const workspaceId: string = totals?.workspaceId ?? known;
  const found = workspaceId === known ? knownGauges : await readItems(gaugesOf(workspaceId));
  const isSmall = names.every((name, i) => Math.abs(change[name]) <= (found[i]?.room ?? UNLIMITED) * SMALL);
  return isSmall
    ? undefined
    : [addToTotals(id, workspaceId, change), ...gaugeChanges(workspaceId, id, change, { nowMs })];
}

/** @param turns serializes counters of the stream: the turn that was read, and the next */
export const addToTotals = (
  id: string,
  workspaceId: string,
  change: TotalsChange,
  turns?: { seen: string | undefined; next: string },
): Write => ({
  update: {
    Key: botTotalsKey(id),
    UpdateExpression: `SET workspaceId = :workspace${turns ? ', turn = :next' : ''} ADD bytes :bytes, vectorBytes :vectorBytes, indexedFiles :indexedFiles, #rows :rows, n :n`,
    ConditionExpression: [
      'attribute_not_exists(hasEnded) AND (attribute_not_exists(workspaceId) OR workspaceId = :workspace)',
      ...(turns ? [turns.seen === undefined ? 'attribute_not_exists(turn)' : 'turn = :seen'] : []),
    ].join(' AND '),
    ExpressionAttributeNames: { '#rows': 'rows' },
    ExpressionAttributeValues: {
      ':workspace': workspaceId,
      ':bytes': change.bytes,
      ':vectorBytes': change.vectorBytes,
      ':indexedFiles': change.indexedFiles,
      ':rows': change.rows,
      ':n': change.n,
      ...(turns ? { ':next': turns.next } : {}),
      ...(turns?.seen === undefined ? {} : { ':seen': turns.seen }),
    },
  },
  onRefused: existing => (existing?.hasEnded ? notFound(`The bot ${id}`) : new WriteConflict()),
});

/** Fails early, before a file's object is stored. {@link changeTotals} decides. @throws ApiError QuotaExceeded */
export async function requireStorage({ id, workspaceId }: BotRef, bytes: number): Promise<void> {
  const [totals, gauge] = await readItems([botTotalsKey(id), gaugeKey(workspaceId, TYPES.bytes)]);
  if ((totals?.workspaceId ?? workspaceId) === workspaceId) requireRoomIn(gauge, TYPES.bytes, bytes);
}

export async function findFileTotals(botId: string): Promise<Omit<TotalsChange, 'rows'> | undefined> {
  const item = await readItem(botTotalsKey(botId));
  if (item?.bytes === undefined || item.hasEnded) return undefined;
  const { bytes, vectorBytes, indexedFiles, n } = BotTotals.parse(item);
  return { bytes, vectorBytes, indexedFiles, n };
}

const PassageCount = z.object({ n: z.optional(z.number()) });

export async function findPassageCount(botId: string): Promise<number> {
  const item = await readItem(botTotalsKey(botId));
  // A transferred bot may have an item without counts.
  return PassageCount.parse(item ?? {}).n ?? 0;
}

/** Moves a bot's share to another workspace. Without `target`, removes it and stops counting. */
export async function moveTotals(botId: string, target: string | undefined, nowMs: number): Promise<Write[]> {
  const item = await readItem(botTotalsKey(botId));
  // The item of a bot that was transferred before any usage contains only the workspace.
  const seen = item?.bytes === undefined ? undefined : BotTotals.parse(item);
  return [
    {
      update: {
        Key: botTotalsKey(botId),
        UpdateExpression: target === undefined ? 'SET hasEnded = :yes' : 'SET workspaceId = :target',
        ConditionExpression: seen
          ? 'bytes = :bytes AND vectorBytes = :vectorBytes AND indexedFiles = :indexedFiles AND (#rows = :rows OR attribute_not_exists(#rows))'
          : 'attribute_not_exists(bytes)',
        ...(seen ? { ExpressionAttributeNames: { '#rows': 'rows' } } : {}),
        ExpressionAttributeValues: {
          ...(target === undefined ? { ':yes': true } : { ':target': target }),
          ...(seen
            ? {
                ':bytes': seen.bytes,
                ':vectorBytes': seen.vectorBytes,
                ':indexedFiles': seen.indexedFiles,
                ':rows': seen.rows,
              }
            : {}),
        },
      },
      onRefused: () => new WriteConflict(),
    },
    ...(seen ? gaugeChanges(seen.workspaceId, botId, seen, { sign: -1, nowMs }) : []),
    ...(seen && target !== undefined ? gaugeChanges(target, botId, seen, { nowMs }) : []),
  ];
}
