import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { findWidget, WidgetSettings } from '#shared/storage/dynamodb/bots/widgets.ts';

/** Of browsers and proxies. Pages show a change after this time. */
const CACHE_SECONDS = 300;

export const getWidget = chatOperation({
  name: 'getWidget',
  summary: 'Gets the content of the chat widget that the console configures. Browsers cache it for five minutes.',
  method: 'GET',
  path: '/widget',
  access: { who: 'anyone' },
  table: 'reads',
  partitions: { reads: ['widgets'] },
  output: z.object({ settings: WidgetSettings }),
  statuses: [200],

  handle: async ({ botId, webhook }) => {
    const widget = await findWidget(botId, webhook.webhookId);
    return {
      ...ok({ settings: widget?.settings ?? {} }),
      headers: { 'cache-control': `public, max-age=${CACHE_SECONDS}` },
    };
  },
});
