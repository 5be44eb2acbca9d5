/** Creates a tenant with a record of every kind, for generated requests and upgrades. */

import { requestJson } from '#test/support/requestJson.ts';
import { newOwnedWorkspace } from '#test/support/tenants.ts';

export interface FullTenant {
  chatUrl: string;
  /** Headers of every request to the platform API, and to the chat API. */
  headers: { platform: Record<string, string>; chat: Record<string, string>; leaver: Record<string, string> };
  ids: Record<string, string[]>;
}

/** @param apiBaseUrl without `/v1` @param chatBaseUrl of all installations */
export async function newFullTenant(apiBaseUrl: string, chatBaseUrl: string): Promise<FullTenant> {
  const { workspaceId, token } = await newOwnedWorkspace('Full');
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId };
  const admin = (method: string, path: string, body?: unknown) =>
    requestJson(method, `${apiBaseUrl}/v1/admin${path}`, { headers, body });
  const { integration } = await admin('POST', '/integrations', { name: 'chat', version: '1.0.0' });
  const newBot = async (name: string): Promise<string> => (await admin('POST', '/bots', { name })).bot.id;
  const botId = await newBot('Full');
  const installed = await admin('PUT', `/bots/${botId}`, {
    integrations: {
      chat: {
        integrationId: integration.id,
        enabled: true,
        configuration: { fileUploads: true, payloadExtensions: true },
      },
    },
  });
  const spareBots = [await newBot('Spare'), await newBot('Spare too')];
  const key = await admin('POST', '/bots/baks', { botId });
  const ofBot = { ...headers, 'x-bot-id': botId };
  const asBot = (method: string, path: string, body?: unknown) =>
    requestJson(method, `${apiBaseUrl}/v1${path}`, {
      headers: { authorization: `Bearer ${key.value}`, 'x-bot-id': botId },
      body,
    });

  const chatUrl = `${chatBaseUrl}/${installed.bot.integrations.chat.webhookId}`;
  const newUser = () => requestJson('POST', `${chatUrl}/users`, { headers: {}, body: {} });
  const [user, other, leaver] = [await newUser(), await newUser(), await newUser()];
  const spareUsers = [await newUser(), await newUser(), await newUser()];
  const chatHeaders = { 'x-user-key': user.key };
  const asUser = (method: string, path: string, body?: unknown) =>
    requestJson(method, `${chatUrl}${path}`, { headers: chatHeaders, body });
  const conversations: string[] = [];
  const messages: string[] = [];
  const events: string[] = [];
  for (let i = 0; i < 3; i++) {
    const { conversation } = await asUser('POST', '/conversations', {});
    await asUser('POST', `/conversations/${conversation.id}/participants`, { userId: other.user.id });
    const said = { conversationId: conversation.id, payload: { type: 'text', text: 'Hello' } };
    messages.push((await asUser('POST', '/messages', said)).message.id);
    events.push((await asUser('POST', '/events', { conversationId: conversation.id, payload: {} })).event.id);
    conversations.push(conversation.id);
  }
  const event = await asBot('POST', '/chat/events', { type: 'custom', payload: {} });
  await asBot('POST', `/chat/states/bot/${botId}/s`, { payload: { a: 1 } });
  const workflow = await asBot('POST', '/chat/workflows', { name: 'w', status: 'pending' });
  const file = await asBot('PUT', '/files', { key: 'a.txt', size: 5 });
  const base = await asBot('POST', '/files/knowledge-bases', { name: 'Manuals' });
  const table = await asBot('POST', '/tables', { name: 'peopleTable', schema: { name: 'Ada', age: 36 } });
  await asBot('POST', '/tables/peopleTable/rows', { rows: [{ name: 'Ada', age: 36 }, { name: 'Bob' }] });
  const code = { node: 'module.exports = 1', browser: '1' };
  await asBot('POST', '/chat/events', { type: 'later', payload: {}, schedule: { delay: 3_600_000 } });
  await asBot('POST', '/chat/users', { tags: { kind: 'guest' } });
  await asBot('PUT', `/chat/conversations/${conversations[0]}`, { tags: { topic: 'tea' } });
  const content = await asBot('PUT', '/files', { key: 'manual.txt', size: 5, index: true, tags: { kind: 'manual' } });
  await fetch(content.file.uploadUrl, { method: 'PUT', body: 'hello', headers: { 'content-type': 'text/plain' } });
  await asBot('POST', '/tables', {
    name: 'keyedTable',
    schema: { email: { type: 'string' } },
    keyColumn: 'email',
  });
  await asBot('POST', '/tables/keyedTable/rows', { rows: [{ email: 'ada@example.com' }] });
  await admin('PUT', `/workspaces/${workspaceId}`, {
    handle: `full-${workspaceId.slice(-8).toLowerCase()}`,
    isPublic: true,
  });
  await admin('POST', '/workspace-members', { email: `${crypto.randomUUID()}@example.com`, role: 'viewer' });
  await admin('POST', '/account/preferences/theme', { value: 'dark' });
  await admin('POST', `/bots/${botId}/integrations/${integration.id}/shareable-id`, {});
  const plugin = await admin('POST', '/plugins', { name: 'p', version: '1.0.0', code, public: true });
  const made = await admin('POST', '/interfaces', { name: 'i', version: '1.0.0', public: true });
  return {
    chatUrl,
    headers: { platform: ofBot, chat: chatHeaders, leaver: { 'x-user-key': leaver.key } },
    ids: {
      bots: [botId],
      spareBots,
      workspaces: [workspaceId],
      integrations: [integration.id],
      conversations,
      // Omits the caller, because requests with these ids may delete the user.
      users: [other, ...spareUsers].map(each => each.user.id),
      messages,
      events: [...events, event.event.id],
      workflows: [workflow.workflow.id],
      files: [content.file.id, file.file.id],
      knowledgeBases: [base.knowledgeBase.id],
      tables: ['peopleTable', table.table.id],
      plugins: [plugin.plugin.id],
      interfaces: [made.interface.id],
      names: ['chat', 'p', 'i'],
      versions: ['1.0.0', 'latest'],
      platforms: ['node', 'browser'],
      owners: [botId, ...conversations],
      usages: [botId, workspaceId],
    },
  };
}
