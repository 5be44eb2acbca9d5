/**
 * Creates an integration other than chat, whose endpoint is a server of this process, optionally written with the SDK.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { apiBaseUrl, newWorkspace, type TestWorkspace } from './platform.ts';

// The package's ES module does not load in Node.
export const sdk: typeof import('@botpress/sdk') = createRequire(import.meta.url)('@botpress/sdk');

type Handlers = ConstructorParameters<typeof sdk.Integration>[0];
// biome-ignore lint/suspicious/noExplicitAny: the SDK's types of handlers need a generated definition
type AnyHandlers = Record<string, any>;

export interface Server {
  url: string;
  stop(): void;
}

export async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Serves handlers as the SDK's own server does, which listens on every interface. */
export async function serveIntegration(handlers: AnyHandlers, token = 'none'): Promise<Server> {
  Object.assign(process.env, { BP_API_URL: apiBaseUrl(), BP_TOKEN: token });
  const none = async () => {};
  const { handler } = new sdk.Integration({
    register: none,
    unregister: none,
    handler: none,
    actions: {},
    channels: {},
    ...handlers,
  } as unknown as Handlers);
  return serve(async (request, response) => {
    const body = await buffer(request);
    const { pathname: path, search } = new URL(request.url ?? '/', 'http://integration');
    const headers = request.headers as Record<string, string>;
    try {
      const answer = await handler({
        body: body.toString(),
        path,
        query: search.slice(1),
        method: request.method!,
        headers,
      });
      response.writeHead(answer?.status ?? 200, answer?.headers ?? {}).end(answer?.body ?? '{}');
    } catch (error) {
      response.writeHead(500).end(JSON.stringify({ error: String(error) }));
    }
  });
}

type NewIntegration = Parameters<TestWorkspace['owner']['client']['createIntegration']>[0];

/** Integration that is installed on a bot under the alias `pizza`. */
export interface Installed {
  workspace: TestWorkspace;
  botId: string;
  botKey: string;
  integrationId: string;
  integrationKey: string;
  webhookId: string;
  webhookUrl: string;
  // biome-ignore lint/suspicious/noExplicitAny: the answer of updateBot; the test asserts its shape
  installation: any;
}

export async function installIntegration(
  definition: Partial<NewIntegration> & { url?: string },
  {
    workspace,
    installing = {},
  }: { workspace?: TestWorkspace | undefined; installing?: Record<string, unknown> | undefined } = {},
): Promise<Installed> {
  const home = workspace ?? (await newWorkspace());
  const { client } = home.owner;
  const name = `pizza-${randomUUID().slice(0, 8)}`;
  const { integration } = await client.createIntegration({ name, version: '1.0.0', ...definition });
  const created = await client.createBot({ name: 'Bot' });
  const [botKey, integrationKey] = await Promise.all([
    client.createBotApiKey({ botId: created.bot.id }),
    client.createIntegrationApiKey({ integrationId: integration.id }),
  ]);
  const { bot } = await client.updateBot({
    id: created.bot.id,
    integrations: { pizza: { integrationId: integration.id, ...installing } },
  });
  const installation = bot.integrations.pizza!;
  return {
    workspace: home,
    botId: bot.id,
    botKey: botKey.value,
    integrationId: integration.id,
    integrationKey: integrationKey.value,
    webhookId: installation.webhookId,
    webhookUrl: installation.webhookUrl,
    installation,
  };
}
