/** The demo's bot, which echoes each message. It uses the ecosystem's SDK. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '#infra/local/runtime/service.ts';
import { mayBeFromPage, refusePage } from './services/access/requestAccess.ts';
import { listen } from './services/listenOnPort.ts';

// The package's ES module does not load in Node.
const { Bot }: typeof import('@botpress/sdk') = createRequire(import.meta.url)('@botpress/sdk');

type Content = { type: string; payload: Record<string, unknown> };

const BLOC: Content = {
  type: 'bloc',
  payload: {
    items: [
      { type: 'text', payload: { text: 'A bloc combines several items:' } },
      { type: 'markdown', payload: { markdown: 'a *second* one,' } },
      { type: 'image', payload: { imageUrl: 'https://example.com/third.png' } },
    ],
  },
};

/** @param token key of the bot, which the SDK's client reads from the environment @param pauseMs delay of each reply */
export async function startEchoBot({
  apiUrl,
  token,
  pauseMs = 0,
}: {
  apiUrl: string;
  token: string;
  pauseMs?: number;
}): Promise<Service> {
  Object.assign(process.env, { BP_API_URL: apiUrl, BP_TOKEN: token });
  const bot = new Bot({ actions: {}, plugins: {} });

  bot.on.message('*', async ({ message, conversation, client, ctx }) => {
    if (pauseMs > 0) await sleep(pauseMs);
    const received = message as unknown as Content;
    const isBlocRequest = received.type === 'text' && received.payload.text === 'bloc';
    const { type, payload } = isBlocRequest ? BLOC : received;
    await client.createMessage({
      conversationId: conversation.id,
      userId: ctx.botId,
      tags: {},
      type,
      payload,
    });
  });

  bot.on.event('*', async ({ event, client }) => {
    const [integration, name] = event.type.split(':');
    if (name !== 'custom') return;
    const { conversationId, payload } = event.payload as { conversationId: string; payload: object };
    await client.callAction({ type: `${integration}:sendEvent`, input: { conversationId, payload } });
  });

  // The platform authenticates to endpoints by their URL only.
  const secretPath = `/${randomUUID()}`;
  // The SDK's own server listens on every interface.
  const server = createServer((request, response) => {
    if (mayBeFromPage(request) || !request.url?.startsWith(secretPath)) return refusePage(request, response);
    request.url = request.url.slice(secretPath.length) || '/';
    void answer(bot.handler, request, response);
  });
  const { endpoint, stop } = await listen(server, 0);
  return { endpoint: `${endpoint}${secretPath}`, stop };
}

type Handler = InstanceType<typeof Bot>['handler'];

/** Passes a request to the SDK, whose errors carry a status. */
async function answer(handler: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { pathname: path, search: query } = new URL(request.url ?? '/', 'http://bot');
    const headers = request.headers as Record<string, string>;
    const answered = await handler({
      body: await text(request),
      path,
      query,
      method: request.method ?? 'POST',
      headers,
    });
    response.writeHead(answered?.status ?? 200, answered?.headers).end(answered?.body ?? '{}');
  } catch (error) {
    const { status = 500, message } = error as Error & { status?: number };
    response.writeHead(status).end(JSON.stringify({ error: message }));
  }
}
