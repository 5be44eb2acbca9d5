/** Bringing messages over from elsewhere. */
import type * as z from 'zod/mini';
import { retryConflicts, write } from '#shared/dynamodb/transaction.ts';
import type { CallerScope } from '#shared/messaging/callerScope.ts';
import { getOrMakeMessage, type MessageInput } from './messages.ts';
import type { MessageView } from './views/message.ts';

/** Brings one over, unless it is here already; then it is answered as it is. */
export const importMessage = (
  call: CallerScope & { nowMs: number },
  { createdAt, ...message }: MessageInput & { createdAt: string; discriminateByTags: string[] },
): Promise<z.infer<typeof MessageView>> =>
  retryConflicts(async () => {
    const { record, writes } = await getOrMakeMessage(call, message, {
      imported: { createdAtMs: Date.parse(createdAt) },
    });
    await write(writes);
    return record;
  });
