/**
 * Authorisation matrix of the groups botChat, files, tables and cognitive: every operation × every principal and role.
 * The table of permissions determines the expected status.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformApi, prefixOf } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { type Actor, ruleOf } from '#shared/api/permissions.ts';
import { ROLES } from '#shared/storage/dynamodb/workspace/roles.ts';
import { useModel } from '#test/support/languageModel.ts';
import {
  type AdminClient,
  apiBaseUrl,
  call,
  isLeftOut,
  newBot,
  newExpiredToken,
  newRevokedToken,
  newScopedToken,
  newWorkspace,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { BOT_CHAT_REQUESTS, type BotChatOperation } from '#test/support/requests/botChat.ts';
import { COGNITIVE_REQUESTS, type CognitiveOperation } from '#test/support/requests/cognitive.ts';
import { FILES_REQUESTS, type FilesOperation } from '#test/support/requests/files.ts';
import { TABLES_REQUESTS, type TablesOperation } from '#test/support/requests/tables.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();
useModel();

const REFUSED = {
  'no token': 401,
  'garbage token': 401,
  'expired token': 401,
  'revoked token': 401,
  "bot's revoked key": 401,
  'token with scopes for other operations': 403,
  'no x-bot-id': 400,
  'unknown bot': 403,
  'not a member': 403,
  "another bot's key": 403,
  'an integration that is not installed': 403,
} as const;
type Nobody = keyof typeof REFUSED;
type Caller = Nobody | Actor;
const CALLERS: readonly Caller[] = isLeftOut('roles')
  ? ['no token', 'no x-bot-id', "another bot's key", 'bot', 'integration', 'viewer', 'owner']
  : [...(Object.keys(REFUSED) as Nobody[]), 'bot', 'integration', ...ROLES];

let bot: TestBot;
let tokens: Record<Caller, string | undefined>;
/** Accounts of the callers that are members. */
let accounts: Partial<Record<Caller, string>>;
/** Endpoint of the bot, for the operation that calls it. */
let endpoint: Server;

beforeAll(async () => {
  const [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
  bot = await newBot(workspace);
  const other = await newBot(stranger);
  const members = await Promise.all(
    ROLES.filter(role => role !== 'owner').map(async role => [role, await workspace.join(role)] as const),
  );
  accounts = Object.fromEntries(members.map(([role, { accountId }]) => [role, accountId]));
  accounts.owner = workspace.owner.accountId;
  tokens = {
    ...(Object.fromEntries(members.map(([role, { token }]) => [role, token])) as Record<
      (typeof ROLES)[number],
      string
    >),
    owner: workspace.owner.token,
    bot: bot.tokens.bot,
    integration: bot.tokens.integration,
    'no token': undefined,
    'garbage token': 'bp_bak_garbage',
    'expired token': await newExpiredToken(workspace),
    'revoked token': isLeftOut('clock') ? '' : await newRevokedToken(workspace),
    "bot's revoked key": await newRevokedKey(),
    'token with scopes for other operations': await newScopedToken(workspace, ['admin:listBots']),
    'no x-bot-id': bot.tokens.bot,
    'unknown bot': bot.tokens.bot,
    'not a member': stranger.owner.token,
    "another bot's key": other.tokens.bot,
    'an integration that is not installed': other.tokens.integration,
  };
  endpoint = createServer((_, response) => response.end('{"output":{}}')).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  await workspace.owner.client.updateBot({ id: bot.id, url });
});

async function newRevokedKey(): Promise<string> {
  const { client } = bot.workspace.owner;
  const { id, value } = await client.createBotApiKey({ botId: bot.id });
  await client.deleteBotApiKey({ id });
  return value;
}

afterAll(() => {
  endpoint.closeAllConnections();
  endpoint.close();
});

const namedBot = (caller: Caller) =>
  caller === 'no x-bot-id' ? undefined : caller === 'unknown bot' ? randomUUID() : bot.id;
const isNobody = (caller: Caller): caller is Nobody => caller in REFUSED;
const TYPES = { 400: 'InvalidPayload', 401: 'Unauthorized', 403: 'Forbidden' } as const;

const operations = (platformApi.operations as readonly PlatformOperation[]).filter(
  // A deployment under test has no model.
  ({ scope, model }) => scope === 'bot' && !(model && isLeftOut('settings')),
);

/** Returns a request that succeeds for an authorised caller. */
async function requestOf(
  { group, name }: PlatformOperation,
  client: AdminClient,
  { accountId, own }: { accountId?: string | undefined; own?: AdminClient | undefined },
) {
  if (group === 'files') return below('/files', await FILES_REQUESTS[name as FilesOperation]({ client }));
  if (group === 'tables') return below('/tables', await TABLES_REQUESTS[name as TablesOperation]({ client }));
  if (group === 'cognitive') return below('/cognitive', COGNITIVE_REQUESTS[name as CognitiveOperation]());
  return below('/chat', await BOT_CHAT_REQUESTS[name as BotChatOperation]({ botId: bot.id, client, accountId, own }));
}

/** Read requests by operation and creating client, which callers share. */
const reads = new Map<string, ReturnType<typeof requestOf>>();
function requestBy(operation: PlatformOperation, caller: Caller) {
  const maker = caller === 'integration' ? 'integration' : 'client';
  const key = `${operation.name} ${maker}`;
  const request = reads.get(key) ?? requestOf(operation, bot[maker], ownedBy(caller));
  if (operation.method === 'GET') reads.set(key, request);
  return request;
}

/** Returns the operations that a member calls with their own account. */
const ownedBy = (caller: Caller) => {
  const accountId = accounts[caller];
  return accountId === undefined ? {} : { accountId, own: bot.clientOf(tokens[caller]!) };
};

const below = (base: string, { path, body }: { path: string; body?: unknown }) => ({ path: `${base}${path}`, body });

describe.each(operations.map((operation, i) => ({ operation, name: operation.name, i })))(
  '$name',
  ({ operation, i }) => {
    it.each(sampled(CALLERS, 3, i))('applies its permissions to %s', async caller => {
      const { group, name, method, statuses, path: declared } = operation;
      const expected = isNobody(caller) ? REFUSED[caller] : ruleOf(group, name)[caller] ? 'success' : 403;
      // Rejections precede every lookup.
      const { path, body } =
        expected === 'success'
          ? await requestBy(operation, caller)
          : { path: declared.replace(/\{\w+\}/g, 'x'), body: undefined };

      const answer = await call(apiBaseUrl() + prefixOf(platformApi, operation) + path, {
        method,
        token: tokens[caller],
        botId: namedBot(caller),
        body,
      });

      if (expected === 'success') {
        expect(statuses, JSON.stringify(answer.body)).toContain(answer.status);
      } else {
        expect({ status: answer.status, type: answer.body.type }).toEqual({ status: expected, type: TYPES[expected] });
      }
    });
  },
);
