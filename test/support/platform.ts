/**
 * The platform under test: one in this process (the local gateway, DynamoDB Local, an object store), or the deployed one that
 * PARLEY_TARGET names. Either way tests speak HTTP, and touch the table only to install a tenant.
 */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, inject, vi } from 'vitest';
import type { Platform } from '#infra/local/platform.ts';
import { newBucket } from '#infra/local/services/s3.ts';
import { signUserKey } from '#shared/api/chat/userKey.ts';
import type { Webhook } from '#shared/dynamodb/chat/webhooks.ts';
import type { Role } from '#shared/dynamodb/workspace/roles.ts';
import { ownRegion } from './ownRegion.ts';

// The package's ES module is made for browsers and does not load in Node.
const load = createRequire(import.meta.url);
export const chat: typeof import('@botpress/chat') = load('@botpress/chat');
export const { Client }: typeof import('@botpress/client') = load('@botpress/client');
/** The official client; its name in the package. */
export type AdminClient = InstanceType<typeof Client>;

const target: { chatBaseUrl: string; apiBaseUrl: string } | undefined =
  process.env.PARLEY_TARGET && JSON.parse(process.env.PARLEY_TARGET);

/** Reasons for which API tests are skipped against an emulated deployment. The local platform runs them all. */
const NOT_EMULATED = {
  faults: 'The faults are put into the SDK of this process; a deployed function has a process and an SDK of its own.',
  slash: 'The emulator splits a path at an encoded slash, which API Gateway leaves inside its segment.',
  limits: 'The emulator hands a function more than the 6 MB that Lambda takes.',
  clock: 'The clock is that of this process; a deployed function has one of its own.',
  roles: 'Roles are told apart by the same code wherever it runs: one caller of each kind shows that it does.',
  stream: 'The emulator neither streams answers nor knows the call of Lambda that does.',
  content: 'The emulator has one address for everything, and sends none of the headers of a distribution.',
  log: 'The log is read off the console of this process; that of a deployed function goes to CloudWatch.',
} as const;

/** Whether these tests are skipped, for the reason in {@link NOT_EMULATED}. */
export const isLeftOut = (_: keyof typeof NOT_EMULATED) => target !== undefined;

/**
 * Concurrent callers in tests that send many. The emulator starts a process for each, and a small machine cannot start a hundred
 * within the functions' time limits.
 */
export const CROWD = target ? 10 : 100;

/** Runs `work` `times` times, a {@link CROWD} at a time. @returns all results */
export async function crowds<T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < times) {
    const size = Math.min(CROWD, times - results.length);
    results.push(...(await Promise.all(Array.from({ length: size }, (_, i) => work(results.length + i)))));
  }
  return results;
}

/** Shared by the test files of a worker where they share modules (`vitest.config.ts`). */
let platform: Platform | undefined;

/** Starts the platform for the tests of a file. */
export function usePlatform(): void {
  const tableName = `test-${randomUUID()}`;
  beforeAll(async () => {
    if (target || platform) return;
    const { startPlatform } = await import('#infra/local/platform.ts');
    platform = await startPlatform({
      port: 0,
      dynamodbEndpoint: inject('dynamodbEndpoint'),
      s3Endpoint: inject('s3Endpoint'),
      region: ownRegion(),
      tableName,
      // A bucket of its own: an upload without a known file is deleted.
      bucketName: await newBucket(inject('s3Endpoint'), tableName),
    });
  });
  afterAll(async () => {
    if (!platform || inject('isShared')) return;
    await platform.stop();
  });
}

/** Settles when all consequences of earlier writes are processed. In-process platform only. */
export const settled = () => platform!.idle();

export const chatBaseUrl = () => (target ?? platform!).chatBaseUrl;
export const apiBaseUrl = () => (target ?? platform!).apiBaseUrl;

/** An installation of the chat integration on a bot of its own. */
export interface Installation extends Webhook {
  /** `{chat_base_url}/{webhookUrl}` */
  chatUrl: string;
  /** A key for the user with this foreign id. */
  keyOf(foreignId: string): string;
}

export async function install(settings: Partial<Webhook> = {}): Promise<Installation> {
  const { newWebhook } = await import('./tenants.ts');
  const webhook = await newWebhook(settings);
  return {
    ...webhook,
    chatUrl: `${chatBaseUrl()}/${webhook.webhookId}`,
    keyOf: foreignId => signUserKey(webhook, foreignId),
  };
}

/** A user of an installation, with an official client. */
export async function newUser({ chatUrl }: Pick<Installation, 'chatUrl'>, fields: { id?: string; name?: string } = {}) {
  const client = new chat.Client({ apiUrl: chatUrl });
  const { user, key } = await client.createUser(fields);
  return { user, key, client: await chat.Client.connect({ apiUrl: chatUrl, userKey: key }) };
}

export interface RawAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the test judges what came
  body: any;
}

/** Sends one HTTP request. A body other than a string or bytes is sent as JSON. */
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
    /** A user key. */
    key?: string | undefined;
    /** A token of an account, bot or integration. */
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
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
}

/** The emulator starts a process for each event, many at once. */
const PATIENCE_MS = target ? 90_000 : 15_000;

/** Repeats an expectation about an eventual consequence until it holds. */
export const eventually = <T>(expectation: () => Promise<T>, timeout = PATIENCE_MS) =>
  vi.waitFor(expectation, { timeout: Math.max(timeout, target ? PATIENCE_MS : 0), interval: target ? 250 : 50 });

/** A member with a token and an official client. */
interface Member {
  token: string;
  accountId: string;
  memberId: string;
  client: AdminClient;
}

/** A workspace with its owner; other members can join. */
export interface TestWorkspace {
  id: string;
  owner: Member;
  /** An official client with any token, in this workspace. */
  clientOf(token: string): AdminClient;
  /** Adds a member, who accepts the invitation. */
  join(role: Role): Promise<Member>;
  /** One raw request to the admin interface, by the owner unless a token is given. */
  call(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<RawAnswer>;
}

export async function newWorkspace(name = 'Acme'): Promise<TestWorkspace> {
  const { bootstrap } = await import('#shared/admin/bootstrap.ts');
  const { workspaceId: id, token: ownerToken, accountId } = await bootstrap(`${randomUUID()}@example.com`, name);
  const clientOf = (token: string) => new Client({ apiUrl: apiBaseUrl(), token, workspaceId: id });
  const raw: TestWorkspace['call'] = (method, path, options = {}) =>
    call(`${apiBaseUrl()}/v1/admin${path}`, { method, token: ownerToken!, workspaceId: id, ...options });
  const memberWith = async (token: string, id: string): Promise<Member> => {
    const client = clientOf(token);
    return { token, accountId: id, memberId: (await client.getWorkspaceMember({})).id, client };
  };
  return {
    id,
    owner: await memberWith(ownerToken!, accountId),
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

/** An integration of a workspace, installed on a new bot of it. */
export async function newBotWithIntegration({ owner }: TestWorkspace, configuration: Record<string, unknown> = {}) {
  const { integration } = await owner.client.createIntegration({
    name: `i${randomUUID().slice(0, 8)}`,
    version: '1.0.0',
  });
  const created = await owner.client.createBot({ name: 'Bot' });
  const { bot } = await owner.client.updateBot({
    id: created.bot.id,
    integrations: { chat: { integrationId: integration.id, enabled: true, configuration } },
  });
  const { webhookId } = bot.integrations.chat!;
  return { bot, integration, webhookId, chatUrl: `${chatBaseUrl()}/${webhookId}` };
}

/** A bot with an integration, and a client for each. */
export interface TestBot {
  id: string;
  integrationId: string;
  /** `{chat_base_url}/{webhookUrl}` of its chat integration. */
  chatUrl: string;
  webhookId: string;
  workspace: TestWorkspace;
  tokens: { bot: string; integration: string };
  /** Official clients of the bot and of the integration on it. */
  client: AdminClient;
  integration: AdminClient;
  /** An official client with any token, for this bot. */
  clientOf(token: string, options?: { integrationAlias?: string }): AdminClient;
  /** One raw request to the bot-level chat interface, by the bot unless a token is given. */
  call: RawCall;
  /** The same to the files interface. */
  callFiles: RawCall;
  /** The same to the tables interface. */
  callTables: RawCall;
}

type RawCall = (
  method: string,
  path: string,
  options?: { token?: string; body?: unknown; headers?: Record<string, string> },
) => Promise<RawAnswer>;

/** A bot on which the integration is installed as `chat`. */
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
