/**
 * The journey of a request, in order: one chain for each API. A test pins them.
 *
 * Those of chat and platform differ in the middle. An end user's permission depends on the conversation that the input
 * names, so chat input is parsed before it is authorised. A platform caller is authorised from the token and headers
 * alone, before up to 50 MB of body are read.
 */
import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { ApiError } from '#shared/core/errors.ts';
import { authenticate } from './chat/authenticate.ts';
import { authoriseAndRead } from './chat/authoriseAndRead.ts';
import { findTenant } from './chat/findTenant.ts';
import { parseChatInput } from './chat/parseChatInput.ts';
import type { ChatMiddleware } from './chat/state.ts';
import { limitStreams } from './limitStreams.ts';
import type { GatewayAnswer } from './operation.ts';
import type { ChatOperation } from './operations/chat.ts';
import type { PlatformOperation } from './operations/platform.ts';
import type { WebhookOperation } from './operations/webhook.ts';
import type { Operation } from './operations.ts';
import { authenticateAndAuthorise } from './platform/authenticateAndAuthorise.ts';
import { fetchBody } from './platform/fetchBody.ts';
import { holdToRights } from './platform/holdToRights.ts';
import { parsePlatformInput } from './platform/parsePlatformInput.ts';
import { readIfMatch } from './platform/readIfMatch.ts';
import type { PlatformMiddleware } from './platform/state.ts';
import { allowOrigin } from './steps/allowOrigin.ts';
import { answerErrors } from './steps/answerErrors.ts';
import { limitAddress, limitCaller, limitWebhook, showRate } from './steps/limitRate.ts';
import { logCall } from './steps/logCall.ts';
import { openPage } from './steps/openPage.ts';
import { readBody } from './steps/readBody.ts';
import { replayAnswer } from './steps/replayAnswer.ts';
import { runOperation } from './steps/runOperation.ts';
import { type Middleware, startCall } from './steps/startCall.ts';
import { writeAnswer } from './steps/writeAnswer.ts';
import { findWebhook } from './webhook/findWebhook.ts';
import { readRequest } from './webhook/readRequest.ts';
import type { WebhookMiddleware } from './webhook/state.ts';

/** Time left to answer before Lambda kills the function, which clients would see as a 502 and retry. */
const ANSWER_BEFORE_TIMEOUT_MS = 1_500;

/** The steps around a chat operation: `before` runs top to bottom, `after` bottom to top. */
export const chatSteps = [
  startCall, //        the call's state, for the log and the later steps
  logCall, //          one line for each call, with its metrics
  allowOrigin, //      CORS headers on every answer, errors included
  showRate, //         RateLimit headers, likewise
  answerErrors, //     every failure below leaves in the wire shape and is logged under its id
  writeAnswer, //      zod output: undeclared fields never leave
  readBody, //         size limit, gzip, UTF-8, JSON: cheap rejections before any read
  limitAddress, //     callers without a key, or with a wrong one, by their address
  findTenant, //       the webhook in the URL → the bot that owns the data
  authenticate, //     the user key → the caller
  limitCaller, //      callers with a key, and the bot
  parseChatInput, //   zod input: path, query and body as one object
  openPage, //         nextToken → the position where the list continues
  replayAnswer, //     a repeated Idempotency-Key is answered here
  authoriseAndRead, // authorises the caller while the operation's independent reads run
  limitStreams, //     open streams of the user, address, conversation and bot
] satisfies ((operation: ChatOperation) => ChatMiddleware | Middleware)[];

/** The steps around a platform operation. */
export const platformSteps = [
  startCall,
  logCall,
  allowOrigin,
  showRate,
  answerErrors,
  writeAnswer,
  limitAddress,
  authenticateAndAuthorise, // the token and headers → caller, tenant, role and permission: one read when cold
  limitCaller,
  fetchBody, //                a body uploaded beforehand because it exceeds a request
  readBody,
  parsePlatformInput,
  readIfMatch, //              the version that the change is conditional on
  openPage,
  replayAnswer,
  holdToRights, //             what grants rights is written only while the caller still has its own
  limitStreams, //             open streams of the bot
] satisfies ((operation: PlatformOperation) => PlatformMiddleware | Middleware)[];

/** The steps around an operation of webhooks. Whatever the integration answers leaves as it is. */
export const webhookSteps = [
  startCall,
  logCall,
  showRate,
  answerErrors,
  findWebhook, //  the webhook in the URL → the installation's bot
  limitWebhook, // calls of the installation; of an unknown webhook, those of the caller's address
  readRequest, //  method, path, query, headers and bytes
] satisfies ((operation: WebhookOperation) => WebhookMiddleware | Middleware)[];

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<GatewayAnswer>;

// Three functions, so that a bundle carries only the steps of its own API: see `infra/bundle/bundle.ts`.
/** @public */
export const chatHandler = (operation: ChatOperation) => handlerWith(operation, chatSteps as never);
/** @public */
export const platformHandler = (operation: PlatformOperation) => handlerWith(operation, platformSteps as never);

/** @public */
export const webhookHandler = (operation: WebhookOperation) => handlerWith(operation, webhookSteps as never);

/** The Lambda handler of an operation of any API. */
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
    timeoutEarlyInMillis: ANSWER_BEFORE_TIMEOUT_MS,
    timeoutEarlyResponse: () => {
      throw new ApiError('OperationTimeout', 'The operation took too long.');
    },
  })
    .use(steps.map(step => step(operation)))
    .handler(runOperation(operation) as never) as unknown as LambdaHandler;
