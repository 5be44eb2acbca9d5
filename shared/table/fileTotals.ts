/**
 * What a bot's files come to, beside the workspace's usage that it is part of: so that a bot that goes to another
 * workspace, or ends, takes with it exactly what is its.
 */
import * as z from 'zod/mini';
import { notFound } from '../http/errors.ts';
import type { Home } from './files.ts';
import { fileTotalsKey } from './keys.ts';
import { readItem } from './read.ts';
import { changeLevel, type UsageType } from './usage.ts';
import { type Write, WriteConflict } from './write.ts';

const FileTotals = z.object({
  bytes: z.number(),
  vectorBytes: z.number(),
  indexedFiles: z.number(),
  workspaceId: z.string(),
  /** Passages: a search weighs words by how many have them. */
  n: z.number(),
});
type Change = Omit<z.infer<typeof FileTotals>, 'workspaceId'>;

const TYPES: Record<Exclude<keyof Change, 'n'>, UsageType> = {
  bytes: 'storage_count',
  vectorBytes: 'knowledgebase_vector_storage',
  indexedFiles: 'indexed_file_count',
};

const levels = (workspaceId: string, botId: string, change: Change, sign: 1 | -1, nowMs: number): Write[] =>
  (Object.keys(TYPES) as (keyof typeof TYPES)[]).flatMap(name =>
    change[name] === 0 ? [] : changeLevel(workspaceId, TYPES[name], sign * change[name], { botId, nowMs }),
  );

/**
 * A change of the totals and the usage alike; ResourceNotFound when the bot is being deleted. Which workspace it is in
 * stands in the totals, as whoever remembers the bot may not know yet that it moved.
 */
export async function changeTotals({ id, workspaceId: known }: Home, change: Change, nowMs: number): Promise<Write[]> {
  if (Object.values(change).every(value => value === 0)) return [];
  const workspaceId: string = (await readItem(fileTotalsKey(id)))?.workspaceId ?? known;
  return [
    {
      update: {
        Key: fileTotalsKey(id),
        UpdateExpression:
          'SET workspaceId = :workspace ADD bytes :bytes, vectorBytes :vectorBytes, indexedFiles :indexedFiles, n :n',
        ConditionExpression:
          'attribute_not_exists(hasEnded) AND (attribute_not_exists(workspaceId) OR workspaceId = :workspace)',
        ExpressionAttributeValues: {
          ':workspace': workspaceId,
          ':bytes': change.bytes,
          ':vectorBytes': change.vectorBytes,
          ':indexedFiles': change.indexedFiles,
          ':n': change.n,
        },
      },
      refused: existing => (existing?.hasEnded ? notFound(`The bot ${id}`) : new WriteConflict()),
    },
    ...levels(workspaceId, id, change, 1, nowMs),
  ];
}

/** Takes a bot's files out of a workspace's usage, and into another's if there is one; without, nothing more is counted. */
export async function moveTotals(botId: string, target: string | undefined, nowMs: number): Promise<Write[]> {
  const item = await readItem(fileTotalsKey(botId));
  // Of a bot that moved before it had any file there is only where it is.
  const seen = item?.bytes === undefined ? undefined : FileTotals.parse(item);
  return [
    {
      update: {
        Key: fileTotalsKey(botId),
        UpdateExpression: target === undefined ? 'SET hasEnded = :yes' : 'SET workspaceId = :target',
        ConditionExpression: seen
          ? 'bytes = :bytes AND vectorBytes = :vectorBytes AND indexedFiles = :indexedFiles'
          : 'attribute_not_exists(bytes)',
        ExpressionAttributeValues: {
          ...(target === undefined ? { ':yes': true } : { ':target': target }),
          ...(seen
            ? { ':bytes': seen.bytes, ':vectorBytes': seen.vectorBytes, ':indexedFiles': seen.indexedFiles }
            : {}),
        },
      },
      refused: () => new WriteConflict(),
    },
    ...(seen ? levels(seen.workspaceId, botId, seen, -1, nowMs) : []),
    ...(seen && target !== undefined ? levels(target, botId, seen, 1, nowMs) : []),
  ];
}
