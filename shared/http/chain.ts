/**
 * The journey of a request, in order. Every operation has just this chain; a test pins it.
 *
 * It differs from the order in DESIGN in one place: the input is parsed before the caller is authorised, because whom to
 * let in depends on the conversation that the input names.
 */
import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Operation } from '../operation.ts';
import { answerErrors } from './answerErrors.ts';
import { authenticate } from './authenticate.ts';
import { authoriseAndRead } from './authoriseAndRead.ts';
import { allowOrigin } from './cors.ts';
import { ApiError } from './errors.ts';
import { findTenant } from './findTenant.ts';
import { replayAnswer } from './idempotency.ts';
import { openPage } from './page.ts';
import { parseInput } from './parseInput.ts';
import { readBody } from './readBody.ts';
import { runOperation } from './runOperation.ts';
import { type Middleware, startCall } from './startCall.ts';
import { writeAnswer } from './writeAnswer.ts';

/** Leaves time to answer before Lambda kills the function, which the clients would see as a 502 and repeat. */
const ANSWER_BEFORE_TIMEOUT_MS = 1_500;

/** What runs before (top to bottom) and after (bottom to top) the operation itself. */
export const steps = [
  startCall, //        what the log and the later steps need to know
  allowOrigin, //      CORS headers on every answer, errors included
  answerErrors, //     any failure from here on leaves in the wire shape, and is in the log under its id
  writeAnswer, //      zod output: nothing undeclared leaves
  readBody, //         size limit, gzip, UTF-8, JSON: cheap refusals before any read
  findTenant, //       the webhook in the URL → the bot whose data this is
  authenticate, //     who calls
  parseInput, //       zod input: path, query and body as one
  openPage, //         where a list goes on, from its nextToken
  replayAnswer, //     a repeated Idempotency-Key is answered here
  authoriseAndRead, // may he; reads that don't depend on it run meanwhile
] satisfies ((operation: Operation) => Middleware)[];

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The Lambda handler of an operation. */
export const handlerOf = (operation: Operation): LambdaHandler =>
  middy({
    timeoutEarlyInMillis: ANSWER_BEFORE_TIMEOUT_MS,
    timeoutEarlyResponse: () => {
      throw new ApiError('OperationTimeout', 'The operation took too long.');
    },
  })
    .use(steps.map(step => step(operation)) as MiddlewareObj[])
    .handler(runOperation(operation) as never) as unknown as LambdaHandler;
