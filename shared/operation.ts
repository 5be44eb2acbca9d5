/* biome-ignore-all lint/suspicious/noExplicitAny: what handles every operation cannot name each one's types */
/**
 * What an operation is. Each is declared once, beside its handler; its Lambda, its IAM access, its payload limit, both
 * OpenAPI documents, the local routes and the authorisation matrix are derived from the declaration.
 */
import type * as z from 'zod/mini';
import type { Caller } from './auth/caller.ts';
import type { Participant } from './table/participants.ts';
import type { Webhook } from './table/webhooks.ts';
import type { Write } from './table/write.ts';

type ObjectSchema = z.ZodMiniObject;
type InputOf<S> = S extends z.ZodMiniType ? z.infer<S> : unknown;

/** `'/messages/{id}'` → `{ id: string }` */
type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & PathParameters<Rest>
  : unknown;

/** The rules by which an operation can be open. */
type Rule = 'anyone' | 'user' | 'participant' | 'owner' | 'ownerOrSelf' | 'author';

/**
 * Who may call. `of` names the conversation that the caller must take part in, as he wrote it or taken from an id;
 * when it is undefined there is no such conversation.
 */
type Access<Input, Read> =
  | { who: 'anyone' }
  /** Whoever holds a valid user key; whether the user exists is the operation's business. */
  | { who: 'user' }
  | { who: 'participant'; of: (input: Input) => string | undefined }
  | { who: 'owner'; of: (input: Input) => string | undefined }
  /** The owner, or the participant whom the call is about. */
  | { who: 'ownerOrSelf'; of: (input: Input) => string | undefined; self: (input: Input) => string }
  /** A participant, and the author of what `read` found. */
  | { who: 'author'; of: (input: Input) => string | undefined; authorOf: (read: Read) => string };

export interface Answer<Body = unknown> {
  status: number;
  body: Body;
}

/** What an operation knows of the call, whoever called. */
export interface Call<Input = unknown> {
  webhook: Webhook;
  /** The tenant: the bot that the webhook belongs to. */
  botId: string;
  input: Input;
  nowMs: number;
  /**
   * Writes all parts or none, and keeps the answer for the `Idempotency-Key` if there is one, in the same transaction:
   * however often a create is repeated and wherever it crashes, it happens once and is answered alike.
   */
  commit: <Body>(answer: Answer<Body>, writes: Write[]) => Promise<Answer<Body>>;
  /** Where the list's page before ended, out of the `nextToken` of the call. */
  pageStart: string | undefined;
  /** The `nextToken` that leads to what follows `position` in the list of this call. */
  nextToken: (position: string) => string;
}

/** A call with a user key. */
export interface UserCall<Input> extends Call<Input> {
  caller: Caller;
}

/** A call on a conversation: `participation` settles when it is known whether the caller takes part. */
export interface ConversationCall<Input> extends UserCall<Input> {
  /** Internal id of the conversation that `access.of` named. */
  conversationId: string;
  participation: Promise<Participant>;
}

/** What `read` gets: no permission is checked yet, and what it finds is dropped if there is none. */
type ReadCall<Input, Who> = Who extends 'anyone'
  ? Call<Input>
  : Who extends 'user'
    ? UserCall<Input>
    : ConversationCall<Input>;

/** What `handle` gets, when the caller may. */
type HandleCall<Input, Who, Read> = (Who extends 'anyone'
  ? Call<Input>
  : Who extends 'user'
    ? UserCall<Input>
    : ConversationCall<Input> & { participant: Participant }) & { read: Read };

export interface Operation<
  Name extends string = string,
  Path extends string = string,
  Query extends ObjectSchema | undefined = any,
  Body extends ObjectSchema | undefined = any,
  Output = any,
  Who extends Rule = Rule,
  Read = any,
  Input = any,
> {
  /** Also the file's name, the export's, the Lambda's, the OpenAPI `operationId`, and the log field `operation`. */
  name: Name;
  summary: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the interface's base address. */
  path: Path;
  access: Extract<Access<Input, Read>, { who: Who }>;
  /** What the function may do with the table: an operation that reads cannot write. */
  table: 'none' | 'reads' | 'writes';
  /** Values that may be too big for the table, and so need the object store. */
  bigValues?: 'reads' | 'writes';
  query?: Query;
  body?: Body;
  /** Takes the place of `body` where the integration is installed with `payloadExtensions`. */
  extendedBody?: ObjectSchema;
  /** The shape of the answer; what it does not declare does not leave. */
  output: z.ZodMiniType<Output>;
  /** The statuses it answers with when it succeeds, the usual one first. */
  statuses: readonly [number, ...number[]];
  /** The limit of its interface, on unpacked bytes. */
  payloadLimitBytes: number;
  /** Reads that don't depend on the permission: they run while it is checked. */
  read?(call: ReadCall<Input, Who>): Promise<Read>;
  handle(call: HandleCall<Input, Who, Read>): Promise<Answer<Output>>;
}

/** The specification's 1 MB. */
const CHAT_PAYLOAD_LIMIT_BYTES = 1024 * 1024;

/** Declares an operation of the chat interface. */
export const chatOperation = <
  const Name extends string,
  const Path extends string,
  Output,
  Who extends Rule,
  Query extends ObjectSchema | undefined = undefined,
  Body extends ObjectSchema | undefined = undefined,
  Read = undefined,
>(
  operation: Omit<
    Operation<Name, Path, Query, Body, Output, Who, Read, InputOf<Query> & InputOf<Body> & PathParameters<Path>>,
    'payloadLimitBytes'
  >,
) => ({ ...operation, payloadLimitBytes: CHAT_PAYLOAD_LIMIT_BYTES });

/** The names of the variables in a path, in order. */
export const pathVariables = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!);

/**
 * What API Gateway calls the n-th variable of a path. It allows one name per place, and the contract has several
 * (`/conversations/{id}`, `/conversations/{conversationId}/messages`), so places are counted. Values come decoded, once.
 */
export const gatewayVariable = (index: number) => `p${index + 1}`;

export const ok = <Body>(body: Body): Answer<Body> => ({ status: 200, body });
export const created = <Body>(body: Body): Answer<Body> => ({ status: 201, body });
