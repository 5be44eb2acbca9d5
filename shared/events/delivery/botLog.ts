import { clock } from '#shared/core/clock.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';

export const appendBotLog = (botId: string, level: 'warn' | 'error', message: string): Promise<void> =>
  write([putLogLine(botId, { timestampMs: clock.now(), level, message })]);
