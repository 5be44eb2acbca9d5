/* biome-ignore-all lint/suspicious/noExplicitAny: what handles every operation cannot name each one's types */
/** Operations of the chat API: the caller is an end user, and permissions depend on conversations. */

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
import type { TableAccess } from '#shared/storage/dynamodb/tableAccess.ts';

/** The authorisation rules. */
type Rule = 'anyone' | 'guest' | 'admin' | 'user' | 'participant' | 'owner' | 'ownerOrSelf' | 'author';

/**
 * Who may call. `of` names the conversation that the caller must participate in, as the caller wrote it or as derived
 * from another id; undefined when there is no such conversation.
 */
type Access<Input, Read> =
  | { who: 'anyone' }
  /** Anyone; with a user key, the user of the key. */
  | { who: 'guest' }
  /** Whoever knows the installation's `adminSecret`. */
  | { who: 'admin' }
  /** Any valid user key; the operation itself checks that the user exists. */
  | { who: 'user' }
  | { who: 'participant'; of: (input: Input) => string | undefined }
  | { who: 'owner'; of: (input: Input) => string | undefined }
  /** The owner, or the participant the call is about. */
  | { who: 'ownerOrSelf'; of: (input: Input) => string | undefined; self: (input: Input) => string }
  /** A participant who is the author of the record found by `read`; undefined for one who is gone. */
  | {
      who: 'author';
      of: (input: Input) => string | undefined;
      authorOf: (read: Read, participant: Participant) => string | undefined;
    };

/** A call through a webhook. */
interface ChatCall<Input = unknown> extends Call<Input> {
  webhook: Webhook;
  /** The tenant: the bot that the webhook belongs to. */
  botId: string;
  /** Whether the caller has shown the installation's `adminSecret`. */
  isAdmin: boolean;
}

/** A call with a user key, or without one. */
interface GuestCall<Input> extends ChatCall<Input> {
  caller: Caller | undefined;
}

/** A call with a user key. */
export interface UserCall<Input> extends ChatCall<Input> {
  caller: Caller;
}

/** A call on a conversation; `participation` rejects for a non-participant. */
export interface ConversationCall<Input> extends UserCall<Input> {
  /** Internal id of the conversation that `access.of` named. */
  conversationId: string;
  participation: Promise<Participant>;
}

/** The call as `read` gets it: the permission is not checked yet, and without it the result is dropped. */
type ReadCall<Input, Who> = Who extends 'anyone' | 'admin'
  ? ChatCall<Input>
  : Who extends 'guest'
    ? GuestCall<Input>
    : Who extends 'user'
      ? UserCall<Input>
      : ConversationCall<Input>;

/** The call as `handle` gets it, authorised. */
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
  /** Replaces `body` where the integration is installed with `payloadExtensions`. */
  extendedBody?: ObjectSchema;
  /** Its access to the object store for files: see `infra/bundle/access.ts`. */
  objects?: 'announcesNewUploads';
  /** Reads that don't depend on the permission and run while it is checked. */
  read?(call: ReadCall<Input, Who>): Promise<Read>;
  handle(call: HandleCall<Input, Who, Read>): Promise<Answer<Output>>;
}

export type ChatOperation = Declaration & OfGroup<'chat', 'chat'>;

/** Table access shared by all operations of the group. */
export const CHAT_PARTITIONS: TableAccess = { reads: ['webhooks'], writes: ['answers', 'conversations', 'users'] };

/** Declares an operation of the group chat. */
export const chatOperation = <
  const Name extends string,
  const Path extends string,
  Output,
  Who extends Rule,
  Query extends ObjectSchema | undefined = undefined,
  Body extends ObjectSchema | undefined = undefined,
  Read = undefined,
>(
  operation: Declaration<
    Name,
    Path,
    Query,
    Body,
    Output,
    Who,
    Read,
    InputOf<Query> & InputOf<Body> & PathParameters<Path>
  >,
) => ({
  ...operation,
  api: 'chat' as const,
  group: 'chat' as const,
  payloadLimitBytes: operation.payloadLimitBytes ?? DEFAULT_PAYLOAD_LIMIT_BYTES,
});
