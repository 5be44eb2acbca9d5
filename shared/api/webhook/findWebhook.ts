import type { GatewayResult } from '#shared/api/operation.ts';
import { pathAfterRoute, pathParametersOf } from '#shared/api/pathParameters.ts';
import { callsAbout } from '#shared/api/rateLimit.ts';
import { header, type ParleyEvent } from '#shared/api/steps/startCall.ts';
import { cached } from '#shared/core/cache.ts';
import { notFound } from '#shared/core/errors.ts';
import { isUuid } from '#shared/core/ids.ts';
import { findPublicWebhook, type PublicWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { findShared, INTEGRATION } from './findShared.ts';
import { admitRoundTrip, isOAuthPath } from './oauthRoundTrips.ts';
import type { WebhookMiddleware } from './webhookState.ts';

/** Cached, because every call reads the bot's record to check the installation. */
const CACHE_MS = 30_000;
const findCached = cached(findPublicWebhook, { forMs: CACHE_MS, keepsAbsence: false });

/** Limits of calls by installation and bot. */
export const callsTo = ({ webhookId, botId }: Pick<PublicWebhook, 'webhookId' | 'botId'>) =>
  [['webhook', webhookId], callsAbout(botId, 'webhooks')] as const;

/** The OAuth redirect path, shared by all installations, because providers register one address per application. */
export const OAUTH = 'oauth';

export const findWebhook = (): WebhookMiddleware => ({
  before: async ({ event }) => {
    const { call } = event;
    const named = pathParametersOf(event).webhookId ?? '';
    if (named === INTEGRATION) {
      const shared = await findShared(pathAfterRoute(event));
      Object.assign(call, {
        shared,
        callerKind: 'anyone',
        countedFor: [callsAbout(shared.integration.id, 'webhooks')],
      });
      return;
    }
    const roundTrip = named === OAUTH || isOAuthPath(pathAfterRoute(event)) ? await admit(event, named) : undefined;
    const webhookId = roundTrip?.webhookId ?? named;
    const webhook = isUuid(webhookId) ? await findCached(webhookId) : undefined;
    // Omits the id, which may be a mistyped secret.
    if (!webhook) throw notFound('The webhook');
    const { botId } = webhook;
    Object.assign(call, {
      webhook,
      tenant: botId,
      botId,
      callerKind: 'anyone',
      countedFor: callsTo(webhook),
      setCookie: roundTrip?.setCookie,
    });
  },
  after: ({ event: { call }, response }) => {
    if (call.setCookie !== undefined) (response as GatewayResult).headers!['set-cookie'] = call.setCookie;
  },
});

const admit = (event: ParleyEvent, named: string) =>
  admitRoundTrip({
    state: event.multiValueQueryStringParameters?.state?.[0],
    webhookId: named === OAUTH ? undefined : named,
    cookie: header(event, 'cookie'),
    nowMs: event.call.nowMs,
  });
