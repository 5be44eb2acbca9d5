/** Log of a bot or integration, with a partition per day, retained for 30 days. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { DAY_MS, dayOf } from '#shared/core/calendar.ts';
import { environment } from '#shared/core/environment.ts';
import { encodeTime, newPosition, randomText } from '#shared/core/ids.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { logPk } from '#shared/storage/dynamodb/keys/workspace.ts';

const LOG_DAYS = 30;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

const LogLine = z.object({
  sk: z.string(),
  timestampMs: z.number(),
  level: z.enum(LOG_LEVELS),
  message: z.string(),
  workflowId: z.optional(z.string()),
  userId: z.optional(z.string()),
  conversationId: z.optional(z.string()),
  eventId: z.optional(z.string()),
});
export type LogLine = Omit<z.infer<typeof LogLine>, 'sk'>;

export const putLogLine = (tenant: string, line: LogLine): Write => ({
  put: {
    Item: {
      pk: logPk(tenant, dayOf(line.timestampMs)),
      sk: `${encodeTime(line.timestampMs)}${newPosition()}${randomText(4)}`,
      ...line,
      ttl: Math.floor((line.timestampMs + LOG_DAYS * DAY_MS) / 1000),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused: () => new WriteConflict(),
});

export const logPartitions = (tenant: string, nowMs: number) =>
  Array.from({ length: LOG_DAYS + 2 }, (_, i) => logPk(tenant, dayOf(nowMs - (i - 1) * DAY_MS)));

const LINES_A_PAGE = 100;
/** Limit for filters with few matches. A page at the limit ends early, with a token. */
const QUERIES_A_PAGE = 40;

export async function listLog(
  tenant: string,
  range: { startMs: number; endMs: number; nowMs: number },
  after: string | undefined,
  isMatch: (line: LogLine) => boolean,
): Promise<{ lines: LogLine[]; next?: string }> {
  const startMs = Math.max(range.startMs, range.nowMs - LOG_DAYS * DAY_MS);
  const endMs = Math.min(range.endMs, range.nowMs + DAY_MS);
  const [afterDay, afterPosition] = after?.split('#') ?? [];
  const lines: LogLine[] = [];
  let day = afterDay ?? dayOf(startMs);
  let position = afterPosition;
  for (let queries = 0; startMs <= endMs && day <= dayOf(endMs); queries++) {
    if (queries === QUERIES_A_PAGE) return { lines, next: `${day}#${position ?? ''}` };
    const pk = logPk(tenant, day);
    const { Items = [], LastEvaluatedKey } = await documents.send(
      new QueryCommand({
        TableName: environment.tableName,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :start AND :end',
        ExpressionAttributeValues: { ':pk': pk, ':start': encodeTime(startMs), ':end': `${encodeTime(endMs)}~` },
        ConsistentRead: true,
        ExclusiveStartKey: position ? { pk, sk: position } : undefined,
      }),
    );
    for (const item of Items) {
      const { sk, ...line } = LogLine.parse(item);
      position = sk;
      if (!isMatch(line)) continue;
      lines.push(line);
      if (lines.length === LINES_A_PAGE) return { lines, next: `${day}#${sk}` };
    }
    if (!LastEvaluatedKey) {
      day = dayOf(Date.parse(day) + DAY_MS);
      position = undefined;
    }
  }
  return { lines };
}
