import * as z from 'zod/mini';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { resolveConversationId } from '#shared/core/ids.ts';
import { ConversationView } from '#shared/domain/chat/chatViews.ts';
import { enterCurrentConversation } from '#shared/domain/chat/enterCurrentConversation.ts';

export const getOrCreateCurrentConversation = chatOperation({
  name: 'getOrCreateCurrentConversation',
  summary:
    "Returns the caller's current conversation, the same on all devices, or creates it. `replaces` starts a new one if it names the current one.",
  method: 'POST',
  path: '/users/me/conversation',
  access: { who: 'user' },
  table: 'writes',
  largeValues: 'writes',
  body: z.object({ replaces: z.optional(z.string()) }),
  output: z.object({ conversation: ConversationView }),
  statuses: [200, 201],

  handle: call => {
    const { webhook, input } = call;
    const replacedId = input.replaces && resolveConversationId(webhook.webhookId, input.replaces);
    if (input.replaces !== undefined && !replacedId)
      throw invalidPayload('Must be the id of a conversation, or omitted', 'replaces');
    return enterCurrentConversation(call, replacedId || undefined);
  },
});
