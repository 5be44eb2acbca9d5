/* biome-ignore-all lint/suspicious/noExplicitAny: generic code cannot name each operation's types */
/** Operations of the platform API. Permissions depend on the role in the workspace (`permissions.ts`). */

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
import type { PlatformGroup, RuledOperation } from '#shared/api/permissions.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { TableAccess } from '#shared/storage/dynamodb/engine/tableAccess.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import type { Role } from '#shared/storage/dynamodb/workspace/roles.ts';
import type { Token } from '#shared/storage/dynamodb/workspace/tokens.ts';
import type { TokenKind } from '#shared/storage/dynamodb/workspace/tokenValue.ts';
import type { QueueName } from '#shared/storage/queues/queueSettings.ts';
import type { ObjectAccess } from '#shared/storage/s3/objectAccess.ts';

export type Principal =
  | { kind: 'account'; account: Account }
  | { kind: 'bot'; botId: string }
  | { kind: 'integration'; integrationId: string };

/**
 * The scope of an operation and the credentials that it requires:
 *
 * - `public`: none;
 * - `token`: any valid token;
 * - `account`: an account's token and the header `x-workspace-id`;
 * - `self`: an account's token; the header is optional but checked;
 * - `workspace`: as `account`, or the key of a bot or integration without the header;
 * - `bot`: any token and the header `x-bot-id`.
 */
export type Scope = 'public' | 'token' | 'account' | 'self' | 'workspace' | 'bot';

/**
 * The rights that an operation grants or revokes. Mandatory for every admin operation that writes:
 *
 * - `nothing`;
 * - `access`: tokens, keys, secrets and installations. The caller's token and membership are re-read, and the write
 *   is conditional on both, so that a revoked right grants nothing;
 * - `membership`: as `access`, and tokens with scopes or expiry are rejected, and the sessions that they created.
 */
type Grants = 'nothing' | 'access' | 'membership';

interface TokenCall<Input> extends Call<Input> {
  principal: Principal;
  token: Token;
  tokenKind: TokenKind;
}

interface RuledCall<Input> extends TokenCall<Input> {
  /** Set for the permission `own`: see `Right` in `permissions.ts`. */
  isLimitedToOwn: boolean;
  /** Bots to which the caller is limited (docs/api/admin.md#agents-of-bots). Operations on a bot have checked it. */
  botLimit?: readonly string[] | undefined;
}

interface WorkspaceCall<Input> extends RuledCall<Input> {
  /** Undefined for an integration's key without the header, because it is valid in many workspaces. */
  workspaceId: string | undefined;
  role: Role | undefined;
}

interface AccountCall<Input> extends RuledCall<Input> {
  workspaceId: string;
  account: Account;
  role: Role;
}

interface SelfCall<Input> extends RuledCall<Input> {
  account: Account;
}

export interface BotCall<Input> extends RuledCall<Input> {
  workspaceId: string;
  botId: string;
  bot: Bot;
  /** The calling integration's installation, or the one named in the headers. */
  installation: Bot['installations'][number] | undefined;
  ifMatch: string | undefined;
}

type CallOf<Input, S> = S extends 'public'
  ? Call<Input>
  : S extends 'token'
    ? TokenCall<Input>
    : S extends 'account'
      ? AccountCall<Input>
      : S extends 'self'
        ? SelfCall<Input>
        : S extends 'workspace'
          ? WorkspaceCall<Input>
          : BotCall<Input>;

interface Declaration<
  Name extends string = string,
  Path extends string = string,
  Query extends ObjectSchema | undefined = any,
  Body extends ObjectSchema | undefined = any,
  Output = any,
  S extends Scope = Scope,
  Input = any,
> extends OperationBase<Name, Path, Query, Body, Output> {
  scope: S;
  /** The path variable with the workspace, if it may differ from the header's. */
  workspaceIn?: 'id';
  grants?: Grants;
  /** Set when the token of a sign-in link is a credential. All other operations reject it. */
  acceptsLinks?: true;
  /** Set for permanent deletions, which re-read the caller. In the group admin, the write depends on its rights. */
  isIrreversible?: true;
  /** Set for reads that accept uploads which have arrived, as the upload's event does. They write nothing else. */
  acceptsUploads?: true;
  /** Set when the operation encrypts or decrypts stored secrets. Implied by `callsEndpoints`. */
  secrets?: 'opens';
  callsEndpoints?: boolean;
  isVersioned?: boolean;
  objects?: ObjectAccess;
  sends?: readonly QueueName[];
  /** Set when the operation sends frames to WebSocket connections. */
  connections?: 'sends';
  model?: 'invokes' | 'streams';
  index?: 'searches' | 'writes';
  handle(call: CallOf<Input, S>): Promise<Answer<Output>>;
}

export type PlatformOperation = Declaration & OfGroup<'platform', PlatformGroup>;

/** Table access shared by a group, including the owners of tokens. Contains no spreads, so bundlers can remove it. */
export const PLATFORM_PARTITIONS: Record<PlatformGroup, TableAccess> = {
  botChat: {
    reads: ['accounts', 'bots', 'integrations'],
    writes: ['answers', 'conversations', 'users', 'workflows', 'tags'],
  },
  files: {
    reads: ['accounts', 'bots', 'integrations'],
    writes: ['answers', 'files', 'tags', 'botTotals', 'gauges', 'knowledgeBases'],
    appends: ['usage'],
  },
  tables: { reads: ['accounts', 'bots', 'integrations', 'gauges'], writes: ['answers', 'tables'] },
  cognitive: { reads: ['accounts', 'bots', 'integrations'], writes: ['answers'], appends: ['gauges', 'usage'] },
  admin: { writes: ['answers', 'accounts', 'bots', 'integrations', 'workspaces'], appends: ['audit'] },
};

type Unruled = 'public' | 'token';

type GrantsOf<Group, Method, S> = Group extends 'admin'
  ? 'GET' extends Method
    ? { grants?: never }
    : S extends 'public'
      ? { grants?: never }
      : { grants: Grants }
  : { grants?: never };

const operationsOf =
  <const Group extends PlatformGroup>(group: Group) =>
  <
    const Name extends string,
    const Path extends string,
    Output,
    S extends Scope,
    const Method extends Declaration['method'],
    Query extends ObjectSchema | undefined = undefined,
    Body extends ObjectSchema | undefined = undefined,
    Headers extends ObjectSchema | undefined = undefined,
  >(
    operation: Declaration<
      Name,
      Path,
      Query,
      Body,
      Output,
      S,
      InputOf<Query> & InputOf<Body> & InputOf<Headers> & PathParameters<Path>
    > & {
      headers?: Headers;
      method: Method;
      name: S extends Unruled ? string : RuledOperation<Group>;
    } & GrantsOf<Group, Method, S>,
  ) => ({
    ...operation,
    api: 'platform' as const,
    group,
    payloadLimitBytes: operation.payloadLimitBytes ?? DEFAULT_PAYLOAD_LIMIT_BYTES,
  });

export const adminOperation = operationsOf('admin');

export const botChatOperation = operationsOf('botChat');

export const filesOperation = operationsOf('files');

export const cognitiveOperation = operationsOf('cognitive');

export const tablesOperation = operationsOf('tables');
