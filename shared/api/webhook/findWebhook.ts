/** Finds the installation whose webhook the URL names. */
import type { GatewayAnswer } from '#shared/api/operation.ts';
import { pathAfterRoute, pathParametersOf } from '#shared/api/pathParameters.ts';
import { callsAbout } from '#shared/api/rateLimit.ts';
import { header, type ParleyEvent } from '#shared/api/steps/startCall.ts';
import { cached } from '#shared/core/cache.ts';
import { notFound } from '#shared/core/errors.ts';
import { isUuid } from '#shared/core/ids.ts';
import { findPublicWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { admitRoundTrip, isOAuthPath } from './oauth.ts';
import type { WebhookMiddleware } from './state.ts';

/** The bot's record is read with every call and says if the installation is still there. */
const CACHE_MS = 30_000;
const findCached = cached(findPublicWebhook, { forMs: CACHE_MS, keepsAbsence: false });

/**
 * The path to which providers send users back after OAuth, one for all installations: a provider knows the address of
 * its application.
 */
export const OAUTH = 'oauth';

export const findWebhook = (): WebhookMiddleware => ({
  before: async ({ event }) => {
    const { call } = event;
    const named = pathParametersOf(event).webhookId ?? '';
    const roundTrip = named === OAUTH || isOAuthPath(pathAfterRoute(event)) ? await admit(event, named) : undefined;
    const webhookId = roundTrip?.webhookId ?? named;
    const webhook = isUuid(webhookId) ? await findCached(webhookId) : undefined;
    // Not the id: it may be a mistyped secret.
    if (!webhook) throw notFound('The webhook');
    const { botId } = webhook;
    Object.assign(call, {
      webhook,
      tenant: botId,
      botId,
      callerKind: 'anyone',
      countedFor: [['webhook', webhookId], callsAbout(botId, 'webhooks')],
      setCookie: roundTrip?.setCookie,
    });
  },
  after: ({ event: { call }, response }) => {
    if (call.setCookie !== undefined) (response as GatewayAnswer).headers!['set-cookie'] = call.setCookie;
  },
});

const admit = (event: ParleyEvent, named: string) =>
  admitRoundTrip({
    state: event.multiValueQueryStringParameters?.state?.[0],
    webhookId: named === OAUTH ? undefined : named,
    cookie: header(event, 'cookie'),
    nowMs: event.call.nowMs,
  });
