/* biome-ignore-all lint/suspicious/noExplicitAny: what handles every operation cannot name each one's types */
/**
 * What an operation is. Each is declared once, beside its handler; its Lambda, its IAM access, its payload limit, both
 * OpenAPI documents, the local routes and the authorisation matrix are derived from the declaration.
 *
 * There are two families, which differ in who calls: end users (`chat/operation.ts`) and accounts, bots and integrations
 * (`platform/operation.ts`).
 */
import * as z from 'zod/mini';
import type { Write } from '#shared/dynamodb/transaction.ts';
import type { ChatOperation } from './chat/operation.ts';
import type { PlatformOperation } from './platform/operation.ts';

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

/** The answer of an operation that streams: the text of its events, as they happen. */
export const Frames = z.custom<AsyncIterable<string>>();

/** What an operation knows of the call, whoever called. */
export interface Call<Input = unknown> {
  input: Input;
  nowMs: number;
  /**
   * Writes all parts or none, and keeps the answer for the `Idempotency-Key` if there is one, in the same transaction:
   * however often a create is repeated and wherever it crashes, it happens once and is answered alike.
   */
  commit: <Body>(answer: Answer<Body>, writes: Write[]) => Promise<Answer<Body>>;
  /**
   * Makes a value, once for each `Idempotency-Key`: a repetition gets it again, also when the call before ended before its
   * answer was kept. For what is written outside of {@link commit}. Without a key it is made each time.
   * @param make something small that JSON can say
   */
  keepOnce: <Value>(make: () => Promise<Value>) => Promise<{ value: Value; isRepeated: boolean }>;
  /** Where the list's page before ended, out of the `nextToken` of the call. */
  pageStart: string | undefined;
  /** The `nextToken` that leads to what follows `position` in the list of this call. */
  nextToken: (position: string) => string;
  /** When the function must be done. */
  deadlineMs: number;
  /** The frame of a stream that the caller got last, when it goes on after an interruption. */
  lastEventId: string | undefined;
}

/** What the operations of both families declare alike. */
export interface OperationBase<
  Name extends string = string,
  Path extends string = string,
  Query extends ObjectSchema | undefined = any,
  Body extends ObjectSchema | undefined = any,
  Output = any,
> {
  /** Also the file's name, the export's, the Lambda's, the OpenAPI `operationId`, and the log field `operation`. */
  name: Name;
  summary: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the interface's base address. */
  path: Path;
  /** What the function may do with the table: an operation that reads cannot write. */
  table: 'none' | 'reads' | 'writes';
  /** Values that may be too big for the table, and so need the object store. */
  largeValues?: 'reads' | 'writes';
  query?: Query;
  body?: Body;
  /** Headers that are part of the input, in lower case. */
  headers?: ObjectSchema;
  /** The shape of the answer; what it does not declare does not leave. */
  output: z.ZodMiniType<Output>;
  /** Answers with {@link Frames}, a stream of server-sent events; what the data of each is. */
  streams?: z.ZodMiniType;
  /** The statuses it answers with when it succeeds, the usual one first. */
  statuses: readonly [number, ...number[]];
}

/** What an interface adds to each of its operations. */
export interface OfGroup<Api extends string, Group extends string> {
  api: Api;
  /** The folder below `functions/`, which is also the first half of its Lambda's name. */
  group: Group;
  /** The limit of its interface, on unpacked bytes. */
  payloadLimitBytes: number;
}

export type Operation = ChatOperation | PlatformOperation;

/** The function behind an operation: two interfaces may have an operation of the same name. */
export const functionNameOf = ({ group, name }: Pick<Operation, 'group' | 'name'>) => `${group}-${name}`;

/** The names of the variables in a path, in order. */
export const pathVariables = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!);

/**
 * What API Gateway calls the n-th variable of a path. It allows one name per place, and the contract has several
 * (`/conversations/{id}`, `/conversations/{conversationId}/messages`), so places are counted. Values come decoded, once.
 */
export const gatewayVariable = (index: number) => `p${index + 1}`;

export const ok = <Body>(body: Body): Answer<Body> => ({ status: 200, body });
export const created = <Body>(body: Body): Answer<Body> => ({ status: 201, body });
/** Of get-or-create: 201 when it created, 200 when it found (FACTS, decisions). */
export const createdOrFound = <Body>(isNew: boolean, body: Body): Answer<Body & { meta: { created: boolean } }> => ({
  status: isNew ? 201 : 200,
  body: { ...body, meta: { created: isNew } },
});
