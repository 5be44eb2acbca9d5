/**
 * The bot of the demo, written as anyone would write one with the ecosystem's SDK: it says what it is told, so that a
 * newcomer's first message is answered.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Service } from './services/dynamodb.ts';

// The package's ES module does not load in Node.
const { Bot }: typeof import('@botpress/sdk') = createRequire(import.meta.url)('@botpress/sdk');

type Content = { type: string; payload: Record<string, unknown> };

/** Asked for a `bloc`, it shows one. */
const BLOC: Content = {
  type: 'bloc',
  payload: {
    items: [
      { type: 'text', payload: { text: 'A bloc is several things at once:' } },
      { type: 'markdown', payload: { markdown: 'a *second* one,' } },
      { type: 'image', payload: { imageUrl: 'https://example.com/third.png' } },
    ],
  },
};

/** @param token of the bot; the SDK's client reads it, and the address, from the environment */
export async function startEchoBot({ apiUrl, token }: { apiUrl: string; token: string }): Promise<Service> {
  Object.assign(process.env, { BP_API_URL: apiUrl, BP_TOKEN: token });
  const bot = new Bot({ actions: {}, plugins: {} });

  bot.on.message('*', async ({ message, conversation, client, ctx }) => {
    const logMessages = message as unknown as Content;
    const isBlocWanted = logMessages.type === 'text' && logMessages.payload.text === 'bloc';
    const { type, payload } = isBlocWanted ? BLOC : logMessages;
    await client.createMessage({
      conversationId: conversation.id,
      userId: ctx.botId,
      tags: {},
      type,
      payload,
    } as never);
  });

  bot.on.event('*', async ({ event, client }) => {
    const [integration, name] = event.type.split(':');
    if (name !== 'custom') return;
    const { conversationId, payload } = event.payload as { conversationId: string; payload: object };
    await client.callAction({ type: `${integration}:sendEvent`, input: { conversationId, payload } } as never);
  });

  // The SDK says where it listens; `npm start` says all there is to say.
  const { log } = console;
  console.log = () => {};
  const server: Server = await bot.start(0).finally(() => {
    console.log = log;
  });
  if (!server.listening) await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
