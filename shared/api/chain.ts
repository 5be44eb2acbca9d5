/**
 * The journey of a request, in order. Every operation of a family has just its chain; a test pins both.
 *
 * They differ in the middle. An end user may depending on the conversation that the input names, so his input is parsed
 * before he is authorised (other than in DESIGN). A token says by itself who calls, and his role what he may: that is
 * settled before 50 MB of body are looked at.
 */
import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { ApiError } from '#shared/errors.ts';
import { authenticate } from './chat/authenticate.ts';
import { authoriseAndRead } from './chat/authoriseAndRead.ts';
import { findTenant } from './chat/findTenant.ts';
import type { ChatOperation } from './chat/operation.ts';
import { parseChatInput } from './chat/parseChatInput.ts';
import type { ChatMiddleware } from './chat/state.ts';
import type { Operation } from './operation.ts';
import { authenticateAndAuthorise } from './platform/authenticateAndAuthorise.ts';
import { fetchBody } from './platform/fetchBody.ts';
import type { PlatformOperation } from './platform/operation.ts';
import { parsePlatformInput } from './platform/parsePlatformInput.ts';
import { readIfMatch } from './platform/readIfMatch.ts';
import type { PlatformMiddleware } from './platform/state.ts';
import { allowOrigin } from './steps/allowOrigin.ts';
import { answerErrors } from './steps/answerErrors.ts';
import { openPage } from './steps/openPage.ts';
import { readBody } from './steps/readBody.ts';
import { replayAnswer } from './steps/replayAnswer.ts';
import { runOperation } from './steps/runOperation.ts';
import { type GatewayAnswer, type Middleware, startCall } from './steps/startCall.ts';
import { writeAnswer } from './steps/writeAnswer.ts';

/** Leaves time to answer before Lambda kills the function, which the clients would see as a 502 and repeat. */
const ANSWER_BEFORE_TIMEOUT_MS = 1_500;

/** What runs before (top to bottom) and after (bottom to top) an operation of the chat interface. */
export const chatSteps = [
  startCall, //        what the log and the later steps need to know
  allowOrigin, //      CORS headers on every answer, errors included
  answerErrors, //     any failure from here on leaves in the wire shape, and is in the log under its id
  writeAnswer, //      zod output: nothing undeclared leaves
  readBody, //         size limit, gzip, UTF-8, JSON: cheap refusals before any read
  findTenant, //       the webhook in the URL → the bot whose data this is
  authenticate, //     who calls
  parseChatInput, //   zod input: path, query and body as one
  openPage, //         where a list goes on, from its nextToken
  replayAnswer, //     a repeated Idempotency-Key is answered here
  authoriseAndRead, // may he; reads that don't depend on it run meanwhile
] satisfies ((operation: ChatOperation) => ChatMiddleware | Middleware)[];

/** The same for an operation of the platform's interfaces. */
export const platformSteps = [
  startCall,
  allowOrigin,
  answerErrors,
  writeAnswer,
  authenticateAndAuthorise, // who calls, where, in which role, and may that role: one read when cold
  fetchBody, //                a body that was uploaded before, because no request can carry it
  readBody,
  parsePlatformInput,
  readIfMatch, //              the version that a change is for
  openPage,
  replayAnswer,
] satisfies ((operation: PlatformOperation) => PlatformMiddleware | Middleware)[];

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<GatewayAnswer>;

// Two functions, so that a bundle carries only the steps of its own family: see `infra/bundle.ts`.
/** @public */
export const chatHandler = (operation: ChatOperation) => handlerWith(operation, chatSteps as never);
/** @public */
export const platformHandler = (operation: PlatformOperation) => handlerWith(operation, platformSteps as never);

/** The Lambda handler of an operation of either family. */
export const handlerOf = (operation: Operation): LambdaHandler =>
  operation.api === 'chat' ? chatHandler(operation) : platformHandler(operation);

const handlerWith = <O extends Operation>(operation: O, steps: ((operation: O) => MiddlewareObj)[]): LambdaHandler =>
  middy({
    timeoutEarlyInMillis: ANSWER_BEFORE_TIMEOUT_MS,
    timeoutEarlyResponse: () => {
      throw new ApiError('OperationTimeout', 'The operation took too long.');
    },
  })
    .use(steps.map(step => step(operation)))
    .handler(runOperation(operation) as never) as unknown as LambdaHandler;
