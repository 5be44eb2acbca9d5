/** Creates a workspace with a record of every kind and a unique word in every text. */

import { randomUUID } from 'node:crypto';
import { inboxOf } from './agents.ts';
import { afterRollout, SHOWS_KEY } from './deployedCode.ts';
import { startEndpoint } from './endpoint.ts';
import { untilStatus, upload } from './files.ts';
import { callChat } from './handoffs.ts';
import { labelConversation, labelsOf } from './labels.ts';
import {
  chat,
  eventually,
  newBot,
  newUser,
  newWorkspace,
  settled,
  type TestBot,
  type TestWorkspace,
} from './platform.ts';
import { requestJson } from './requestJson.ts';
import { random } from './seed.ts';
import { startImport, untilEnded } from './tableJobs.ts';

/** Characters that readers of lines, of CSV or of JSON may take for others. */
const ODD_CHARACTERS = '\u2028\u2029\u0085\ufeff\u0000\ud83d\ude00';

export interface FullWorkspace {
  workspace: TestWorkspace;
  bot: TestBot;
  /** Part of every text, name and tag. */
  word: string;
  user: { id: string; key: string };
  conversationId: string;
  fileId: string;
}

const HOUR_MS = 3_600_000;

/** Returns a word that occurs only in sealed values. */
export const secretOf = (word: string) => `secret of ${word}`;

export async function fullWorkspace(word = `w${randomUUID().replaceAll('-', '')}`): Promise<FullWorkspace> {
  const workspace = await newWorkspace(`Workspace ${word}`);
  const bot = await newBot(workspace);
  await describeWorkspace(workspace, bot, word);
  const webhookId = bot.chatUrl.split('/').at(-1);
  const widget = { settings: { greeting: word }, version: 0 };
  await workspace.call('PUT', `/bots/${bot.id}/widgets/${webhookId}`, { body: widget });
  const { user, conversationId } = await talk(bot, word);
  await speak(bot, word);
  await callChat(bot.clientOf(workspace.owner.token), 'POST', '/saved-replies', { name: 'hello', text: word });
  await bot.call('PUT', `/users/${user.id}/contact`, { body: { company: word } });
  const label = await labelsOf(workspace).created(`l${word.slice(1, 20)}`);
  await labelConversation(bot, conversationId, { add: [label.id] });
  const fileId = await store(bot, word);
  await tabulate(bot, word);
  await goOut(bot, user, conversationId, word);
  return { workspace, bot, word, user, conversationId, fileId };
}

async function describeWorkspace(workspace: TestWorkspace, bot: TestBot, word: string): Promise<void> {
  const { client } = workspace.owner;
  const handle = `h${word.slice(1, 20)}`;
  await client.updateWorkspace({ id: workspace.id, handle, about: word, isPublic: true });
  await workspace.call('POST', '/workspaces/preferences/k', { body: { value: word } });
  await workspace.call('POST', '/account/preferences/k', { body: { value: word } });
  await workspace.join('developer');
  await workspace.call('POST', '/workspace-members', { body: { email: `${word}@example.com`, role: 'viewer' } });
  await client.createInterface({ name: `i${handle}`, version: '1.0.0' });
  await client.createPlugin({ name: `p${handle}`, version: '1.0.0', code: { node: word, browser: word } });
  await client.createIntegration({ name: `${handle}/x`, version: '1.0.0', visibility: 'public', readme: btoa(word) });
  const { bot: deployed } = await client.createBot({ code: SHOWS_KEY });
  await afterRollout({ kind: 'bot', id: deployed.id });
  await client.createIntegrationShareableId({ botId: bot.id, integrationId: bot.integrationId });
  await inboxOf(workspace).setSettings({ releaseAfterMinutes: 5 });
  await inboxOf(workspace).setAvailability('online');
  const secrets = { SECRET: secretOf(word) };
  const yearly = { schedule: { cron: '@yearly' }, type: 'e', payload: {} };
  await client.updateBot({
    id: bot.id,
    secrets,
    configuration: { data: { word, secret: secretOf(word) } },
    recurringEvents: { yearly },
  });
}

async function talk(bot: TestBot, word: string) {
  const { user, key, client } = await newUser(bot, { name: word, profile: word });
  const { user: other } = await newUser(bot, { id: `f${word}`.slice(0, 60), name: word });
  const { conversation } = await client.createConversation({ id: `c${word}`.slice(0, 60) });
  const { id: conversationId } = conversation;
  await client.addParticipant({ conversationId, userId: other.id });
  await client.removeParticipant({ conversationId, userId: other.id });
  const { message } = await client.createMessage({ conversationId, payload: { type: 'text', text: `Hello ${word}` } });
  await client.createMessage({ conversationId, payload: { type: 'text', text: bigText(word) } });
  await client.createMessage({
    conversationId,
    payload: { type: 'text', text: `${`${word} `.repeat(20_000)}${ODD_CHARACTERS}` },
  });
  const { message: gone } = await client.createMessage({ conversationId, payload: { type: 'text', text: word } });
  await client.deleteMessage({ id: gone.id });
  await client.createEvent({ conversationId, payload: { word } });
  const asUser = (method: string, path: string, body: object, headers = {}) =>
    requestJson(method, `${bot.chatUrl}${path}`, { headers: { 'x-user-key': key, ...headers }, body });
  await asUser('PUT', `/messages/${message.id}/feedback`, { value: 'positive', comment: word });
  await asUser('PUT', `/conversations/${conversationId}/visit`, { url: `https://shop.example/${word}`, title: word });
  const said = { conversationId, payload: { type: 'text', text: `Once ${word}` } };
  await asUser('POST', '/messages', said, { 'idempotency-key': word });
  return { user: { id: user.id, key }, conversationId };
}

/** Returns a text that is too large for an item, even compressed. */
const bigText = (word: string) => `${word} ${Array.from({ length: 40_000 }, () => random().toString(36)).join('')}`;

async function speak({ client, id: botId, workspace, clientOf }: TestBot, word: string): Promise<void> {
  const tags = { color: word };
  const { conversation } = await client.getOrCreateConversation({ channel: 'channel', tags });
  await client.updateUser({ id: botId, tags: { account: word } });
  const { user } = await client.createUser({ tags, name: word });
  const { id: conversationId } = conversation;
  await client.addParticipant({ id: conversationId, userId: user.id });
  const message = { conversationId, userId: botId, type: 'text', payload: { text: word }, tags };
  await client.getOrCreateMessage(message);
  await client.createMessage({ ...message, schedule: { delay: HOUR_MS } });
  await client.createEvent({ type: 'e', payload: { word }, schedule: { delay: HOUR_MS } });
  await client.createEvent({ type: 'e', payload: { word }, conversationId });
  await callChat(client, 'POST', '/handoffs', { conversationId, reason: word });
  await callChat(client, 'POST', `/conversations/${conversationId}/notes`, { text: word });
  const owner = clientOf(workspace.owner.token);
  await callChat(owner, 'POST', `/conversations/${conversationId}/presence`, { state: 'viewing' });
  const { workflow } = await client.getOrCreateWorkflow({ name: 'w', status: 'pending', tags, conversationId });
  const owners = {
    conversation: conversationId,
    user: user.id,
    workflow: workflow.id,
    bot: botId,
    integration: 'chat',
  };
  for (const [type, id] of Object.entries(owners)) {
    const state = { type: type as 'bot', id, name: 's', payload: { word }, expiry: HOUR_MS };
    await client.setState(state);
  }
}

/** Creates an outbound message that an integration rejects, and a pending event of a bot that is down. */
async function goOut(bot: TestBot, user: FullWorkspace['user'], conversationId: string, word: string): Promise<void> {
  const { workspace, id, client } = bot;
  const endpoint = await startEndpoint(({ operation }, response) => {
    response.writeHead(operation === 'register' ? 200 : 400).end('{}');
  });
  const { client: owner } = workspace.owner;
  const name = `out-${word.slice(0, 20)}`;
  const { integration } = await owner.createIntegration({ name, version: '1.0.0', url: endpoint.url });
  const integrations = { out: { integrationId: integration.id, configuration: { word } } };
  await owner.updateBot({ id, integrations });
  const { value } = await owner.createIntegrationApiKey({ integrationId: integration.id });
  const { conversation } = await bot
    .clientOf(value, { integrationAlias: 'out' })
    .createConversation({ channel: 'channel', tags: {} });
  await client.createMessage({
    conversationId: conversation.id,
    userId: id,
    type: 'text',
    payload: { text: word },
    tags: {},
  });
  await settled();
  endpoint.stop();
  await owner.updateBot({ id, url: 'http://127.0.0.1:1' });
  await owner.createBotVersion({ id, name: word });
  const chatUser = await chat.Client.connect({ apiUrl: bot.chatUrl, userKey: user.key });
  // Enqueuing deliveries caches the bot briefly.
  await eventually(async () => {
    await chatUser.createMessage({ conversationId, payload: { type: 'text', text: word } });
    await settled();
    const { events } = await client.listEvents({ status: 'pending' });
    if (events.length === 0) throw new Error('nothing waits');
  });
}

async function store({ client, integration }: TestBot, word: string): Promise<string> {
  const tags = { topic: word };
  const text = `The kettle of ${word} boils at dawn. `.repeat(20);
  const options = { key: `${word}.txt`, content: text, index: true, tags, metadata: { word } };
  const file = await upload(client, { ...options, accessPolicies: ['integrations'] });
  await upload(integration, { key: `own-${word}.txt`, content: word });
  await client.upsertFile({ key: `pending-${word}.txt`, size: 5 });
  await client.createKnowledgeBase({ name: word });
  return (await untilStatus(client, file.id, 'indexing_completed')).id;
}

async function tabulate({ client }: TestBot, word: string): Promise<void> {
  const text = { type: 'string' as const, 'x-zui': { searchable: true } };
  await client.createTable({
    name: `${word.slice(0, 20)}Table`,
    keyColumn: 'name',
    schema: { type: 'object', properties: { name: text, age: { type: 'number' } } },
  });
  const table = `${word.slice(0, 20)}Table`;
  await client.createTableRows({
    table,
    rows: [
      { name: `Ada ${word}`, age: 36 },
      { name: `Bob ${word}`, age: 7 },
    ],
  });
  const job = await startImport(client, table, `name,age\nEve ${word},9\n`, `rows-${word}.csv`);
  await untilEnded(client, job);
  await eventually(async () => {
    const { rows } = await client.findTableRows({ table, search: 'Eve' });
    if (rows.length === 0) throw new Error('not searchable yet');
  });
}
