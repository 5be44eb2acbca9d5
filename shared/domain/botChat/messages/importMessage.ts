import type * as z from 'zod/mini';
import type { MessageView } from '#shared/domain/messaging/botViews/messageView.ts';
import type { ScopedCall } from '#shared/domain/messaging/callerScope.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { MessageInput } from './createMessage.ts';
import { getOrCreateMessage } from './getOrCreateMessage.ts';

/** Imports a message, unless one with its discriminating tags exists. @returns the imported or existing message */
export const importMessage = (
  call: ScopedCall,
  { createdAt, ...message }: MessageInput & { createdAt: string; discriminateByTags: string[] },
): Promise<z.infer<typeof MessageView>> =>
  retryConflicts(async () => {
    const options = { importedAtMs: Date.parse(createdAt) };
    const { record, writes } = await getOrCreateMessage(call, message, options);
    await write(writes);
    return record;
  });
