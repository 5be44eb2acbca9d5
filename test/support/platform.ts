/**
 * The platform under test: a local one in this process, or the deployed one in PARLEY_TARGET. Tests use HTTP for both
 * and write to the table only to create tenants.
 */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import type { Platform } from '#infra/local/localPlatform.ts';
import { newBucket } from '#infra/local/services/s3.ts';
import { gathering } from '#infra/local/services/streamBatches.ts';
import { issueUserKey, signUserKey } from '#shared/api/chat/userKey.ts';
import { clock } from '#shared/core/clock.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import type { Role } from '#shared/storage/dynamodb/workspace/roles.ts';
import { ownRegion } from './ownRegion.ts';
import { leaveCallsUnsigned } from './unsignedCalls.ts';

// The package's ES module is built for browsers and does not load in Node.
const load = createRequire(import.meta.url);
export const chat: typeof import('@botpress/chat') = load('@botpress/chat');
export const { Client }: typeof import('@botpress/client') = load('@botpress/client');
/** Official client for all APIs except chat. */
export type AdminClient = InstanceType<typeof Client>;

const target: { chatBaseUrl: string; apiBaseUrl: string; awsChatUrl: string } | undefined =
  process.env.PARLEY_TARGET && JSON.parse(process.env.PARLEY_TARGET);

/** Reasons why some API tests do not run against a deployment. All run locally. */
const NOT_REHEARSED = {
  faults: 'The tests inject faults into the SDK of this process; a deployed function has its own process and SDK.',
  limits: 'The emulator passes more than 6 MB to a function; Lambda does not.',
  clock: 'The tests set the clock of this process; a deployed function has its own.',
  settings: 'The tests change settings of this process; a deployed function has its own.',
  inputs: 'The same code judges inputs wherever it runs; the tests make thousands of calls.',
  process: 'The tests are about calls that share a process; the emulator, as Lambda, gives each call one of its own.',
  roles: 'The same code decides on roles wherever it runs; one caller of each kind is enough.',
  stream: 'The emulator supports no response streaming.',
  connections: 'The emulator deploys no stage of a WebSocket API, and refuses handshakes.',
  copies: 'The emulator keeps the Content-Encoding of an object whose copy replaces its metadata; S3 does not.',
  content: 'The emulator has a single address and sends no headers of a distribution.',
  log: 'The tests read the console of this process; a deployed function logs to CloudWatch.',
} as const;

/** Returns true where tests must be skipped for a reason in {@link NOT_REHEARSED}. */
export const isLeftOut = (_: keyof typeof NOT_REHEARSED) => target !== undefined;

/**
 * Number of concurrent callers. The emulator starts a process for each, and a small machine cannot start a hundred
 * within the functions' time limits.
 */
export const CROWD = target ? 10 : 100;

/** Calls `work` `times` times, {@link CROWD} at a time. @returns all results, in order */
export async function crowds<T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < times) {
    const size = Math.min(CROWD, times - results.length);
    results.push(...(await Promise.all(Array.from({ length: size }, (_, i) => work(results.length + i)))));
  }
  return results;
}

/** All test files of a worker use this instance with {@link useSharedPlatform}. */
let platform: Platform | undefined;
let isShared = false;

/** Returns true if other test files write to the same table. */
export const isTableShared = () => isShared;

/**
 * Starts a platform for this test file in a separate process. Tests may replace parts of the platform, set its
 * variables or scan the table.
 * @param through inserts a proxy between the platform and DynamoDB
 */
export function usePlatform(through = async (dynamodbEndpoint: string) => dynamodbEndpoint): void {
  beforeAll(() => startOnce(through));
  afterAll(async () => {
    await platform?.stop();
    await expectNoRefusals();
  });
}

/**
 * Shares one platform between the files of a worker, because starting it takes longer than most files. A file creates
 * its own tenants, restores its changes, tolerates other files' jobs in the queues, and must not scan the table.
 */
export function useSharedPlatform(): void {
  isShared = true;
  beforeAll(() => startOnce());
  afterAll(expectNoRefusals);
}

async function startOnce(through = async (dynamodbEndpoint: string) => dynamodbEndpoint): Promise<void> {
  if (target || platform) return;
  const { startPlatform } = await import('#infra/local/localPlatform.ts');
  // Shorter than with `npm start`, whose batches resemble AWS.
  gathering.share = 0.05;
  const tableName = `test-${randomUUID()}`;
  platform = await startPlatform({
    port: 0,
    dynamodbEndpoint: await through(inject('dynamodbEndpoint')),
    s3Endpoint: inject('s3Endpoint'),
    region: ownRegion(),
    tableName,
    // Not shared, because a platform deletes uploads without a file record in its table.
    bucketName: await newBucket(inject('s3Endpoint'), tableName),
  });
  leaveCallsUnsigned();
}

/**
 * Checks denied calls, because consumers move such work to the dead letters and no response shows a missing permission.
 */
async function expectNoRefusals(): Promise<void> {
  if (!platform) return;
  const { rejections } = await import('#infra/local/services/tableGuard.ts');
  expect(rejections.splice(0), 'Functions lack rights.').toEqual([]);
}

/** Resolves when consumers have processed all earlier writes and the work these caused. Local platform only. */
export const settled = () => platform!.idle();

/** Ends the delays of jobs, including pauses before retries. Local platform only. */
export const hasten = () => platform!.hasten();

export const chatBaseUrl = () => (target ?? platform!).chatBaseUrl;
/** Returns the URL that the platform publishes. It is AWS's, which the emulator serves under another address. */
export const publishedChatUrl = () => target?.awsChatUrl ?? chatBaseUrl();
export const apiBaseUrl = () => (target ?? platform!).apiBaseUrl;

/** Installation of the chat integration on a separate bot. */
export interface Installation extends Webhook {
  /** `{chat_base_url}/{webhookUrl}` */
  chatUrl: string;
  /** Returns a user key for a foreign id, whose user getOrCreateUser then creates. */
  keyOf(foreignId: string): string;
}

export async function install(settings: Partial<Webhook> = {}): Promise<Installation> {
  const { newWebhook } = await import('./tenants.ts');
  const webhook = await newWebhook(settings);
  return {
    ...webhook,
    chatUrl: `${chatBaseUrl()}/${webhook.webhookId}`,
    keyOf: id =>
      webhook.isPersonalKey ? signUserKey(webhook, { id }) : issueUserKey(webhook, { id, generation: '0000000test' }),
  };
}

/**
 * Creates a user of an installation and connects the official client.
 * @param adminSecret required to choose an id where the installation has one; the official client cannot send it
 */
export async function newUser(
  { chatUrl }: Pick<Installation, 'chatUrl'>,
  fields: { id?: string; name?: string; profile?: string } = {},
  adminSecret?: string,
) {
  const { user, key }: Awaited<ReturnType<InstanceType<typeof chat.Client>['createUser']>> =
    adminSecret === undefined
      ? await new chat.Client({ apiUrl: chatUrl }).createUser(fields)
      : (await call(`${chatUrl}/users`, { method: 'POST', headers: { 'x-admin-secret': adminSecret }, body: fields }))
          .body;
  return { user, key, client: await chat.Client.connect({ apiUrl: chatUrl, userKey: key }) };
}

export interface RawAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any operation; the test asserts its shape
  body: any;
}

/** Sends one HTTP request. A body that is neither a string nor bytes is sent as JSON. */
export async function call(
  url: string,
  {
    method = 'GET',
    key,
    token,
    workspaceId,
    botId,
    headers = {},
    body,
  }: {
    method?: string;
    key?: string | undefined;
    /** Token of an account, bot or integration. */
    token?: string | undefined;
    workspaceId?: string | undefined;
    botId?: string | undefined;
    headers?: Record<string, string>;
    body?: unknown;
  } = {},
): Promise<RawAnswer> {
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'x-user-key': key }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(workspaceId === undefined ? {} : { 'x-workspace-id': workspaceId }),
      ...(botId === undefined ? {} : { 'x-bot-id': botId }),
      ...headers,
    },
    body: (isRaw ? body : JSON.stringify(body)) as string,
  });
  const text = await response.text();
  // JSON lines are returned as text.
  const isJson = text.startsWith('{') && !response.headers.get('content-type')?.includes('ndjson');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** High, because no test asserts a duration. The emulator starts a process per concurrent event. */
const PATIENCE_MS = target ? 90_000 : 60_000;

/** Pauses between attempts of {@link eventually}. They double, because most effects take milliseconds locally. */
const PAUSES_MS = target ? { first: 250, longest: 250 } : { first: 5, longest: 50 };

/** Repeats an expectation on the asynchronous effects of a write until it holds. */
export async function eventually<T>(expectation: () => Promise<T>, timeoutMs = PATIENCE_MS): Promise<T> {
  const endMs = performance.now() + Math.max(timeoutMs, target ? PATIENCE_MS : 0);
  for (let pauseMs = PAUSES_MS.first; ; pauseMs = Math.min(pauseMs * 2, PAUSES_MS.longest)) {
    try {
      return await expectation();
    } catch (error) {
      if (performance.now() > endMs) throw error;
    }
    await setTimeout(pauseMs);
  }
}

export interface Member {
  token: string;
  accountId: string;
  memberId: string;
  client: AdminClient;
}

/** Workspace with its members. */
export interface TestWorkspace {
  id: string;
  owner: Member;
  /** Returns the official client with any token, in this workspace. */
  clientOf(token: string): AdminClient;
  /** Invites a new member and accepts the invitation. */
  join(role: Role): Promise<Member>;
  /** Sends one raw request to the admin group, as the owner unless a token is given. */
  call(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<RawAnswer>;
}

export async function newWorkspace(name = 'Acme'): Promise<TestWorkspace> {
  const { newOwnedWorkspace } = await import('./tenants.ts');
  const { workspaceId: id, token: ownerToken, accountId, memberId } = await newOwnedWorkspace(name);
  const clientOf = (token: string) => new Client({ apiUrl: apiBaseUrl(), token, workspaceId: id });
  const raw: TestWorkspace['call'] = (method, path, options = {}) =>
    call(`${apiBaseUrl()}/v1/admin${path}`, { method, token: ownerToken, workspaceId: id, ...options });
  const memberWith = async (token: string, id: string): Promise<Member> => {
    const client = clientOf(token);
    return { token, accountId: id, memberId: (await client.getWorkspaceMember({})).id, client };
  };
  return {
    id,
    owner: { token: ownerToken, accountId, memberId, client: clientOf(ownerToken) },
    clientOf,
    call: raw,
    join: async role => {
      const { body } = await raw('POST', '/workspace-members', {
        body: { email: `${randomUUID()}@example.com`, role },
      });
      const accepted = await raw('POST', '/invitations/accept', { body: { inviteToken: body.inviteToken } });
      return memberWith(accepted.body.token, accepted.body.account.id);
    },
  };
}

/** Creates a token of the workspace's owner, limited to scopes. */
export const newScopedToken = async ({ call }: TestWorkspace, scopes: string[]): Promise<string> =>
  (await call('POST', '/account/pats', { body: { note: 'scoped', scopes } })).body.pat.value;

/** Signs in with a personal access token or the token of a sign-in link. */
export const newSession = async (token: string): Promise<{ id: string; value: string; expiresAt: string }> =>
  (await call(`${apiBaseUrl()}/v1/admin/account/sessions`, { method: 'POST', token, body: { note: 'Test' } })).body
    .session;

/** Functions cache callers, bots and webhooks for 30 seconds. */
export const CACHED_MS = 31_000;

/** Creates and revokes a token of the workspace's owner, and waits until no function caches it. */
export async function newRevokedToken({ call, owner }: TestWorkspace): Promise<string> {
  const { pat } = await owner.client.createPersonalAccessToken({ note: 'revoked' });
  await call('GET', '/bots', { token: pat.value });
  await owner.client.deletePersonalAccessToken({ id: pat.id });
  clock.advance(CACHED_MS);
  await call('GET', '/bots', { token: pat.value });
  return pat.value;
}

/** Creates an expired token of the workspace's owner. */
export async function newExpiredToken({ call }: TestWorkspace): Promise<string> {
  const lifeMs = target ? 1_000 : 60_000;
  const expiresAt = new Date(clock.now() + lifeMs).toISOString();
  const { body } = await call('POST', '/account/pats', { body: { note: 'expired', expiresAt } });
  if (target) await setTimeout(lifeMs);
  else clock.advance(lifeMs);
  return body.pat.value;
}

let integrationCount = 1;

/** Creates an integration and a bot in a workspace, with the integration installed as `chat`. */
export async function newBotWithIntegration({ owner }: TestWorkspace, configuration: Record<string, unknown> = {}) {
  const { integration } = await owner.client.createIntegration({
    // The name identifies the workspace's chat integration. Versions distinguish several.
    name: 'chat',
    version: `1.0.${integrationCount++}`,
  });
  const created = await owner.client.createBot({ name: 'Bot' });
  const { bot } = await owner.client.updateBot({
    id: created.bot.id,
    integrations: { chat: { integrationId: integration.id, enabled: true, configuration } },
  });
  const { webhookId } = bot.integrations.chat!;
  return { bot, integration, webhookId, chatUrl: `${chatBaseUrl()}/${webhookId}` };
}

/** Bot with an installed integration, and clients for both. */
export interface TestBot {
  id: string;
  integrationId: string;
  /** `{chat_base_url}/{webhookUrl}` of its chat integration. */
  chatUrl: string;
  webhookId: string;
  workspace: TestWorkspace;
  tokens: { bot: string; integration: string };
  /** Official client with the bot's key, and with the integration's. */
  client: AdminClient;
  integration: AdminClient;
  /** Returns the official client with any token, for this bot. */
  clientOf(token: string, options?: { integrationAlias?: string }): AdminClient;
  /** Sends one raw request to the botChat group, as the bot unless a token is given. */
  call: RawCall;
  /** Sends one raw request to the files group. */
  callFiles: RawCall;
  /** Sends one raw request to the tables group. */
  callTables: RawCall;
}

type RawCall = (
  method: string,
  path: string,
  options?: { token?: string; body?: unknown; headers?: Record<string, string> },
) => Promise<RawAnswer>;

/** Creates a bot with an integration that is installed as `chat`. */
export async function newBot(workspace?: TestWorkspace): Promise<TestBot> {
  const home = workspace ?? (await newWorkspace());
  const { bot, integration, webhookId, chatUrl } = await newBotWithIntegration(home);
  const [botKey, integrationKey] = await Promise.all([
    home.owner.client.createBotApiKey({ botId: bot.id }),
    home.owner.client.createIntegrationApiKey({ integrationId: integration.id }),
  ]);
  const tokens = { bot: botKey.value, integration: integrationKey.value };
  const callAt =
    (base: string): RawCall =>
    (method, path, options = {}) =>
      call(`${apiBaseUrl()}/v1${base}${path}`, { method, token: tokens.bot, botId: bot.id, ...options });
  const clientOf: TestBot['clientOf'] = (token, options = {}) =>
    new Client({ apiUrl: apiBaseUrl(), token, botId: bot.id, ...options });
  return {
    id: bot.id,
    integrationId: integration.id,
    chatUrl,
    webhookId,
    workspace: home,
    tokens,
    client: clientOf(tokens.bot),
    integration: clientOf(tokens.integration, { integrationAlias: 'chat' }),
    clientOf,
    call: callAt('/chat'),
    callFiles: callAt('/files'),
    callTables: callAt('/tables'),
  };
}
