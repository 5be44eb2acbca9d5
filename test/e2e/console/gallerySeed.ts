/** Records of a busy workspace, and the pages that show them. */
import { createRequire } from 'node:module';
import { newDeadEndpoint } from '#test/support/deadEndpoint.ts';
import { adminClient, botClient, call, local } from './stage.ts';

// The package's ES module does not load in Node.
const chat: typeof import('@botpress/chat') = createRequire(import.meta.url)('@botpress/chat');

const MAIN = 'Acme Support';
const OTHERS = ['Sales', 'Returns', 'Bewerbungsgespräche', 'Weather', 'IT Helpdesk', 'Onboarding', 'Newsletter'];
const PEOPLE = ['Amelia Nguyen', 'Jonas Weber', 'Priya Natarajan', 'Mohammed Al-Farsi', 'Łucja Wiśniewska', 'Chloë'];
const CONVERSATIONS = 60;

type Pages = (readonly [name: string, path: string])[];

async function seedBot(): Promise<string> {
  const dead = await newDeadEndpoint();
  for (const name of OTHERS) await adminClient().createBot({ name });
  const { bot } = await adminClient().createBot({
    name: MAIN,
    url: dead.url,
    tags: { team: 'support', stage: 'beta' },
  });
  await adminClient().updateBot({
    id: bot.id,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
    recurringEvents: {
      dailyReport: { type: 'dailyReport', schedule: { cron: '0 7 * * 1-5' }, payload: { to: 'team@example.com' } },
    },
  });
  return bot.id;
}

async function seedConversations(botId: string): Promise<{ conversationId: string; userId: string }> {
  const { bot } = await adminClient().getBot({ id: botId });
  const apiUrl = `${local.apiUrl}/chat/${bot.integrations.chat!.webhookId}`;
  let first: { conversationId: string; userId: string } | undefined;
  for (let i = 0; i < CONVERSATIONS; i += 1) {
    const user = await chat.Client.connect({ apiUrl });
    if (i % 7 !== 6) await user.updateUser({ name: PEOPLE[i % PEOPLE.length]! });
    const { conversation } = await user.createConversation({});
    const text = `Where is my order ${4700 + i}? It should have arrived on Monday.`;
    await user.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } });
    first = { conversationId: conversation.id, userId: user.user.id };
  }
  return first!;
}

/** Reads the table, or creates it with 200 rows. */
async function seedTable(botId: string): Promise<string> {
  const client = botClient(botId);
  const { table } = await client.createTable({
    name: 'OrdersTable',
    tags: { source: 'shop' },
    schema: {
      type: 'object',
      properties: {
        customer: { type: 'string' },
        city: { type: 'string' },
        total: { type: 'number' },
        isPaid: { type: 'boolean' },
        orderedAt: { type: 'string', format: 'date-time' },
        items: { type: 'array' },
      },
    },
  } as never);
  const rows = Array.from({ length: 200 }, (_, i) => ({
    customer: PEOPLE[i % PEOPLE.length],
    city: ['Berlin', 'Lyon', 'Kraków', 'Muscat'][i % 4],
    total: 19.9 * (i + 1),
    isPaid: i % 3 !== 0,
    orderedAt: new Date(Date.UTC(2026, 0, 1 + i)).toISOString(),
    items: [`sku-${i}`, `sku-${i + 1}`],
  }));
  await client.createTableRows({ table: table.id, rows });
  return table.id;
}

async function seedFiles(botId: string): Promise<void> {
  const client = botClient(botId);
  for (const [key, content] of [
    ['handbook/returns.md', 'Parcels can be returned within 30 days. The label is in the parcel.'],
    ['handbook/shipping-and-delivery-times-for-international-orders.md', 'Orders abroad take 5 to 9 days.'],
    ['prices.csv', 'item,price\nsoup,4.50'],
  ] as const) {
    await client.uploadFile({ key, content, index: key.endsWith('.md'), tags: { source: 'wiki' } });
  }
}

async function seedRecords(botId: string, conversationId: string, userId: string) {
  const client = botClient(botId);
  await client.setState({ type: 'bot', id: botId, name: 'openingHours', payload: { monday: '9-17' } });
  await client.setState({ type: 'conversation', id: conversationId, name: 'order', payload: { number: 4711 } });
  await client.setState({ type: 'user', id: userId, name: 'preferences', payload: { language: 'de' } });
  const { workflow } = await client.createWorkflow({
    name: 'returnParcel',
    status: 'pending',
    conversationId,
    userId,
    input: { order: 4711, reason: 'The parcel was damaged.' },
    tags: { carrier: 'dhl' },
  });
  await client.createWorkflow({ name: 'sendInvoice', status: 'listening', input: { order: 4712 } });
  await client.setState({ type: 'workflow', id: workflow.id, name: 'step', payload: { at: 'label' } });
  for (const type of ['order_shipped', 'payment_received', 'cart_abandoned']) {
    await client.createEvent({ type, payload: { order: 4711, amount: 19.9 }, conversationId });
  }
  const { events } = await client.listEvents({});
  return { workflowId: workflow.id, eventId: events[0]!.id };
}

async function seedTeam(botId: string, conversationId: string): Promise<void> {
  await call('PUT', '/admin/account/me', { displayName: 'Olivia Okafor' });
  for (const [email, role] of [
    ['maximilian.mustermann-schmidt@example.com', 'developer'],
    ['jane@example.com', 'viewer'],
    ['sam@example.com', 'agent'],
  ] as const) {
    await adminClient().createWorkspaceMember({ email, role: role as 'viewer' });
  }
  const { account } = await adminClient().getAccount({});
  const { handoff } = await call('POST', '/chat/handoffs', { conversationId, reason: 'Late delivery' }, { botId });
  await call('POST', `/chat/handoffs/${handoff.id}/assign`, { accountId: account.id }, { botId });
  await call('POST', '/chat/saved-replies', { name: 'greeting', text: 'Hello! How can I help?' }, { botId });
}

export async function seedGallery(): Promise<Pages> {
  const { bots } = await adminClient().listBots({ sortField: 'createdAt', sortDirection: 'desc' });
  const botId = bots.find(({ name }) => name === MAIN)?.id ?? (await seedBot());
  const client = botClient(botId);
  const { conversations } = await client.listConversations({});
  if (conversations.length === 0) {
    const { conversationId, userId } = await seedConversations(botId);
    await seedTable(botId);
    await seedFiles(botId);
    await seedRecords(botId, conversationId, userId);
    await seedTeam(botId, conversationId);
  }
  return pagesOf(botId);
}

/** Lists the pages of `router.tsx`, and their dialogs. */
async function pagesOf(botId: string): Promise<Pages> {
  const client = botClient(botId);
  const { workflows } = await client.listWorkflows({});
  const workflow = workflows.find(({ name }) => name === 'returnParcel')!;
  const { conversationId, userId } = workflow;
  const [{ events }, { tables }, { files }] = await Promise.all([
    client.listEvents({}),
    client.listTables({}),
    client.listFiles({}),
  ]);
  const empty = (await adminClient().listBots({})).bots.find(({ name }) => name === 'Weather')!.id;
  const bot = `/bots/${botId}`;
  return [
    ['bots', '/'],
    ['new-bot', '/?new=bot'],
    ['members', '/members'],
    ['new-member', '/members?new=member'],
    ['account', '/account'],
    ['workspace-settings', '/settings'],
    ['reports', '/reports'],
    ['usage', '/usage'],
    ['audit', '/audit'],
    ['inbox', '/inbox'],
    ['inbox-conversation', `/inbox/${botId}/${conversationId}?view=mine`],
    ['inbox-all', `/inbox?bot=${botId}&view=all`],
    ['overview', bot],
    ['chat', `${bot}/chat`],
    ['integrations', `${bot}/integrations`],
    ['installation', `${bot}/integrations?installation=chat`],
    ['widget', `${bot}/widget`],
    ['settings', `${bot}/settings`],
    ['conversations', `${bot}/conversations`],
    ['conversation', `${bot}/conversations/${conversationId}`],
    ['replies', `${bot}/replies`],
    ['users', `${bot}/users`],
    ['user', `${bot}/users?open=${userId}`],
    ['events', `${bot}/events`],
    ['event', `${bot}/events?open=${events.find(each => each.conversationId)?.id ?? events[0]!.id}`],
    ['files', `${bot}/files`],
    ['passages', `${bot}/files?open=${files.find(({ key }) => key.endsWith('.md'))!.id}`],
    ['search', `${bot}/files?search=return%20label`],
    ['tables', `${bot}/tables`],
    ['new-table', `${bot}/tables?new=table`],
    ['table', `${bot}/tables/${tables[0]!.id}`],
    ['filtered-table', `${bot}/tables/${tables[0]!.id}?column=city&value=Lyon&sort=total&direction=desc`],
    ['workflows', `${bot}/workflows`],
    ['workflow', `${bot}/workflows?open=${workflow.id}`],
    ['states', `${bot}/states`],
    ['states-of-user', `${bot}/states?owner=user&id=${userId}`],
    ['state', `${bot}/states?owner=user&id=${userId}&open=${userId}/preferences`],
    ['analytics', `${bot}/analytics`],
    ['logs', `${bot}/logs`],
    ['dead-letters', `${bot}/dead-letters`],
    ['empty-overview', `/bots/${empty}`],
    ['empty-users', `/bots/${empty}/users?q=convo_none`],
    ['empty-events', `/bots/${empty}/events`],
    ['empty-files', `/bots/${empty}/files`],
    ['empty-tables', `/bots/${empty}/tables`],
    ['empty-workflows', `/bots/${empty}/workflows`],
    ['empty-states', `/bots/${empty}/states?owner=conversation`],
    ['empty-logs', `/bots/${empty}/logs`],
    ['not-found', '/nowhere'],
  ];
}
