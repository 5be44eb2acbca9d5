/**
 * The middleware chain of each API, in order.
 *
 * Chat input is parsed before authorisation, because permissions depend on the conversation in the input. Platform
 * callers are authorised by token and headers, before up to 50 MB of body are read.
 */
import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { authenticate } from '#shared/api/chat/authenticate.ts';
import { authoriseAndRead } from '#shared/api/chat/authoriseAndRead.ts';
import type { ChatMiddleware } from '#shared/api/chat/chatState.ts';
import { endRevokedStreams } from '#shared/api/chat/endRevokedStreams.ts';
import { findTenant } from '#shared/api/chat/findTenant.ts';
import { limitStreams } from '#shared/api/chat/limitStreams.ts';
import { parseChatInput } from '#shared/api/chat/parseChatInput.ts';
import { requireOrigin } from '#shared/api/chat/requireOrigin.ts';
import type { GatewayResult } from '#shared/api/operation.ts';
import type { ChatOperation } from '#shared/api/operations/chat.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import type { WebhookOperation } from '#shared/api/operations/webhook.ts';
import { authenticateAndAuthorise } from '#shared/api/platform/authenticateAndAuthorise.ts';
import { conditionOnRights } from '#shared/api/platform/conditionOnRights.ts';
import { fetchBody } from '#shared/api/platform/fetchBody.ts';
import { parsePlatformInput } from '#shared/api/platform/parsePlatformInput.ts';
import type { PlatformMiddleware } from '#shared/api/platform/platformState.ts';
import { readIfMatch } from '#shared/api/platform/readIfMatch.ts';
import { allowOrigin } from '#shared/api/steps/allowOrigin.ts';
import { limitAddress, limitCaller, limitWebhook, showRate } from '#shared/api/steps/limitRate.ts';
import { logCall } from '#shared/api/steps/logCall.ts';
import { makeIdempotent } from '#shared/api/steps/makeIdempotent.ts';
import { mapErrors } from '#shared/api/steps/mapErrors.ts';
import { openPage } from '#shared/api/steps/openPage.ts';
import { readBody } from '#shared/api/steps/readBody.ts';
import { runOperation } from '#shared/api/steps/runOperation.ts';
import { type Middleware, startCall } from '#shared/api/steps/startCall.ts';
import { writeResponse } from '#shared/api/steps/writeResponse.ts';
import { findWebhook } from '#shared/api/webhook/findWebhook.ts';
import { readRequest } from '#shared/api/webhook/readRequest.ts';
import type { WebhookMiddleware } from '#shared/api/webhook/webhookState.ts';
import { ApiError } from '#shared/core/errors.ts';

/** Time left to respond before Lambda ends the function, which clients would see as a 502. */
const RESPOND_BEFORE_TIMEOUT_MS = 1_500;

export const chatSteps = [
  startCall, // the call's state, for the log and later steps
  logCall, //          one log line per call, with its metrics
  allowOrigin, //      CORS headers on every response, including errors
  showRate, //         RateLimit headers on every response
  mapErrors, //        converts failures to the wire format and logs them with their id
  writeResponse, //    zod output: drops undeclared fields
  readBody, //         size limit, gzip, UTF-8, JSON: rejects before any read
  limitAddress, //     calls without a valid key, by address
  findTenant, //       the webhook in the URL → the bot that owns the data
  requireOrigin, //    pages that the installation permits
  authenticate, //     the user key → the caller
  limitCaller, //      callers with a key, and the bot
  parseChatInput, //   zod input: path, query and body as one object
  openPage, //         nextToken → start position of the page
  makeIdempotent, //   repeats the stored response of an Idempotency-Key
  authoriseAndRead, // authorises while the operation's independent reads run
  limitStreams, //     open streams of the user, address, conversation and bot
  endRevokedStreams, // ends open streams whose caller may no longer open one
] satisfies ((operation: ChatOperation) => ChatMiddleware | Middleware)[];

export const platformSteps = [
  startCall,
  logCall,
  allowOrigin,
  showRate,
  mapErrors,
  writeResponse,
  limitAddress,
  authenticateAndAuthorise, // the token and headers → caller, tenant, role and permission: at most one read
  limitCaller,
  fetchBody, //                a body uploaded before the call
  readBody,
  parsePlatformInput,
  readIfMatch, //              the expected version of the record
  openPage,
  makeIdempotent,
  conditionOnRights, //        conditions grants on the caller's current rights
  limitStreams, //             open streams of the bot
] satisfies ((operation: PlatformOperation) => PlatformMiddleware | Middleware)[];

export const webhookSteps = [
  startCall,
  logCall,
  showRate,
  mapErrors,
  findWebhook, //  the webhook in the URL → the installation's bot
  limitWebhook, // calls by installation; for unknown webhooks, by address
  readRequest, //  method, path, query, headers and bytes
] satisfies ((operation: WebhookOperation) => WebhookMiddleware | Middleware)[];

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<GatewayResult>;

// Three functions, so that a bundle contains only the steps of its API: see `infra/bundle/bundle.ts`.
/** @public */
export const chatHandler = (operation: ChatOperation) => handlerWith(operation, chatSteps as never);
/** @public */
export const platformHandler = (operation: PlatformOperation) => handlerWith(operation, platformSteps as never);

/** @public */
export const webhookHandler = (operation: WebhookOperation) => handlerWith(operation, webhookSteps as never);

export function handlerOf(operation: Operation): LambdaHandler {
  switch (operation.api) {
    case 'chat':
      return chatHandler(operation);
    case 'platform':
      return platformHandler(operation);
    case 'webhook':
      return webhookHandler(operation);
  }
}

const handlerWith = <O extends Operation>(operation: O, steps: ((operation: O) => MiddlewareObj)[]): LambdaHandler =>
  middy({
    timeoutEarlyInMillis: RESPOND_BEFORE_TIMEOUT_MS,
    timeoutEarlyResponse: () => {
      throw new ApiError('OperationTimeout', 'The operation timed out. Retry the request.');
    },
  })
    .use(steps.map(step => step(operation)))
    .handler(runOperation(operation) as never) as unknown as LambdaHandler;
