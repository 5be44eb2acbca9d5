/* biome-ignore-all lint/suspicious/noExplicitAny: what handles every operation cannot name each one's types */
/**
 * The declaration of an operation, as far as the APIs share it. Each operation is declared once, beside its handler;
 * its Lambda, IAM access, payload limit, both OpenAPI documents, local route and authorisation tests derive from that.
 *
 * An API is one of the three gateways: chat (called by end users, `chat/operation.ts`), platform (called by accounts,
 * bots and integrations, `platform/operation.ts`) and webhook (called by the services that integrations connect,
 * `webhook/operation.ts`). A group is one of the seven sets of operations: chat, botChat, admin, files, tables,
 * cognitive and webhook.
 */
import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod/mini';
import type { TableAccess } from '#shared/storage/dynamodb/tableAccess.ts';
import type { Write } from '#shared/storage/dynamodb/transaction.ts';

export type ObjectSchema = z.ZodMiniObject;
export type InputOf<S> = S extends z.ZodMiniType ? z.infer<S> : unknown;

/** `'/messages/{id}'` → `{ id: string }` */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & PathParameters<Rest>
  : unknown;

export interface Answer<Body = unknown> {
  status: number;
  body: Body;
  headers?: Record<string, string>;
}

/** A function's answer to the gateway; a streaming operation sets `stream` instead of the body. */
export type GatewayAnswer = APIGatewayProxyResult & { stream?: AsyncIterable<string> };

/** The body of a streaming operation's answer: server-sent events or lines of JSON as text, as they happen. */
export const Frames = z.custom<AsyncIterable<string>>();

/** A call as its operation sees it, whoever the caller is. */
export interface Call<Input = unknown> {
  input: Input;
  nowMs: number;
  /**
   * Writes all parts or none. With an `Idempotency-Key` the same transaction stores the answer, so a create that is
   * retried or crashes half-way happens once and is always answered alike.
   */
  commit: <Body>(answer: Answer<Body>, writes: Write[]) => Promise<Answer<Body>>;
  /**
   * Creates a value once per `Idempotency-Key`: a retry gets the same value even if the first call ended before its
   * answer was stored. For writes outside {@link commit}. Without a key every call creates a new value.
   * @param make returns a small JSON value
   */
  keepOnce: <Value>(make: () => Promise<Value>) => Promise<{ value: Value; isRepeated: boolean }>;
  /** The position at which the previous page ended, from the request's `nextToken`. */
  pageStart: string | undefined;
  /** The `nextToken` for the page that follows `position` in this list. */
  nextToken: (position: string) => string;
  /** The time at which Lambda ends the function. */
  deadlineMs: number;
  /** The last stream event the caller received, when it resumes an interrupted stream. */
  lastEventId: string | undefined;
}

/** The part of a declaration that the APIs share. */
export interface OperationBase<
  Name extends string = string,
  Path extends string = string,
  Query extends ObjectSchema | undefined = any,
  Body extends ObjectSchema | undefined = any,
  Output = any,
> {
  /** The name of the file, the export, the Lambda, the OpenAPI `operationId` and the log field `operation`. */
  name: Name;
  /** The sentence in the OpenAPI reference. */
  summary: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
  /** Relative to the API's base URL. */
  path: Path;
  /** The function's IAM access to the DynamoDB table: an operation that reads cannot write. */
  table: 'none' | 'reads' | 'writes';
  /** Table access in addition to the group's. */
  partitions?: TableAccess;
  /** Access to the object store, for values that may exceed an item's 400 KB. */
  largeValues?: 'reads' | 'writes';
  query?: Query;
  body?: Body;
  /**
   * The limit on the decompressed body, where {@link DEFAULT_PAYLOAD_LIMIT_BYTES} is too small for what it may contain.
   */
  payloadLimitBytes?: number;
  /** Headers that are part of the input, in lower case. */
  headers?: ObjectSchema;
  /** The shape of the answer; undeclared fields are dropped. */
  output: z.ZodMiniType<Output>;
  /** The data of each server-sent event, or of each line, where the operation answers with {@link Frames}. */
  streams?: z.ZodMiniType;
  /** Server-sent events unless set; `lines` are JSON. */
  streamsAs?: 'lines';
  /**
   * Whether the answer contains a secret: the answer stored for retries is then encrypted with the caller's token and
   * `Idempotency-Key`, or with a strong `Idempotency-Key` alone where callers have no token.
   */
  showsSecret?: boolean;
  /** The statuses of a success, the usual one first. */
  statuses: readonly [number, ...number[]];
}

/** Added to every operation of a group. */
export interface OfGroup<Api extends string, Group extends string> {
  api: Api;
  /** The folder under `functions/`, and the first half of the Lambda's name. */
  group: Group;
  /** The limit on the decompressed body. */
  payloadLimitBytes: number;
}

const KILOBYTE = 1024;
export const MEGABYTE = 1024 * KILOBYTE;

/** The limit on a body unless its operation declares another: docs/api/conventions.md#body-limits. */
export const DEFAULT_PAYLOAD_LIMIT_BYTES = 256 * KILOBYTE;

/** The Lambda of an operation: two groups may have operations of the same name. */
export const functionNameOf = ({ group, name }: { group: string; name: string }) => `${group}-${name}`;

/** The names of the variables in a path, in order. */
export const pathVariables = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!);

/**
 * API Gateway's name of the n-th variable of a path. It allows one name per segment, while the contract uses several
 * (`/conversations/{id}`, `/conversations/{conversationId}/messages`), so variables are numbered. Their values arrive
 * decoded once.
 */
export const gatewayVariable = (index: number) => `p${index + 1}`;

export const ok = <Body>(body: Body): Answer<Body> => ({ status: 200, body });
export const created = <Body>(body: Body): Answer<Body> => ({ status: 201, body });
/**
 * The answer of a get-or-create: 201 when the record is new, 200 when it existed (docs/api/botChat.md#get-or-create).
 */
export const createdOrFound = <Body>(isNew: boolean, body: Body): Answer<Body & { meta: { created: boolean } }> => ({
  status: isNew ? 201 : 200,
  body: { ...body, meta: { created: isNew } },
});
