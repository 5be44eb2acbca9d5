/* biome-ignore-all lint/suspicious/noExplicitAny: what handles every operation cannot name each one's types */
/**
 * Operations of the platform's interfaces: the caller holds a token, and what he may depends on his role where he calls
 * (`auth/permissions.ts`).
 */
import type { PlatformGroup, Role, RuledOperation } from '#shared/api/auth/permissions.ts';
import type {
  Answer,
  Call,
  InputOf,
  ObjectSchema,
  OfGroup,
  OperationBase,
  PathParameters,
} from '#shared/api/operation.ts';
import type { Account } from '#shared/dynamodb/workspace/accounts.ts';
import type { Bot } from '#shared/dynamodb/workspace/bots.ts';
import type { Token } from '#shared/dynamodb/workspace/tokens.ts';

/** Who calls, as his token says. */
export type Principal =
  | { kind: 'account'; account: Account }
  | { kind: 'bot'; botId: string }
  | { kind: 'integration'; integrationId: string };

/**
 * Where a call is about, and so what it needs besides the token:
 *
 * - `nowhere`: nothing, not even a token;
 * - `token`: any valid token will do;
 * - `workspace`: the header `x-workspace-id`; `account` is the same for accounts only;
 * - `bot`: the header `x-bot-id`.
 */
export type Scope = 'nowhere' | 'token' | 'account' | 'workspace' | 'bot';

/** A call with a valid token. */
interface TokenCall<Input> extends Call<Input> {
  principal: Principal;
  token: Token;
}

interface WorkspaceCall<Input> extends TokenCall<Input> {
  /** The tenant. */
  workspaceId: string;
  /** He may only touch what is his own: see `own` in the table of permissions. */
  isLimitedToOwn: boolean;
}

/** A member of the workspace calls. */
interface AccountCall<Input> extends WorkspaceCall<Input> {
  account: Account;
  role: Role;
}

/** A call about a bot. */
export interface BotCall<Input> extends WorkspaceCall<Input> {
  botId: string;
  bot: Bot;
  /** The installation in whose place the caller is: its own, or the one that it names in the headers. */
  installation: Bot['installations'][number] | undefined;
  /** The version out of `If-Match`, if the caller insists on one. */
  ifMatch: string | undefined;
}

type CallOf<Input, S> = S extends 'nowhere'
  ? Call<Input>
  : S extends 'token'
    ? TokenCall<Input>
    : S extends 'account'
      ? AccountCall<Input>
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
  /** The path variable that names the workspace which the call is about, where it may be another than the header's. */
  workspaceIn?: 'id';
  /** The answer shows a secret, so what is kept of it for a repeated call is sealed with the caller's own token. */
  showsSecret?: boolean;
  /** It calls the endpoints of bots and integrations. */
  callsEndpoints?: boolean;
  /** It changes what has a version: the header `If-Match` insists on one. */
  isVersioned?: boolean;
  /** What else it does with the object store: see `infra/operationFunction.ts`. */
  objects?: 'readsAssets' | 'writesAssets' | 'signsUploads' | 'readsFiles' | 'writesFiles';
  /** What it does with the index of files and rows. */
  index?: 'searches' | 'writes';
  handle(call: CallOf<Input, S>): Promise<Answer<Output>>;
}

export type PlatformOperation = Declaration & OfGroup<'platform', PlatformGroup>;

/** The operations that need no row in the table, because they ask for no role. */
type Unruled = 'nowhere' | 'token';

/** What declares the operations of one of the platform's interfaces. */
const operationsOf =
  <const Group extends PlatformGroup>(group: Group, payloadLimitBytes: number) =>
  <
    const Name extends string,
    const Path extends string,
    Output,
    S extends Scope,
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
      name: S extends Unruled ? string : RuledOperation<Group>;
    },
  ) => ({ ...operation, api: 'platform' as const, group, payloadLimitBytes });

const MEGABYTE = 1024 * 1024;

/** Declares an operation of the admin interface: bodies of 50 MB, as specified. */
export const adminOperation = operationsOf('admin', 50 * MEGABYTE);

/** Declares an operation of the bot-level chat interface: bodies of 1 MB, as specified. */
export const botChatOperation = operationsOf('botChat', MEGABYTE);

/** Declares an operation of the files interface: bodies of 1 MB, as specified. */
export const filesOperation = operationsOf('files', MEGABYTE);

/** Declares an operation of the tables interface: bodies of 40 MB, as specified. */
export const tablesOperation = operationsOf('tables', 40 * MEGABYTE);
