import * as z from 'zod/mini';
import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { CodeOwner } from '#shared/storage/dynamodb/code/deployments.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { LOG_LEVELS, type LogLine, putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';
import { PRINTED_LINES, type PrintedLine } from './answer.ts';

const Logged = z.object({
  msg: z.string(),
  level: z.optional(z.enum(LOG_LEVELS)),
  options: z.optional(
    z.object({
      userId: z.optional(z.string()),
      conversationId: z.optional(z.string()),
      workflowId: z.optional(z.string()),
      eventId: z.optional(z.string()),
    }),
  ),
});

const AT_ONCE = 16;

/** Each line is a write, so each process limits the lines per bot or integration. */
const BURST_LINES = 300;
const LINES_A_SECOND = 20;
const MAX_REMEMBERED = 1_000;
const allowances = new Map<string, { lines: number; atMs: number }>();

function allowed(id: string, wanted: number, nowMs: number): number {
  const { lines, atMs } = allowances.get(id) ?? { lines: BURST_LINES, atMs: nowMs };
  const left = Math.min(BURST_LINES, lines + ((nowMs - atMs) / 1000) * LINES_A_SECOND);
  const kept = Math.min(wanted, Math.floor(left));
  if (allowances.size >= MAX_REMEMBERED) allowances.clear();
  allowances.set(id, { lines: left - kept, atMs: nowMs });
  return kept;
}

/** Failures are logged, not thrown. @param about the event or hook of the call */
export async function keepPrinted(
  { id }: CodeOwner,
  given: { printed: readonly PrintedLine[]; dropped: number },
  about: string | undefined,
): Promise<void> {
  const kept = allowed(id, given.printed.length, clock.now());
  if (kept === 0) return;
  const printed = given.printed.slice(0, kept);
  const dropped = given.dropped + given.printed.length - kept;
  const lines = printed.map(({ level, text, atMs }): LogLine => {
    const { msg, level: own, options } = parsed(text) ?? { msg: text };
    return { timestampMs: atMs, level: own ?? level, message: msg, eventId: about, ...options };
  });
  if (dropped > 0) {
    const message = `${dropped} more lines were dropped: the log keeps ${PRINTED_LINES} per call and ${LINES_A_SECOND} per second.`;
    lines.push({ timestampMs: lines.at(-1)!.timestampMs, level: 'warn', message, eventId: about });
  }
  try {
    // Created in order, which becomes the order of lines in the same millisecond.
    const writes = lines.map(line => putLogLine(id, line));
    await mapConcurrently(writes, AT_ONCE, each => write([each]));
  } catch (error) {
    log.warn('The output of deployed code could not be stored.', { tenant: id, error: errorFields(error) });
  }
}

function parsed(text: string): z.infer<typeof Logged> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return Logged.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
