/** Readers of stored values: a bot at an endpoint, a deployed bot, and an integration. */
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { installIntegration } from '#test/support/integration.ts';
import { type AdminClient, apiBaseUrl, Client, newBot, newUser, type TestBot } from '#test/support/platform.ts';
import { ChatApi } from '#widget/talk/chatApi.ts';
import { EventStream } from '#widget/talk/eventStream.ts';
import { SharedListener } from '#widget/talk/sharedListener.ts';
import { PAUSES } from '#widget/talk/transport.ts';

export interface Scene {
  /** Receives messages and events at `endpoint`. */
  bot: TestBot;
  endpoint: TestEndpoint;
  /** Runs code that forwards events to `forwarded`. */
  deployed: TestBot;
  forwarded: TestEndpoint;
  /** Conversation of an integration, whose endpoint is `outbound`. */
  channel: { botId: string; bot: AdminClient; integration: AdminClient; conversationId: string; guestId: string };
  outbound: TestEndpoint;
  stop(): void;
}

const codeThatForwards = (url: string) => `
exports.handler = async ({ body, headers }) => {
  const operation = headers['x-bp-operation'];
  await fetch(${JSON.stringify(url)}, { method: 'POST', headers: { 'x-bp-operation': operation }, body });
  return { status: 200, body: '{}' };
};`;

const ROW_EVENTS = { table_row_created: {}, table_row_updated: {} };

export async function startScene(): Promise<Scene> {
  const [endpoint, forwarded, outbound] = await Promise.all([startEndpoint(), startEndpoint(), startEndpoint()]);
  const [bot, deployed] = await Promise.all([newBot(), newBot()]);
  await bot.workspace.owner.client.updateBot({
    id: bot.id,
    url: endpoint.url,
    subscriptions: { events: ROW_EVENTS },
  });
  await deployed.workspace.owner.client.updateBot({ id: deployed.id, code: codeThatForwards(forwarded.url) });
  return {
    bot,
    endpoint,
    deployed,
    forwarded,
    channel: await startChannel(outbound.url),
    outbound,
    stop: () => {
      for (const each of [endpoint, forwarded, outbound]) each.stop();
    },
  };
}

async function startChannel(url: string): Promise<Scene['channel']> {
  const { botId, botKey, integrationKey, integrationId } = await installIntegration({
    url,
    channels: { table: { messages: {} } },
  } as object);
  const base = { apiUrl: apiBaseUrl(), botId };
  const integration = new Client({ ...base, token: integrationKey, integrationId, integrationAlias: 'pizza' });
  const { user } = await integration.getOrCreateUser({ tags: { id: '7' } });
  const { conversation } = await integration.getOrCreateConversation({ channel: 'table', tags: { id: '3' } });
  const bot = new Client({ ...base, token: botKey });
  return { botId, bot, integration, conversationId: conversation.id, guestId: user.id };
}

/** Conversation of a new chat user, with the widget's listener. */
export interface Chat {
  client: Awaited<ReturnType<typeof newUser>>['client'];
  key: string;
  conversationId: string;
  /** Received signals. */
  heard: { type: string; data: Record<string, unknown> }[];
  stop(): void;
}

export async function startChat(bot: TestBot): Promise<Chat> {
  const { client, key } = await newUser(bot);
  const { conversation } = await client.createConversation({});
  const api = new ChatApi(bot.chatUrl, key);
  const heard: Chat['heard'] = [];
  const opened = Promise.withResolvers<void>();
  const pauses = { ...PAUSES };
  const listener = new SharedListener({
    name: conversation.id,
    transport: new EventStream(api, conversation.id, pauses),
    pauses,
    onOpen: async () => opened.resolve(),
    onSignal: signal => void heard.push(signal as unknown as Chat['heard'][number]),
    onConnection: () => {},
    onRefused: opened.reject,
  });
  listener.start();
  await opened.promise;
  return { client, key, conversationId: conversation.id, heard, stop: () => listener.stop() };
}
