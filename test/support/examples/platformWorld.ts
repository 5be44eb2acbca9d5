/** Creates the records that examples of the platform API name. */
import { randomUUID } from 'node:crypto';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import {
  addToBot,
  addToMember,
  countDuration,
  countOne,
  countRating,
} from '#shared/storage/dynamodb/bots/reportCounters.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { newFailedMessage } from '#test/support/failedMessages.ts';
import { untilStatus, upload } from '#test/support/files.ts';
import { startIdentityProvider } from '#test/support/identityProvider.ts';
import { newBot, newSession, newWorkspace, type TestBot } from '#test/support/platform.ts';
import type { ExampleWorld } from './world.ts';

const TEXT = { schema: { type: 'object', properties: { text: { type: 'string' } } } };
const CODE = { node: 'module.exports = {}', browser: 'export default {}' };

interface PlatformWorld extends ExampleWorld {
  bot: TestBot;
  endpoint: TestEndpoint;
}

/** Creates a workspace with Ada as the owner, and a bot with an endpoint and the chat integration. */
async function newPlatformWorld(): Promise<PlatformWorld> {
  const workspace = await newWorkspace('Acme');
  const { client } = workspace.owner;
  await client.updateAccount({ displayName: 'Ada' });
  const bot = await newBot(workspace);
  const endpoint = await startEndpoint(({ operation }, response) => {
    response.end(operation === 'action_triggered' ? '{"output":{"order":"42"}}' : '{}');
  });
  await client.updateBot({ id: bot.id, name: 'Tea bot', url: endpoint.url });
  const { account } = await client.getAccount({});
  return {
    bot,
    endpoint,
    real: new Map<string, string>([
      [EXAMPLE.workspace, workspace.id],
      [EXAMPLE.account, workspace.owner.accountId],
      [EXAMPLE.member, workspace.owner.memberId],
      [EXAMPLE.bot, bot.id],
      [EXAMPLE.chatIntegration, bot.integrationId],
      [EXAMPLE.webhook, bot.webhookId],
      ['ada@example.com', account.email],
      ['https://bot.example.com/tea', endpoint.url],
    ]),
    stop: () => endpoint.stop(),
  };
}

export async function newAdminWorld(): Promise<ExampleWorld> {
  const world = await newPlatformWorld();
  const { workspace, id: botId } = world.bot;
  const { client } = workspace.owner;
  const invite = (email: string, from = workspace) =>
    from.call('POST', '/workspace-members', { body: { email, role: 'viewer' } });
  const [invited, pending, other, token, key, session] = await Promise.all([
    invite('bob@example.com'),
    invite('dora@example.com'),
    newWorkspace('Globex'),
    client.createPersonalAccessToken({ note: 'Phone' }),
    client.createBotApiKey({ botId, note: 'Desk' }),
    newSession(workspace.owner.token),
  ]);
  await workspace.call('POST', '/account/preferences/theme', { body: { value: 'light' } });
  await workspace.call('POST', '/workspaces/preferences/language', { body: { value: 'en' } });
  await client.updateWorkspace({ id: workspace.id, isPublic: true, handle: 'acme' });
  const inHub = { version: '1.0.0', public: true };
  const { interface: made } = await client.createInterface({ ...inHub, name: 'listable', entities: { item: TEXT } });
  const { plugin } = await client.createPlugin({ ...inHub, name: 'digest', code: CODE });
  const { integration } = await client.createIntegration({ ...inHub, name: 'mail', title: 'Mail' });
  const integrationKey = await client.createIntegrationApiKey({ integrationId: integration.id, note: 'Desk' });
  await client.createIntegrationShareableId({ botId, integrationId: world.bot.integrationId });
  const webchat = await client.createIntegration({ name: 'webchat', version: '1.0.0' });
  await client.updateBot({ id: botId, integrations: { webchat: { integrationId: webchat.integration.id } } });
  const { version } = await client.createBotVersion({ id: botId, name: 'Stable' });
  const { body } = await workspace.call('POST', `/workspaces/${workspace.id}/exports`, { body: {} });
  const theirs = await invite((await client.getAccount({})).account.email, other);
  const provider = await startIdentityProvider();
  provider.people.eve = { email: 'eve@example.com', name: 'Eve', groups: ['support'] };
  const { issuer, clientId, clientSecret, redirectUri } = provider;
  await workspace.call('PUT', `/workspaces/${workspace.id}/single-sign-on`, {
    body: { issuer, clientId, clientSecret, roles: [{ group: 'support', role: 'agent' }] },
  });
  const started = await workspace.call('POST', '/single-sign-on/start', {
    token: '',
    body: { workspace: workspace.id, redirectUri },
  });
  const answer = await provider.signIn(started.body.url, 'eve');
  for (const [example, real] of [
    [EXAMPLE.otherWorkspace, (await client.createWorkspace({ name: 'Globex' })).id],
    [EXAMPLE.otherMember, invited.body.id],
    [EXAMPLE.pendingMember, pending.body.id],
    [EXAMPLE.pendingInvitation, pending.body.inviteToken],
    [EXAMPLE.invitation, invited.body.inviteToken],
    [EXAMPLE.otherInvitation, theirs.body.inviteToken],
    [EXAMPLE.issuer, issuer],
    [EXAMPLE.clientSecret, clientSecret],
    [EXAMPLE.signInState, answer.get('state')!],
    [EXAMPLE.signInCode, answer.get('code')!],
    [EXAMPLE.personalToken, token.pat.id],
    [EXAMPLE.session, session.id],
    [EXAMPLE.botKey, key.id],
    [EXAMPLE.interface, made.id],
    [EXAMPLE.plugin, plugin.id],
    [EXAMPLE.integration, integration.id],
    [EXAMPLE.integrationKey, integrationKey.id],
    [EXAMPLE.version, version.id],
    [EXAMPLE.export, body.export.id],
  ]) {
    world.real.set(example, real);
  }
  return {
    ...world,
    stop: () => {
      provider.stop();
      world.stop?.();
    },
  };
}

export async function newBotChatWorld(): Promise<ExampleWorld> {
  const world = await newPlatformWorld();
  const { client, id: botId } = world.bot;
  const newUser = async (name: string) =>
    (await client.createUser({ name, tags: { 'chat:id': name.toLowerCase() } })).user.id;
  const [ada, bob, cleo] = [await newUser('Ada'), await newUser('Bob'), await newUser('Cleo')];
  const { conversation } = await client.createConversation({ channel: 'channel', tags: { topic: 'tea' } });
  for (const userId of [ada, bob]) await client.addParticipant({ id: conversation.id, userId });
  const said = { conversationId: conversation.id, userId: ada, type: 'text', tags: {} };
  const { message } = await client.createMessage({ ...said, payload: { text: 'Hello' } });
  await client.setState({ type: 'conversation', id: conversation.id, name: 'order', payload: { cups: 1 } });
  await client.setState({ type: 'bot', id: botId, name: 'hours', payload: { opens: '09:00' } });
  const reminder = { type: 'reminder', payload: { about: 'tea' } };
  const { event } = await client.createEvent(reminder);
  const { event: scheduled } = await client.createEvent({ ...reminder, schedule: { delay: 3_600_000 } });
  const { conversation: waiting } = await client.createConversation({ channel: 'channel', tags: { topic: 'milk' } });
  const { conversation: taken } = await client.createConversation({ channel: 'channel', tags: { topic: 'sugar' } });
  const { message: asked } = await client.createMessage({
    ...{ ...said, conversationId: taken.id },
    payload: { text: 'Hello' },
  });
  const failed = await newFailedMessage(botId, conversation.id, ada);
  const { body: noted } = await world.bot.call('POST', `/conversations/${conversation.id}/notes`, {
    body: { text: 'Asks about tea.' },
  });
  const { body: saved } = await world.bot.call('POST', '/saved-replies', {
    token: world.bot.workspace.owner.token,
    body: { name: 'hello', text: 'How can I help?' },
  });
  const { body: labelled } = await world.bot.call('POST', '/inbox/labels', {
    token: world.bot.workspace.owner.token,
    headers: { 'x-workspace-id': world.bot.workspace.id },
    body: { name: 'Orders', color: 'teal' },
  });
  const { body: served } = await world.bot.call('POST', '/handoffs', {
    body: { conversationId: taken.id, accountId: world.bot.workspace.owner.accountId },
  });
  const { body: handedOver } = await world.bot.call('POST', '/handoffs', { body: { conversationId: waiting.id } });
  await countHandoffs(botId, taken.id, world.bot.workspace.owner.accountId);
  const { workflow } = await client.createWorkflow({ name: 'order', status: 'pending', input: { cups: 2 } });
  for (const [example, real] of [
    [EXAMPLE.user, ada],
    [EXAMPLE.otherUser, bob],
    [EXAMPLE.thirdUser, cleo],
    [EXAMPLE.conversation, conversation.id],
    [EXAMPLE.message, message.id],
    [EXAMPLE.botEvent, event.id],
    [EXAMPLE.scheduledEvent, scheduled.id],
    [EXAMPLE.workflow, workflow.id],
    [EXAMPLE.handoff, handedOver.handoff.id],
    [EXAMPLE.assignedHandoff, served.handoff.id],
    [EXAMPLE.assignedMessage, asked.id],
    [EXAMPLE.savedReply, saved.savedReply.id],
    [EXAMPLE.label, labelled.label.id],
    [EXAMPLE.failedMessage, failed],
    [EXAMPLE.note, noted.note.id],
  ] as const) {
    world.real.set(example, real);
  }
  return world;
}

export async function newFilesWorld(): Promise<ExampleWorld> {
  const world = await newPlatformWorld();
  const { client } = world.bot;
  const file = await upload(client, {
    key: 'menu.txt',
    content: 'The kettle boils at dawn. Green tea brews at 80 degrees.',
    index: true,
    tags: { product: 'tea' },
  });
  const open = await upload(client, { key: 'logo.txt', content: 'Acme', accessPolicies: ['public_content'] });
  const { knowledgeBase } = await client.createKnowledgeBase({ name: 'Manuals' });
  world.real.set(EXAMPLE.file, file.id);
  world.real.set(EXAMPLE.contentToken, new URL(open.url).pathname.split('/').at(-1)!);
  world.real.set(EXAMPLE.knowledgeBase, knowledgeBase.id);
  return world;
}

export async function newTablesWorld(): Promise<ExampleWorld> {
  const world = await newPlatformWorld();
  const { client } = world.bot;
  const { table } = await client.createTable({
    name: 'peopleTable',
    schema: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'number' } } },
  });
  await client.createTableRows({ table: table.id, rows: [{ name: 'Ada', age: 36 }] });
  const { file } = await client.uploadFile({ key: 'people.csv', content: 'name,age\nCleo,9\n' });
  await untilStatus(client, file.id, 'upload_completed');
  world.real.set(EXAMPLE.table, table.id);
  world.real.set(EXAMPLE.csvFile, file.id);
  return world;
}

export const newCognitiveWorld = newPlatformWorld;

/** Creates a bot for an example that deletes it. */
export const newSpareBot = async ({ workspace }: TestBot) =>
  (await workspace.owner.client.createBot({ name: `Spare ${randomUUID()}` })).bot.id;

/** Counts handoffs of a day in the past, so that the example of a report is stable. */
async function countHandoffs(botId: string, conversationId: string, accountId: string) {
  const atMs = Date.parse('2026-01-05T09:30:00Z');
  const increments = [
    ...[20, 45, 150].flatMap(seconds => countDuration('waiting', atMs - seconds * 1_000, atMs)),
    ...[80, 140, 400].flatMap(seconds => countDuration('firstResponse', atMs - seconds * 1_000, atMs)),
    ...[900, 1_500, 4_000].flatMap(seconds => countDuration('resolution', atMs - seconds * 1_000, atMs)),
    ...countOne('assigned', atMs, 3),
    ...countRating(5, atMs),
    ...countRating(3, atMs),
  ];
  const ofBot = [
    ...countOne('conversations', atMs, 12),
    ...countOne('handedOver', atMs, 3),
    ...countOne('started', atMs, 3),
  ];
  await write(addToBot(botId, conversationId, [...increments, ...ofBot]));
  await write(addToMember(botId, { id: accountId, name: 'Ada' }, increments));
}
