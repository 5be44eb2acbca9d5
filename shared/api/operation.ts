/* biome-ignore-all lint/suspicious/noExplicitAny: generic code cannot name each operation's types */
/**
 * The declaration of an operation, from which Lambdas, IAM access, limits, OpenAPI documents, local routes and
 * authorisation tests derive. An API is a gateway: chat, platform or webhook. A group is a set of its operations.
 */
import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod/mini';
import type { TableAccess } from '#shared/storage/dynamodb/engine/tableAccess.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';

export type ObjectSchema = z.ZodMiniObject;
export type InputOf<S> = S extends z.ZodMiniType ? z.infer<S> : unknown;

export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & PathParameters<Rest>
  : unknown;

export interface Answer<Body = unknown> {
  status: number;
  body: Body;
  headers?: Record<string, string>;
}

/** The response to the gateway. A streaming operation sets `stream` instead of the body. */
export type GatewayResult = APIGatewayProxyResult & { stream?: AsyncIterable<string> };

export const Frames = z.custom<AsyncIterable<string>>();

export interface Call<Input = unknown> {
  input: Input;
  nowMs: number;
  /** Writes atomically with the response that an `Idempotency-Key` repeats. */
  commit: <Body>(answer: Answer<Body>, writes: Write[]) => Promise<Answer<Body>>;
  /** Creates a small JSON value once per `Idempotency-Key`, for side effects outside {@link commit}. */
  keepOnce: <Value>(make: () => Promise<Value>) => Promise<{ value: Value; isRepeated: boolean }>;
  pageStart: string | undefined;
  nextToken: (position: string) => string;
  deadlineMs: number;
  lastEventId: string | undefined;
  /** Of a WebSocket. */
  connectionId: string | undefined;
}

export interface OperationBase<
  Name extends string = string,
  Path extends string = string,
  Query extends ObjectSchema | undefined = any,
  Body extends ObjectSchema | undefined = any,
  Output = any,
> {
  /** Also the name of the file, the export, the Lambda, the OpenAPI `operationId` and the log field `operation`. */
  name: Name;
  summary: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
  path: Path;
  table: 'none' | 'reads' | 'writes';
  partitions?: TableAccess;
  /** Object store access for values that may exceed an item's 400 KB. */
  largeValues?: 'reads' | 'writes';
  query?: Query;
  body?: Body;
  payloadLimitBytes?: number;
  headers?: ObjectSchema;
  output: z.ZodMiniType<Output>;
  streams?: z.ZodMiniType;
  streamsAs?: 'lines';
  /** The stored response is encrypted with the caller's token and `Idempotency-Key`, or with a strong key alone. */
  showsSecret?: boolean;
  statuses: readonly [number, ...number[]];
}

export interface OfGroup<Api extends string, Group extends string> {
  api: Api;
  /** The folder under `functions/` and the prefix of the Lambda's name. */
  group: Group;
  payloadLimitBytes: number;
}

const KILOBYTE = 1024;
export const MEGABYTE = 1024 * KILOBYTE;

export const DEFAULT_PAYLOAD_LIMIT_BYTES = 256 * KILOBYTE;

export const functionNameOf = ({ group, name }: { group: string; name: string }) => `${group}-${name}`;

export const pathVariables = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!);

/** Numbers path variables, because API Gateway permits one name per segment and the contract uses several. */
export const gatewayVariable = (index: number) => `p${index + 1}`;

export const ok = <Body>(body: Body): Answer<Body> => ({ status: 200, body });
export const created = <Body>(body: Body): Answer<Body> => ({ status: 201, body });
/** Returns 201 for a new record, 200 for an existing one (docs/api/botChat.md#get-or-create). */
export const createdOrFound = <Body>(isNew: boolean, body: Body): Answer<Body & { meta: { created: boolean } }> => ({
  status: isNew ? 201 : 200,
  body: { ...body, meta: { created: isNew } },
});
