import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { requireChatInstallation } from '#shared/domain/admin/bots/requireInstallation.ts';
import { viewWidget, WidgetView } from '#shared/domain/admin/bots/widgetView.ts';
import { putWidget, WidgetSettings } from '#shared/storage/dynamodb/bots/widgets.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';

export const setBotWidget = adminOperation({
  name: 'setBotWidget',
  summary:
    'Replaces the content of the chat widget of an installation. Pages show it within five minutes. `version` is the one that was read; another one returns 409.',
  method: 'PUT',
  path: '/admin/bots/{id}/widgets/{webhookId}',
  scope: 'account',
  grants: 'nothing',
  table: 'writes',
  partitions: { appends: ['widgets'] },
  body: z.object({ settings: WidgetSettings, version: z.int().check(z.minimum(0)) }),
  output: z.object({ widget: WidgetView }),
  statuses: [200],

  handle: async ({ input: { id, webhookId, settings, version }, account, workspaceId, nowMs, commit }) => {
    const { bot, installation } = await requireChatInstallation(workspaceId, id, webhookId);
    const widget = { webhookId, settings, version: version + 1, updatedAtMs: nowMs };
    return commit(ok({ widget: viewWidget(widget) }), [
      putWidget(id, widget),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'UPDATE_BOT', resourceId: bot.id, resourceName: bot.name, value: `widget: ${installation.alias}` },
        nowMs,
      ),
    ]);
  },
});
