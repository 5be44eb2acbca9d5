import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { LOG_LEVELS, type LogLine, listLog } from '#shared/storage/dynamodb/workspace/logs.ts';
import { moment } from './adminInputs.ts';

export const logQuery = {
  timeStart: moment(),
  timeEnd: z.optional(moment()),
  level: z.optional(z.enum(LOG_LEVELS)),
  userId: z.optional(z.string()),
  workflowId: z.optional(z.string()),
  conversationId: z.optional(z.string()),
  messageContains: z.optional(z.string().check(z.maxLength(500))),
  nextToken: z.optional(z.string()),
};

export const LogLineView = z.object({
  timestamp: dateTime(),
  level: z.enum(LOG_LEVELS),
  message: z.string(),
  workflowId: z.optional(z.string()),
  userId: z.optional(z.string()),
  conversationId: z.optional(z.string()),
  eventId: z.optional(z.string()),
});

interface Filters {
  timeStart: string;
  timeEnd?: string | undefined;
  level?: string | undefined;
  userId?: string | undefined;
  workflowId?: string | undefined;
  conversationId?: string | undefined;
  messageContains?: string | undefined;
}

/** @throws ApiError InvalidPayload when `timeEnd` is before `timeStart` */
export async function showLog(
  tenant: string,
  filters: Filters,
  { pageStart, nowMs }: { pageStart: string | undefined; nowMs: number },
) {
  const startMs = Date.parse(filters.timeStart);
  const endMs = filters.timeEnd === undefined ? nowMs : Date.parse(filters.timeEnd);
  if (endMs < startMs) throw invalidPayload('Must not be before timeStart.', 'timeEnd');
  const { level, userId, workflowId, conversationId, messageContains = '' } = filters;
  const isMatch = (line: LogLine) =>
    (level === undefined || line.level === level) &&
    (userId === undefined || line.userId === userId) &&
    (workflowId === undefined || line.workflowId === workflowId) &&
    (conversationId === undefined || line.conversationId === conversationId) &&
    line.message.includes(messageContains);
  const { lines, next } = await listLog(tenant, { startMs, endMs, nowMs }, pageStart, isMatch);
  return { logs: lines.map(({ timestampMs, ...line }) => ({ ...line, timestamp: iso(timestampMs) })), next };
}
