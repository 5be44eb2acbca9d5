import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { clock } from '#shared/core/clock.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { EndpointView, viewEndpoint } from '#shared/domain/admin/bots/endpointView.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { destinationAt, listEndpointStatuses } from '#shared/events/delivery/endpointStatus.ts';
import { RETRY_INTERVAL_MS, retryEndpoint } from '#shared/events/delivery/retryEndpoint.ts';

export const retryBotEndpoint = adminOperation({
  name: 'retryBotEndpoint',
  summary: 'Makes the next attempt at an endpoint now. After a success, its pending deliveries follow.',
  scope: 'account',
  grants: 'nothing',
  method: 'POST',
  path: '/admin/bots/{id}/endpoints/retry',
  table: 'writes',
  partitions: { writes: ['endpoints', 'pausedConversations'] },
  body: z.object({ integrationAlias: z.optional(z.string().check(z.minLength(1), z.maxLength(200))) }),
  output: z.object({ endpoint: EndpointView }),
  statuses: [200],

  handle: async ({ workspaceId, input, commit }) => {
    const bot = await requireBot(workspaceId, input.id);
    const alias = input.integrationAlias;
    const destination = destinationAt(bot, alias);
    if (destination === undefined) throw notFound(`An enabled installation ${alias} with an endpoint`);
    if (!(await retryEndpoint(destination))) {
      const seconds = RETRY_INTERVAL_MS / 1000;
      throw new ApiError('RateLimited', `The endpoint was retried less than ${seconds} seconds ago. Retry later.`, {
        retryAfterSeconds: seconds,
      });
    }
    const endpoints = await listEndpointStatuses(bot, clock.now(), [alias]);
    return commit(ok({ endpoint: viewEndpoint(endpoints[0]!) }), []);
  },
});
