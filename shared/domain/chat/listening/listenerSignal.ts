import * as z from 'zod/mini';
import { Signal } from '#shared/domain/chat/chatSignals.ts';
import { MessageView } from '#shared/domain/chat/chatViews.ts';
import { MessageStreamAbort, MessageStreamDelta } from '#shared/domain/messaging/streamSignals.ts';

/** Includes the signals of a message that the bot generates. */
export const ListenerSignal = z.discriminatedUnion('type', [
  ...Signal.def.options,
  MessageStreamDelta,
  z.object({
    type: z.literal('message_stream_complete'),
    data: z.object({ streamId: z.string(), message: MessageView }),
  }),
  MessageStreamAbort,
]);
