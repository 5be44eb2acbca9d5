/** Counts calls once their caller is known (docs/api/conventions.md#rate-limits). */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Operation } from '#shared/api/operations/operations.ts';
import { countCall, networkOf, type Rate, type RateLimitName } from '#shared/api/rateLimit.ts';
import { ApiError } from '#shared/core/errors.ts';
import { type CallState, header, type Middleware } from './startCall.ts';

/** Adds `RateLimit-*` to every response, and `Retry-After` to every 429 and other errors that set it. */
export const showRate = (): Middleware => {
  const add: Middleware['after'] = async ({ event: { call }, response }) => {
    await Promise.all(call?.counting ?? []);
    if (!response || !('statusCode' in response)) return;
    const { rate, failure } = call ?? {};
    const retryAfterSeconds = failure?.retryAfterSeconds ?? (response.statusCode === 429 ? 1 : undefined);
    response.headers = {
      ...response.headers,
      ...(rate
        ? {
            'ratelimit-limit': String(rate.limit),
            'ratelimit-remaining': String(rate.remaining),
            'ratelimit-reset': String(rate.resetSeconds),
          }
        : {}),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    };
  };
  return { after: add, onError: add };
};

export const limitAddress = (operation: Operation): Middleware => ({
  before: ({ event }) => {
    const { call } = event;
    if (!isAnonymous(operation, event) || operation.table === 'none') return;
    countOrReject(call, operation.table === 'writes' ? 'anonymousWrites' : 'anonymousReads', networkOf(call.sourceIp));
  },
  onError: request => {
    const { error, event } = request;
    // Limits only failing calls, so that other callers at the address continue.
    if (!(error instanceof ApiError && error.type === 'Unauthorized') || operation.table === 'none') return;
    try {
      countOrReject(event.call, 'failures', networkOf(event.call.sourceIp));
    } catch (limited) {
      request.error = limited as Error;
    }
  },
});

export const limitCaller = (operation: Operation): Middleware => ({
  before: ({ event: { call } }) => {
    if (operation.table === 'none') return;
    countCalls(call, call.countedFor ?? []);
  },
});

/** Limits calls by installation and bot, and calls of unknown webhooks and round trips by address. */
export const limitWebhook = (): Middleware => ({
  before: ({ event: { call } }) => {
    countCalls(call, call.countedFor ?? []);
  },
  onError: request => {
    const { error, event } = request;
    if (!(error instanceof ApiError && (error.type === 'ResourceNotFound' || error.type === 'Forbidden'))) return;
    try {
      countOrReject(event.call, 'failures', networkOf(event.call.sourceIp));
    } catch (limited) {
      request.error = limited as Error;
    }
  },
});

function isAnonymous(operation: Operation, event: Pick<APIGatewayProxyEvent, 'headers'>): boolean {
  if (operation.api === 'platform') return operation.scope === 'public';
  const { who } = operation.access;
  return who === 'anyone' || (who === 'guest' && header(event, 'x-user-key') === undefined);
}

/** @throws ApiError RateLimited */
export function countCalls(call: CallState, counted: NonNullable<CallState['countedFor']>): void {
  for (const [name, caller] of counted) countOrReject(call, name, caller);
}

function countOrReject(call: CallState, name: RateLimitName, caller: string): void {
  const { rate, adding } = countCall(name, caller, call.nowMs);
  if (adding) call.counting = [...(call.counting ?? []), adding];
  if (!rate) return;
  // Headers show the limit with the smallest remaining share.
  if (!call.rate || shareLeft(rate) < shareLeft(call.rate)) call.rate = rate;
  if (rate.isExceeded)
    throw new ApiError('RateLimited', MESSAGES[name](rate), {
      metadata: { limit: name, ...figures(rate) },
      retryAfterSeconds: rate.resetSeconds,
    });
}

const shareLeft = ({ remaining, limit }: Rate) => remaining / limit;
const figures = ({ limit, resetSeconds }: Rate) => ({ calls: limit, resetSeconds });

const retry = ({ resetSeconds }: Rate) => `Retry after ${resetSeconds} s.`;
const MESSAGES: Record<RateLimitName, (rate: Rate) => string> = {
  anonymousWrites: rate => `Too many calls without a token or key from this address. ${retry(rate)}`,
  anonymousReads: rate => `Too many calls without a token or key from this address. ${retry(rate)}`,
  failures: rate => `Too many calls with a wrong token or key from this address. ${retry(rate)}`,
  user: rate => `Too many calls of this user. ${retry(rate)}`,
  token: rate => `Too many calls with this token. ${retry(rate)}`,
  webhook: rate => `Too many calls of this webhook. ${retry(rate)}`,
  adminSecret: rate => `Too many calls with the admin secret of this installation. ${retry(rate)}`,
  bot: rate => `Too many calls about this bot. ${retry(rate)}`,
};
