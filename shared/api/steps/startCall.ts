/** Starts the state of a call, which the steps fill one by one and the operation receives as its `call`. */

import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { callerAddress } from '#shared/api/callerAddress.ts';
import type { Answer, Call, GatewayAnswer } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations.ts';
import type { Rate, RateLimitName } from '#shared/api/rateLimit.ts';
import { clock } from '#shared/core/clock.ts';
import type { Lease } from '#shared/storage/dynamodb/limits/openWork.ts';

/** Each step reads only fields set by the steps before it. */
export interface CallState extends Call<Record<string, unknown>> {
  operation: string;
  requestId: string;
  /** The caller's IP address: see {@link callerAddress}. */
  sourceIp: string;
  /** The bytes of a body that was uploaded beforehand: see `platform/fetchBody.ts`. */
  uploadedBody?: Uint8Array | undefined;
  /** The JSON value of the body; undefined without one. */
  body: unknown;
  /** The owner of the data: stored answers and large values are kept with it. */
  tenant: string;
  /** The caller and where it calls: an `Idempotency-Key` or `nextToken` of one caller means nothing to another. */
  callerScope: readonly unknown[];
  /** Signs the `nextToken`s of this caller. */
  pageKey: string;
  /** A secret only the caller holds, if any: it encrypts stored answers that contain a secret. */
  callerSecret?: string | undefined;
  /** For the log: what kind of caller it is, the id of the token used, and how the call failed. */
  callerKind?: string;
  keyId?: string | undefined;
  failure?: {
    errorId: string;
    type: string;
    reason?: string | undefined;
    retryAfterSeconds?: number | undefined;
  };
  /** Whose calls this one counts among: its user or token, and the bot that it is about. */
  countedFor?: readonly (readonly [RateLimitName, string])[];
  /** The caller's standing with the rate limits. */
  rate?: Rate;
  /** Settles when the call is counted. */
  counting?: Promise<void>[];
  /** The leases of a call that is streamed. */
  leases?: readonly Lease[];
}

export type ParleyEvent<State extends CallState = CallState> = APIGatewayProxyEvent & { call: State };
export type Middleware<State extends CallState = CallState> = MiddlewareObj<
  ParleyEvent<State>,
  GatewayAnswer | Answer,
  Error,
  Context
>;

export const startCall = (operation: Operation): Middleware => ({
  before: ({ event, context }) => {
    const { requestId = context.awsRequestId, identity } = event.requestContext ?? {};
    const nowMs = clock.now();
    const start = {
      operation: operation.name,
      requestId,
      sourceIp: callerAddress(identity?.sourceIp ?? '', header(event, 'x-forwarded-for')),
      nowMs,
      deadlineMs: nowMs + context.getRemainingTimeInMillis(),
      lastEventId: hasEvents(operation) ? header(event, 'last-event-id') : undefined,
    };
    event.call = start satisfies Partial<CallState> as CallState;
  },
});

/** Whether it streams events, which a client may resume; a stream of lines it may not. */
const hasEvents = ({ streams, streamsAs }: Operation) => streams !== undefined && streamsAs === undefined;

/**
 * A header's value. API Gateway passes names on as the client wrote them, so case is ignored.
 * @param name in lower case
 */
export function header(event: Pick<APIGatewayProxyEvent, 'headers'>, name: string): string | undefined {
  const headers = event.headers ?? {};
  if (headers[name] !== undefined) return headers[name];
  for (const key in headers) if (key.toLowerCase() === name) return headers[key];
  return undefined;
}
