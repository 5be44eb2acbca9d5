/** Signals of a message that a bot generates (docs/api/live.md#streamed-replies). Named as in the chat definition. */
import * as z from 'zod/mini';

export const MessageStreamDelta = z.object({
  type: z.literal('message_stream_delta'),
  data: z.object({
    streamId: z.string(),
    conversationId: z.string(),
    userId: z.string(),
    createdAt: z.string(),
    clientMessageId: z.optional(z.string()),
    sequence: z.number(),
    delta: z.string(),
  }),
});

export const MessageStreamAbort = z.object({
  type: z.literal('message_stream_abort'),
  data: z.object({ streamId: z.string(), conversationId: z.string() }),
});

export type MessageStreamSignal = z.infer<typeof MessageStreamDelta> | z.infer<typeof MessageStreamAbort>;
