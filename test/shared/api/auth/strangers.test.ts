/**
 * Creates two tenants with equal names and foreign ids. Calls every operation of one with every id of the other, by
 * each token. The other tenant's data neither changes nor is revealed.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { apis, chatApi, platformApi } from '#infra/gateway/apis.ts';
import type { ChatOperation } from '#shared/api/operations/chat.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { useModel } from '#test/support/languageModel.ts';
import {
  apiBaseUrl,
  call,
  isLeftOut,
  newBot,
  newUser,
  newWorkspace,
  settled,
  type TestBot,
  usePlatform,
} from '#test/support/platform.ts';
import { ADMIN_REQUESTS, type AdminOperation } from '#test/support/requests/admin.ts';
import { BOT_CHAT_REQUESTS, type BotChatOperation } from '#test/support/requests/botChat.ts';
import { ADMIN_SECRET, CHAT_REQUESTS, type ChatOperationName, type ChatRecords } from '#test/support/requests/chat.ts';
import { COGNITIVE_REQUESTS, type CognitiveOperation } from '#test/support/requests/cognitive.ts';
import { FILES_REQUESTS, type FilesOperation } from '#test/support/requests/files.ts';
import { TABLES_REQUESTS, type TablesOperation } from '#test/support/requests/tables.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();
useModel();

/** Excluded operations, with the reason. */
const LEFT_OUT: Record<string, string> = {
  createSession: 'It ignores the workspace: a caller signs in as itself.',
  acceptInvitation: 'Anyone with the invitation token may accept it.',
  joinWorkspace: 'Anyone with the invitation token may accept it.',
  inspectInvitation: 'Anyone with the invitation token may read it.',
  startSingleSignOn: 'Anyone may begin a sign-in. The identity provider decides.',
  finishSingleSignOn: 'The code of the identity provider is the credential.',
  requestBodyUpload: 'A slot belongs to the caller; what is uploaded there is attempted with x-body-ref.',
  hello: 'It says nothing.',
  getWidget: 'Everyone may read the content of a widget, which pages show to every visitor.',
  sendPerfMetrics: 'It keeps nothing.',
};

/** Part of all content of the victim. */
const SECRET = 'only-the-victim-knows';

type Client = Awaited<ReturnType<typeof newUser>>['client'];
interface Tenant extends TestBot {
  user: { client: Client; key: string };
  records: ChatRecords;
  adminSecret: string;
  /** Reference of an uploaded body. */
  bodyRef: string;
  fileId: string;
}

const bodyOf = (text: string) => JSON.stringify({ name: text });

/** Creates a tenant with the same names and foreign ids, and separate secrets. */
async function newTenant(text: string, adminSecret: string): Promise<Tenant> {
  const bot = await newBot(await newWorkspace('Acme'));
  await bot.workspace.owner.client.updateBot({
    id: bot.id,
    integrations: { chat: { configuration: { adminSecret, fileUploads: true } } },
  });
  const newNamed = (fields: { id: string; name?: string }) => newUser(bot, fields, adminSecret);
  const [ada, bob] = [await newNamed({ id: 'ada', name: text }), await newNamed({ id: 'bob' })];
  await newNamed({ id: 'eve' });
  await ada.client.createConversation({ id: 'talk' });
  await ada.client.addParticipant({ conversationId: 'talk', userId: 'bob' });
  const { message } = await bob.client.createMessage({ conversationId: 'talk', payload: { type: 'text', text } });
  const { event } = await bob.client.createEvent({ conversationId: 'talk', payload: { text } });
  const { client } = bot;
  await client.setState({ type: 'bot', id: bot.id, name: 'memory', payload: { text } });
  await client.createTable({ name: 'peopleTable', schema: { name: 'Ada' } });
  await client.createTableRows({ table: 'peopleTable', rows: [{ name: text }] });
  await client.uploadFile({ key: 'same.txt', content: text });
  await client.createKnowledgeBase({ name: 'Manuals' });
  await client.createWorkflow({ name: 'daily', status: 'pending', input: { text } });
  const { workspace } = bot;
  const slot = await workspace.call('POST', '/body-uploads', { body: { size: Buffer.byteLength(bodyOf(text)) } });
  await fetch(slot.body.url, { method: 'PUT', body: bodyOf(text) });
  const file = (await client.listFiles({})).files.find(({ key }) => key === 'same.txt')!;
  const records = { conversation: 'talk', participant: 'bob', bystander: 'eve', message: message.id, event: event.id };
  return { ...bot, user: ada, records, adminSecret, bodyRef: slot.body.ref, fileId: file.id };
}

interface Attempt {
  name: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

let victim: Tenant;
let attacker: Tenant;
let attempts: Attempt[];

beforeAll(async () => {
  [victim, attacker] = [
    await newTenant(SECRET, 'q3Vx0t6fJm2yWb8cLr5zKd1nHs7pGu4eTa9i'),
    await newTenant('nothing special', ADMIN_SECRET),
  ];
  attempts = [...(await adminAttempts()), ...(await botAttempts()), ...chatAttempts(), ...otherAttempts()];
}, 120_000);

const tokensOf = ({ tokens, workspace }: Tenant) => [tokens.bot, tokens.integration, workspace.owner.token];
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const operationsOf = (group: string) =>
  (platformApi.operations as readonly PlatformOperation[]).filter(
    operation => operation.group === group && operation.scope !== 'public',
  );

/** Returns requests that would succeed for the victim's owner, sent by the attacker in both workspaces. */
async function adminAttempts(): Promise<Attempt[]> {
  const scope = {
    workspace: victim.workspace,
    client: victim.workspace.owner.client,
    botId: victim.id,
    integrationId: victim.integrationId,
  };
  const made: Attempt[] = [];
  for (const { name, method } of operationsOf('admin')) {
    const { path, body } = await ADMIN_REQUESTS[name as AdminOperation](scope);
    if (Object.hasOwn(LEFT_OUT, name)) continue;
    for (const token of tokensOf(attacker)) {
      for (const workspaceId of [victim.workspace.id, attacker.workspace.id]) {
        const headers = { ...bearer(token), 'x-workspace-id': workspaceId };
        made.push({ name, method, url: `${apiBaseUrl()}/v1/admin${path}`, headers, body });
      }
    }
  }
  return made;
}

async function botAttempts(): Promise<Attempt[]> {
  const made: Attempt[] = [];
  const requests = {
    botChat: (name: string) => BOT_CHAT_REQUESTS[name as BotChatOperation]({ botId: victim.id, client: victim.client }),
    files: (name: string) => FILES_REQUESTS[name as FilesOperation]({ client: victim.client }),
    tables: (name: string) => TABLES_REQUESTS[name as TablesOperation]({ client: victim.client }),
    cognitive: (name: string) => COGNITIVE_REQUESTS[name as CognitiveOperation](),
  };
  for (const group of ['botChat', 'files', 'tables', 'cognitive'] as const) {
    for (const { name, method } of operationsOf(group)) {
      const { path, body } = await requests[group](name);
      const url = `${apiBaseUrl()}/${group === 'cognitive' ? 'v2' : 'v1'}/${group === 'botChat' ? 'chat' : group}${path}`;
      for (const token of tokensOf(attacker)) {
        const places: Record<string, string>[] = [
          { 'x-bot-id': victim.id },
          { 'x-bot-id': attacker.id },
          { 'x-bot-id': attacker.id, 'x-integration-id': victim.integrationId },
        ];
        for (const headers of places) {
          made.push({ name, method, url, headers: { ...bearer(token), ...headers }, body });
        }
      }
    }
  }
  return made;
}

/**
 * Returns calls of the victim's webhook with the attacker's key, and of the attacker's webhook with the victim's key or
 * internal ids.
 */
function chatAttempts(): Attempt[] {
  return (chatApi.operations as readonly ChatOperation[])
    .filter(({ access }) => access.who !== 'anyone')
    .flatMap(({ name, method, streams, access }) => {
      const { path: usual, body } = CHAT_REQUESTS[name as ChatOperationName](victim.records);
      const path = name === 'initializeConversation' ? `${usual}?conversationId=talk` : usual;
      if (access.who === 'admin') {
        // Sends the attacker's admin secret to the victim's webhook, and the victim's user key to the attacker's.
        const headers = { 'x-admin-secret': attacker.adminSecret, 'x-user-key': victim.user.key };
        return [{ name, method, url: victim.chatUrl + path, headers, body }];
      }
      return [
        { name, method, url: victim.chatUrl + path, headers: { 'x-user-key': attacker.user.key }, body },
        { name, method, url: attacker.chatUrl + path, headers: { 'x-user-key': victim.user.key }, body },
        // The attacker's conversation has the same foreign id, so the call reaches the victim's message and event.
        ...((/Message|Event|markRead/.test(name) && method === 'GET') || streams
          ? [{ name, method, url: attacker.chatUrl + path, headers: { 'x-user-key': attacker.user.key }, body }]
          : []),
      ];
    });
}

/** Returns calls with references in headers and URLs: an uploaded body, a public URL of known ids, the OAuth URL. */
function otherAttempts(): Attempt[] {
  const { id, workspace, bodyRef, fileId } = victim;
  const content = `${id.replaceAll('-', '')}${fileId.slice('file_'.length)}${'0'.repeat(24)}`;
  const named = { name: 'x-body-ref', method: 'POST', headers: {} };
  return [
    ...[attacker.workspace.id, workspace.id].map(workspaceId => ({
      ...named,
      url: `${apiBaseUrl()}/v1/admin/bots`,
      headers: { ...bearer(attacker.workspace.owner.token), 'x-workspace-id': workspaceId, 'x-body-ref': bodyRef },
    })),
    ...tokensOf(attacker).map(token => ({
      ...named,
      url: `${apiBaseUrl()}/v1/tables/peopleTable/rows`,
      headers: { ...bearer(token), 'x-bot-id': attacker.id, 'x-body-ref': bodyRef },
    })),
    { name: 'readPublicContent', method: 'GET', url: `${apiBaseUrl()}/v1/content/${content}`, headers: {} },
    {
      name: 'receiveWebhook',
      method: 'POST',
      url: `${apiBaseUrl()}/webhook/oauth?code=stolen&state=${victim.webhookId}`,
      headers: bearer(attacker.tokens.integration),
      body: {},
    },
    {
      name: 'receiveWebhook',
      method: 'POST',
      url: `${apiBaseUrl()}/webhook/${victim.webhookId}`,
      headers: { ...bearer(attacker.tokens.integration), 'x-bp-integration-identifier': 'mine' },
      body: {},
    },
  ];
}

/** Reads the start of a stream, which contains its state. */
async function start(url: string, headers: Record<string, string>) {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(3_000) });
  let text = '';
  try {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes('data: {') && text.endsWith('\n\n')) break;
    }
  } catch {
    // The stream sent no signal in time.
  }
  return { status: response.status, body: text };
}

/** Returns everything that is stored under the victim's ids. */
async function dump(): Promise<Record<string, unknown>[]> {
  const ids = [
    victim.id,
    victim.workspace.id,
    victim.integrationId,
    victim.webhookId,
    victim.workspace.owner.accountId,
  ];
  const items = (await Promise.all(ids.map(id => scanItems(id)))).flat();
  // The victim's own use of a token is recorded once an hour.
  return items
    .map(({ lastUsedAtMs: _, ...item }) => item)
    .sort((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1));
}

describe.skipIf(isLeftOut('roles'))('a stranger', () => {
  it('attempts every operation', () => {
    const attempted = new Set(attempts.map(({ name }) => name));
    const missed = apis.flatMap(api => api.operations.map(({ name }) => name)).filter(name => !attempted.has(name));

    expect(missed.sort()).toEqual(Object.keys(LEFT_OUT).sort());
  });

  it("neither changes nor reads another tenant's data with any operation and ids", {
    timeout: 300_000,
  }, async () => {
    await settled();
    const before = await dump();

    const shown: string[] = [];
    const failed: string[] = [];
    const allowed: string[] = [];
    for (let i = 0; i < attempts.length; i += 10) {
      await Promise.all(
        attempts.slice(i, i + 10).map(async ({ name, method, url, headers, body }) => {
          const isStream = /\/(?:listen|initialize)(?:\?|$)/.test(url);
          const answer = isStream ? await start(url, headers) : await call(url, { method, headers, body });
          const text = JSON.stringify(answer.body);
          const where = `${name} ${method} ${url} ${JSON.stringify(headers)}: ${answer.status}`;
          if (text.includes(SECRET)) shown.push(where);
          if (answer.status >= 500) failed.push(`${where} ${text}`);
          const isAtVictim =
            headers['x-bot-id'] === victim.id ||
            headers['x-workspace-id'] === victim.workspace.id ||
            url.startsWith(victim.chatUrl);
          if (isAtVictim && answer.status < 300) allowed.push(where);
        }),
      );
    }
    await settled();

    expect(attempts.length).toBeGreaterThan(900);
    expect({ shown, failed, allowed }).toEqual({ shown: [], failed: [], allowed: [] });
    expect(await dump()).toEqual(before);
  });
});
