import * as z from 'zod/mini';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { tags } from '#shared/api/platform/tagInputs.ts';
import { clock } from '#shared/core/clock.ts';
import { anything, discriminators, id, typeName } from '#shared/domain/botChat/botChatInputs.ts';
import { importMessage } from '#shared/domain/botChat/messages/importMessage.ts';
import { MessageView } from '#shared/domain/messaging/botViews/messageView.ts';

const MESSAGES_LIMIT = 100;

/** Tolerance for the caller's clock skew. */
const AHEAD_MS = 60_000;
const isPast = (text: string) => Date.parse(text) >= 0 && Date.parse(text) <= clock.now() + AHEAD_MS;

export const importMessages = botChatOperation({
  name: 'importMessages',
  summary:
    'Imports up to 100 messages with their original times. They do not invoke the bot. A message whose discriminating tags exist already is not imported again.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/messages/import-messages',
  table: 'writes',
  partitions: { reads: ['webhooks'] },
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    messages: z
      .array(
        z.object({
          payload: anything(),
          userId: id(),
          conversationId: id(),
          type: typeName(),
          tags: tags(),
          createdAt: z.iso
            .datetime({ offset: true })
            .check(z.refine(isPast, { error: 'Must be a time between 1970 and now.' })),
          discriminateByTags: discriminators(),
        }),
      )
      .check(z.minLength(1), z.maxLength(MESSAGES_LIMIT)),
  }),
  output: z.object({ messages: z.array(MessageView) }),
  statuses: [201],

  // In order, because a message may depend on the previous one. A retry after a failure finds imported messages by
  // their tags.
  handle: async call => {
    const messages: z.infer<typeof MessageView>[] = [];
    for (const message of call.input.messages) messages.push(await importMessage(call, message));
    return call.commit(created({ messages }), []);
  },
});
