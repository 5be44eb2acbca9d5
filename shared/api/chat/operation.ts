/* biome-ignore-all lint/suspicious/noExplicitAny: what handles every operation cannot name each one's types */
/** Operations of the chat interface: the caller is an end user, and what he may depends on conversations. */
import type {
  Answer,
  Call,
  InputOf,
  ObjectSchema,
  OfGroup,
  OperationBase,
  PathParameters,
} from '#shared/api/operation.ts';
import type { Participant } from '#shared/dynamodb/chat/participants.ts';
import type { Webhook } from '#shared/dynamodb/chat/webhooks.ts';
import type { Caller } from './caller.ts';

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

/** What an operation knows of the call, whoever called. */
interface ChatCall<Input = unknown> extends Call<Input> {
  webhook: Webhook;
  /** The tenant: the bot that the webhook belongs to. */
  botId: string;
}

/** A call with a user key. */
export interface UserCall<Input> extends ChatCall<Input> {
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
  ? ChatCall<Input>
  : Who extends 'user'
    ? UserCall<Input>
    : ConversationCall<Input>;

/** What `handle` gets, when the caller may. */
type HandleCall<Input, Who, Read> = (Who extends 'anyone'
  ? ChatCall<Input>
  : Who extends 'user'
    ? UserCall<Input>
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
  /** Takes the place of `body` where the integration is installed with `payloadExtensions`. */
  extendedBody?: ObjectSchema;
  /** Reads that don't depend on the permission: they run while it is checked. */
  read?(call: ReadCall<Input, Who>): Promise<Read>;
  handle(call: HandleCall<Input, Who, Read>): Promise<Answer<Output>>;
}

export type ChatOperation = Declaration & OfGroup<'chat', 'chat'>;

/** The specification's 1 MB. */
const PAYLOAD_LIMIT_BYTES = 1024 * 1024;

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
) => ({ ...operation, api: 'chat' as const, group: 'chat' as const, payloadLimitBytes: PAYLOAD_LIMIT_BYTES });
