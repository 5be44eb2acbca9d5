/* biome-ignore-all lint/suspicious/noExplicitAny: what handles every operation cannot name each one's types */
/**
 * Operations of the platform API: the caller holds a token, and permissions depend on the role in the workspace
 * (`auth/permissions.ts`).
 */

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
import type { TableAccess } from '#shared/storage/dynamodb/tableAccess.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import type { Role } from '#shared/storage/dynamodb/workspace/roles.ts';
import type { Token } from '#shared/storage/dynamodb/workspace/tokens.ts';
import type { QueueName } from '#shared/storage/queues/settings.ts';

/** The caller, as identified by the token. */
export type Principal =
  | { kind: 'account'; account: Account }
  | { kind: 'bot'; botId: string }
  | { kind: 'integration'; integrationId: string };

/**
 * The scope of an operation, and so what a call must present:
 *
 * - `public`: nothing, not even a token;
 * - `token`: any valid token;
 * - `account`: an account's token and the header `x-workspace-id`;
 * - `self`: an account's token; a workspace in the header is checked, and none is needed;
 * - `workspace`: the same, or the key of a bot or integration, which needs no header;
 * - `bot`: any token and the header `x-bot-id`.
 */
export type Scope = 'public' | 'token' | 'account' | 'self' | 'workspace' | 'bot';

/**
 * What an operation gives away. Every operation of administration that changes something declares it, so that none
 * forgets:
 *
 * - `nothing`;
 * - `access`: tokens, keys, secrets and installations. The caller's token and membership are read anew, and the write
 *   depends on both, so that a right that was revoked a moment ago grants nothing;
 * - `membership`: likewise, and it knows neither scopes nor an expiry, so that a token with either may not call.
 *
 * Taking away counts as giving: a demoted administrator does not remove the others.
 */
type Grants = 'nothing' | 'access' | 'membership';

/** A call with a valid token. */
interface TokenCall<Input> extends Call<Input> {
  principal: Principal;
  token: Token;
}

/** A call that the table of permissions has allowed. */
interface RuledCall<Input> extends TokenCall<Input> {
  /** Whether the permission is `own`: see `Right` in the table of permissions. */
  isLimitedToOwn: boolean;
}

interface WorkspaceCall<Input> extends RuledCall<Input> {
  /** Undefined for the key of an integration without the header: it works in any number of workspaces. */
  workspaceId: string | undefined;
  /** The member's; undefined for the key of a bot or integration. */
  role: Role | undefined;
}

/** A call by a member of the workspace. */
interface AccountCall<Input> extends RuledCall<Input> {
  /** The tenant. */
  workspaceId: string;
  account: Account;
  role: Role;
}

/** A call by an account about itself. */
interface SelfCall<Input> extends RuledCall<Input> {
  account: Account;
}

/** A call about a bot. */
export interface BotCall<Input> extends RuledCall<Input> {
  workspaceId: string;
  /** The tenant. */
  botId: string;
  bot: Bot;
  /** The installation that the caller acts for: an integration's own, or the one named in the headers. */
  installation: Bot['installations'][number] | undefined;
  /** The version in `If-Match`, if the change is conditional on one. */
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
  /** The path variable that names the workspace, where it may differ from the header's. */
  workspaceIn?: 'id';
  /** See {@link Grants}. */
  grants?: Grants;
  /**
   * Whether it deletes a whole bot, integration, table or the like for good. A caller whose right was revoked a moment
   * ago is refused: the token and the membership are read again, and in administration the write depends on both.
   */
  isIrreversible?: true;
  /** Whether it seals or opens stored secrets; whatever calls endpoints does, too. */
  secrets?: 'opens';
  /** Whether it calls endpoints of bots and integrations. */
  callsEndpoints?: boolean;
  /** Whether it changes a versioned record, so that `If-Match` applies. */
  isVersioned?: boolean;
  /** Its further access to the object store: see `infra/bundle/access.ts`. */
  objects?:
    | 'readsAssets'
    | 'writesAssets'
    | 'signsUploads'
    | 'readsFiles'
    | 'writesFiles'
    | 'announcesUploads'
    | 'readsSnapshots'
    | 'readsExports';
  /** The queues it sends jobs to. */
  sends?: readonly QueueName[];
  /** Whether it asks the language model, and whether for an answer that comes bit by bit. */
  model?: 'asks' | 'streams';
  /** Its access to the search index of files and rows. */
  index?: 'searches' | 'writes';
  handle(call: CallOf<Input, S>): Promise<Answer<Output>>;
}

export type PlatformOperation = Declaration & OfGroup<'platform', PlatformGroup>;

/**
 * Table access shared by all operations of a group. Includes accounts, bots and integrations, because tokens are stored
 * with them. Contains no spreads, so bundlers remove it from functions.
 */
export const PLATFORM_PARTITIONS: Record<PlatformGroup, TableAccess> = {
  botChat: {
    reads: ['accounts', 'bots', 'integrations'],
    writes: ['answers', 'conversations', 'users', 'workflows', 'tags'],
  },
  files: {
    reads: ['accounts', 'bots', 'integrations'],
    writes: ['answers', 'files', 'tags', 'botTotals', 'levels', 'knowledgeBases'],
    appends: ['usage'],
  },
  tables: { reads: ['accounts', 'bots', 'integrations', 'levels'], writes: ['answers', 'tables'] },
  cognitive: { reads: ['accounts', 'bots', 'integrations'], writes: ['answers'], appends: ['levels', 'usage'] },
  admin: { writes: ['answers', 'accounts', 'bots', 'integrations', 'workspaces'], appends: ['audit'] },
};

/** The scopes without roles: their operations have no row in the table of permissions. */
type Unruled = 'public' | 'token';

/** Only administration grants rights. */
type GrantsOf<Group, Method, S> = Group extends 'admin'
  ? 'GET' extends Method
    ? { grants?: never }
    : S extends 'public'
      ? { grants?: never }
      : { grants: Grants }
  : { grants?: never };

/** @returns the function that declares the operations of a group */
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

/** Declares an operation of the group admin. */
export const adminOperation = operationsOf('admin');

/** Declares an operation of the group botChat. */
export const botChatOperation = operationsOf('botChat');

/** Declares an operation of the group files. */
export const filesOperation = operationsOf('files');

/** Declares an operation of the group cognitive. */
export const cognitiveOperation = operationsOf('cognitive');

/** Declares an operation of the group tables. */
export const tablesOperation = operationsOf('tables');
