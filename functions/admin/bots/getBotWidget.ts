import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireChatInstallation } from '#shared/domain/admin/bots/requireInstallation.ts';
import { viewWidget, WidgetView } from '#shared/domain/admin/bots/widgetView.ts';
import { findWidget } from '#shared/storage/dynamodb/bots/widgets.ts';

export const getBotWidget = adminOperation({
  name: 'getBotWidget',
  summary: 'Gets the content of the chat widget of an installation. Without stored settings, the version is 0.',
  method: 'GET',
  path: '/admin/bots/{id}/widgets/{webhookId}',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['widgets'] },
  output: z.object({ widget: WidgetView }),
  statuses: [200],

  handle: async ({ input: { id, webhookId }, workspaceId }) => {
    await requireChatInstallation(workspaceId, id, webhookId);
    return ok({ widget: viewWidget(await findWidget(id, webhookId)) });
  },
});
