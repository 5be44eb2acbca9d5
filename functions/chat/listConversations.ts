import * as z from 'zod/mini';
import { isOfCaller } from '#shared/api/chat/caller.ts';
import { chatOperation } from '#shared/api/chat/operation.ts';
import { ok } from '#shared/api/operation.ts';
import { meta, pageOf } from '#shared/api/views.ts';
import { listQuery, PAGE_SIZE } from '#shared/chat/inputs.ts';
import { ConversationView, viewConversationOf } from '#shared/chat/views.ts';
import { activityPosition, listUserConversations } from '#shared/dynamodb/chat/participants.ts';

export const listConversations = chatOperation({
  name: 'listConversations',
  summary:
    'Lists the conversations that the caller takes part in, newest activity first. A conversation that becomes active moves up between pages.',
  method: 'GET',
  path: '/conversations',
  access: { who: 'user' },
  table: 'reads',
  query: listQuery,
  output: z.object({ conversations: z.array(ConversationView), meta }),
  statuses: [200],

  handle: async ({ webhook, botId, caller, pageStart, nextToken }) => {
    const after = pageStart === undefined ? undefined : JSON.parse(pageStart);
    const { records, last } = pageOf(
      await listUserConversations(botId, caller.userId, { after, limit: PAGE_SIZE + 1 }),
      PAGE_SIZE,
    );
    return ok({
      conversations: records
        .filter(
          ({ webhookId, userGeneration }) => webhookId === webhook.webhookId && isOfCaller(caller, userGeneration),
        )
        .map(viewConversationOf),
      meta: last ? { nextToken: nextToken(JSON.stringify(activityPosition(last))) } : {},
    });
  },
});
