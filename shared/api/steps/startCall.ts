import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { callerAddress, EDGE_HEADER } from '#shared/api/callerAddress.ts';
import type { Answer, Call, GatewayResult } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import type { Rate, RateLimitName } from '#shared/api/rateLimit.ts';
import { clock } from '#shared/core/clock.ts';
import type { Lease } from '#shared/storage/dynamodb/limits/openWork.ts';

export interface CallState extends Call<Record<string, unknown>> {
  operation: string;
  requestId: string;
  sourceIp: string;
  uploadedBody?: Uint8Array | undefined;
  body: unknown;
  tenant: string;
  /** The caller and its scope, to which an `Idempotency-Key` or `nextToken` is bound. */
  callerScope: readonly unknown[];
  pageKey: string;
  callerSecret?: string | undefined;
  callerKind?: string;
  keyId?: string | undefined;
  failure?: {
    errorId: string;
    type: string;
    reason?: string | undefined;
    retryAfterSeconds?: number | undefined;
  };
  countedFor?: readonly (readonly [RateLimitName, string])[];
  rate?: Rate;
  counting?: Promise<void>[];
  leases?: readonly Lease[];
}

export type ParleyEvent<State extends CallState = CallState> = APIGatewayProxyEvent & { call: State };
export type Middleware<State extends CallState = CallState> = MiddlewareObj<
  ParleyEvent<State>,
  GatewayResult | Answer,
  Error,
  Context
>;

export const startCall = (operation: Operation): Middleware => ({
  before: ({ event, context }) => {
    const { requestId = context.awsRequestId, identity, connectionId } = event.requestContext ?? {};
    const nowMs = clock.now();
    const start = {
      operation: operation.name,
      requestId,
      sourceIp: callerAddress(identity?.sourceIp ?? '', header(event, 'x-forwarded-for'), header(event, EDGE_HEADER)),
      nowMs,
      deadlineMs: nowMs + context.getRemainingTimeInMillis(),
      lastEventId: hasEvents(operation) ? header(event, 'last-event-id') : undefined,
      connectionId,
    };
    event.call = start satisfies Partial<CallState> as CallState;
  },
});

/** Only event streams can be resumed. */
const hasEvents = ({ streams, streamsAs }: Operation) => streams !== undefined && streamsAs === undefined;

/** Returns a header by its lower-case name. API Gateway keeps the client's case of names. */
export function header(event: Pick<APIGatewayProxyEvent, 'headers'>, name: string): string | undefined {
  const headers = event.headers ?? {};
  if (headers[name] !== undefined) return headers[name];
  for (const key in headers) if (key.toLowerCase() === name) return headers[key];
  return undefined;
}
