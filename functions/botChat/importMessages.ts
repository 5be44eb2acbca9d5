import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { anything, discriminators, id, tags, typeName } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { importMessage } from '#shared/botChat/importMessages.ts';
import { MessageView } from '#shared/botChat/views/message.ts';

const MESSAGES_LIMIT = 100;

/** Clocks differ. */
const AHEAD_MS = 60_000;
const isPast = (text: string) => Date.parse(text) >= 0 && Date.parse(text) <= Date.now() + AHEAD_MS;

export const importMessages = botChatOperation({
  name: 'importMessages',
  summary:
    'Brings up to 100 messages over from elsewhere, with the time they were said there. They invoke nobody. One whose discriminating tags are here already is not brought again.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/messages/import-messages',
  table: 'writes',
  largeValues: 'writes',
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
            .check(z.refine(isPast, { error: 'Must be a time from 1970 until now.' })),
          discriminateByTags: discriminators(),
        }),
      )
      .check(z.minLength(1), z.maxLength(MESSAGES_LIMIT)),
  }),
  output: z.object({ messages: z.array(MessageView) }),
  statuses: [201],

  // One by one, since each may depend on the one before; what is repeated after a failure is found by its tags.
  handle: async call => {
    const messages: z.infer<typeof MessageView>[] = [];
    for (const message of call.input.messages) messages.push(await importMessage(call, message));
    return call.commit(created({ messages }), []);
  },
});
