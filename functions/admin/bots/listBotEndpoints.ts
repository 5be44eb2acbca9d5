import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { clock } from '#shared/core/clock.ts';
import { EndpointView, viewEndpoint } from '#shared/domain/admin/bots/endpointView.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { listEndpointStatuses } from '#shared/events/delivery/endpointStatus.ts';

export const listBotEndpoints = adminOperation({
  name: 'listBotEndpoints',
  summary: 'Lists the endpoints of a bot and of its enabled installations, with their reachability.',
  scope: 'account',
  method: 'GET',
  path: '/admin/bots/{id}/endpoints',
  table: 'reads',
  partitions: { reads: ['endpoints', 'pausedConversations'] },
  output: z.object({ endpoints: z.array(EndpointView) }),
  statuses: [200],

  handle: async ({ workspaceId, input }) => {
    const bot = await requireBot(workspaceId, input.id);
    const endpoints = await listEndpointStatuses(bot, clock.now());
    return ok({ endpoints: endpoints.map(viewEndpoint) });
  },
});
