/** A bot whose every name, message and value is a text of others, for tests of how the console shows it. */
import { createRequire } from 'node:module';
import { adminClient, botClient, call, local } from './stage.ts';

// The package's ES module does not load in Node.
const chat: typeof import('@botpress/chat') = createRequire(import.meta.url)('@botpress/chat');

interface ForeignTexts {
  /** Every name, title, tag and label. */
  name: string;
  /** Messages, notes, saved replies, rows, passages, and fields of the configuration. */
  texts: readonly string[];
  /** Addresses of files and links. */
  url: string;
}

/** Sent ten at a time, which saves minutes. */
const BATCH = 10;

export async function newBotOfOthers({ name, texts, url }: ForeignTexts) {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      texts.map((text, i) => [`field${i}`, { type: 'string', title: text, description: text, default: text }]),
    ),
  };
  const { bot } = await adminClient().createBot({
    name,
    tags: { t: name },
    configuration: { data: { field0: name }, schema },
    recurringEvents: { [name]: { schedule: { cron: '@daily' }, type: 'report', payload: { name } } },
  });
  const client = botClient(bot.id);
  await adminClient().updateBot({
    id: bot.id,
    integrations: {
      chat: { integrationId: local.integrationId, enabled: true, configuration: { payloadExtensions: true } },
    },
  });
  const conversationId = await converse(bot.id, { name, texts, url });
  await hand(bot.id, conversationId, { name, texts });
  const { table } = await client.createTable({
    name: 'foreignTable',
    schema: { type: 'object', properties: { text: { type: 'string' } } },
  });
  await client.createTableRows({ table: table.id, rows: texts.map(text => ({ text })) });
  await client.uploadFile({ key: `notes/${name}.txt`, content: texts.join('\n\n'), index: true, tags: { t: name } });
  await client.updateConversation({ id: conversationId, tags: { t: name } });
  await client.setState({ type: 'bot', id: bot.id, name: 'notes', payload: { name, url } }).catch(() => undefined);
  await client.createWorkflow({ name, status: 'pending', input: { name }, conversationId }).catch(() => undefined);
  return { bot, conversationId, schema };
}

/** Sends all types of messages as a user. @returns the conversation's id */
async function converse(botId: string, { name, texts, url }: ForeignTexts): Promise<string> {
  const { bot } = await adminClient().getBot({ id: botId });
  const apiUrl = `${local.apiUrl}/chat/${bot.integrations.chat!.webhookId}`;
  const user = await chat.Client.connect({ apiUrl });
  await user.updateUser({ name });
  const { conversation } = await user.createConversation({});
  const say = (payload: object) => user.createMessage({ conversationId: conversation.id, payload: payload as never });
  for (let i = 0; i < texts.length; i += BATCH) {
    await Promise.all(texts.slice(i, i + BATCH).map(text => say({ type: 'text', text })));
  }
  for (const payload of payloadsOf(name, url)) await say(payload);
  return (await botClient(botId).listConversations({})).conversations[0]!.id;
}

/** Messages of all types except text. */
export const payloadsOf = (name: string, url: string): ({ type: string } & Record<string, unknown>)[] => [
  { type: 'markdown', markdown: name },
  { type: 'image', imageUrl: 'https://example.com/x.png' },
  { type: 'file', fileUrl: url, title: name },
  { type: 'video', videoUrl: 'https://example.com/x.mp4' },
  { type: 'location', latitude: 1, longitude: 2, title: name, address: name },
  { type: 'choice', text: name, options: [{ label: name, value: name }] },
  { type: 'dropdown', text: name, options: [{ label: name, value: name }] },
  {
    type: 'card',
    title: name,
    subtitle: name,
    actions: [
      { action: 'url', label: name, value: url },
      { action: 'say', label: name, value: name },
    ],
  },
  { type: 'carousel', items: [{ type: 'card', title: name, actions: [] }] },
];

/** Hands the conversation over to a member, who has notes and saved replies. */
async function hand(botId: string, conversationId: string, { name, texts }: Pick<ForeignTexts, 'name' | 'texts'>) {
  const accountId = await newMember(name);
  await call('POST', '/chat/handoffs', { conversationId, reason: name, accountId }, { botId });
  for (let i = 0; i < texts.length; i += BATCH) {
    await Promise.all(
      texts
        .slice(i, i + BATCH)
        .flatMap(text => [
          call('POST', `/chat/conversations/${conversationId}/notes`, { text }, { botId }),
          call('POST', '/chat/saved-replies', { name: text.slice(0, 100), text }, { botId }),
        ]),
    );
  }
}

/** Adds an agent to the workspace. @returns the account's id */
export async function newMember(displayName: string): Promise<string> {
  const { inviteToken } = await call('POST', '/admin/workspace-members', {
    email: `others-${Date.now().toString(36)}@example.com`,
    role: 'agent',
  });
  return (await call('POST', '/admin/invitations/accept', { inviteToken, displayName })).account.id;
}
