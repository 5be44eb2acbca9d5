/** Finds the installation whose webhook the URL names. */
import { pathParametersOf } from '#shared/api/pathParameters.ts';
import { callsAbout } from '#shared/api/rateLimit.ts';
import { cached } from '#shared/cache.ts';
import { findPublicWebhook } from '#shared/dynamodb/chat/webhooks.ts';
import { notFound } from '#shared/errors.ts';
import { isUuid } from '#shared/ids.ts';
import type { WebhookMiddleware } from './state.ts';

/** The bot's record is read with every call and says if the installation is still there. */
const CACHE_MS = 30_000;
const findCached = cached(findPublicWebhook, { forMs: CACHE_MS, keepsAbsence: false });

/**
 * The path to which providers send users back after OAuth, one for all installations: a provider knows its application's
 * address, and hands on the `state` that the installation had asked it with.
 */
export const OAUTH = 'oauth';

export const findWebhook = (): WebhookMiddleware => ({
  before: async ({ event }) => {
    const named = pathParametersOf(event).webhookId ?? '';
    const webhookId = named === OAUTH ? (event.multiValueQueryStringParameters?.state?.[0] ?? '') : named;
    const webhook = isUuid(webhookId) ? await findCached(webhookId) : undefined;
    // Not the id: it may be a mistyped secret.
    if (!webhook) throw notFound(named === OAUTH ? 'The webhook whose id the parameter state must be' : 'The webhook');
    const { botId } = webhook;
    Object.assign(event.call, {
      webhook,
      tenant: botId,
      botId,
      callerKind: 'anyone',
      countedFor: [['webhook', webhookId], callsAbout(botId, 'webhooks')],
    });
  },
});
