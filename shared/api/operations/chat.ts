/* biome-ignore-all lint/suspicious/noExplicitAny: generic code cannot name each operation's types */
/** Operations of the chat API, called by end users. Permissions depend on conversations. */

import type { Caller } from '#shared/api/caller.ts';
import {
  type Answer,
  type Call,
  DEFAULT_PAYLOAD_LIMIT_BYTES,
  type InputOf,
  type ObjectSchema,
  type OfGroup,
  type OperationBase,
  type PathParameters,
} from '#shared/api/operation.ts';
import type { Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import type { TableAccess } from '#shared/storage/dynamodb/engine/tableAccess.ts';
import type { QueueName } from '#shared/storage/queues/queueSettings.ts';
import type { ObjectAccess } from '#shared/storage/s3/objectAccess.ts';

type Rule = 'anyone' | 'guest' | 'admin' | 'user' | 'participant' | 'owner' | 'ownerOrSelf' | 'author';

/** The authorisation rule. `of` returns the conversation in which the caller must participate, if it exists. */
type Access<Input, Read> =
  | { who: 'anyone' }
  | { who: 'guest' }
  | { who: 'admin' }
  /** Any valid user key. The operation checks that the user exists. */
  | { who: 'user' }
  | { who: 'participant'; of: (input: Input) => string | undefined }
  | { who: 'owner'; of: (input: Input) => string | undefined }
  | { who: 'ownerOrSelf'; of: (input: Input) => string | undefined; self: (input: Input) => string }
  | {
      who: 'author';
      of: (input: Input) => string | undefined;
      authorOf: (read: Read, participant: Participant) => string | undefined;
    };

interface ChatCall<Input = unknown> extends Call<Input> {
  webhook: Webhook;
  botId: string;
  isAdmin: boolean;
  /** Origin of the page that calls, unless it belongs to the API itself. */
  origin: string | undefined;
}

interface GuestCall<Input> extends ChatCall<Input> {
  caller: Caller | undefined;
}

export interface UserCall<Input> extends ChatCall<Input> {
  caller: Caller;
}

/** A call on a conversation. `participation` rejects for a non-participant. */
export interface ConversationCall<Input> extends UserCall<Input> {
  conversationId: string;
  participation: Promise<Participant>;
}

/** The call as `read` receives it, before authorisation. */
type ReadCall<Input, Who> = Who extends 'anyone' | 'admin'
  ? ChatCall<Input>
  : Who extends 'guest'
    ? GuestCall<Input>
    : Who extends 'user'
      ? UserCall<Input>
      : ConversationCall<Input>;

type HandleCall<Input, Who, Read> = (Who extends 'anyone' | 'admin' | 'guest' | 'user'
  ? ReadCall<Input, Who>
  : ConversationCall<Input> & { participant: Participant }) & { read: Read };

interface Declaration<
  Name extends string = string,
  Path extends string = string,
  Query extends ObjectSchema | undefined = any,
  Body extends ObjectSchema | undefined = any,
  Output = any,
  Who extends Rule = Rule,
  Read = any,
  Input = any,
> extends OperationBase<Name, Path, Query, Body, Output> {
  access: Extract<Access<Input, Read>, { who: Who }>;
  /** Replaces `body` for installations with `payloadExtensions`. */
  extendedBody?: ObjectSchema;
  objects?: ObjectAccess;
  sends?: readonly QueueName[];
  read?(call: ReadCall<Input, Who>): Promise<Read>;
  handle(call: HandleCall<Input, Who, Read>): Promise<Answer<Output>>;
}

export type ChatOperation = Declaration & OfGroup<'chat', 'chat'>;

export const CHAT_PARTITIONS: TableAccess = { reads: ['webhooks'], writes: ['answers', 'conversations', 'users'] };

export const chatOperation = <
  const Name extends string,
  const Path extends string,
  Output,
  Who extends Rule,
  Query extends ObjectSchema | undefined = undefined,
  Body extends ObjectSchema | undefined = undefined,
  Read = undefined,
  Headers extends ObjectSchema | undefined = undefined,
>(
  operation: Declaration<
    Name,
    Path,
    Query,
    Body,
    Output,
    Who,
    Read,
    InputOf<Query> & InputOf<Body> & InputOf<Headers> & PathParameters<Path>
  > & { headers?: Headers },
) => ({
  ...operation,
  api: 'chat' as const,
  group: 'chat' as const,
  payloadLimitBytes: operation.payloadLimitBytes ?? DEFAULT_PAYLOAD_LIMIT_BYTES,
});
