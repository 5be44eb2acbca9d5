/** A bot that runs next to the platform and records its events. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Client } from '@botpress/client';

// The package's ES module is built for browsers and does not load in Node.
const sdk: typeof import('@botpress/client') = createRequire(import.meta.url)('@botpress/client');

// biome-ignore lint/suspicious/noExplicitAny: an event as the bot gets it; each exchange asserts its shape
export type Delivered = any;

export interface RecordingBot {
  id: string;
  name: string;
  client: Client;
  delivered: Delivered[];
  stop(): Promise<void>;
}

export async function startRecordingBot(owner: Client, apiUrl: string, name: string): Promise<RecordingBot> {
  const delivered: Delivered[] = [];
  const server = createServer(async (request, response) => {
    const { 'x-bp-operation': operation, 'x-bp-type': type } = request.headers;
    const body = await json(request).catch(() => ({}));
    if (operation === 'event_received') delivered.push({ type, ...(body as object) });
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { bot } = await owner.createBot({
    name,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  const { value } = await owner.createBotApiKey({ botId: bot.id });
  return {
    id: bot.id,
    name,
    client: new sdk.Client({ apiUrl, token: value, botId: bot.id }),
    delivered,
    stop: async () => {
      await owner.deleteBot({ id: bot.id });
      server.closeAllConnections();
      server.close();
    },
  };
}
