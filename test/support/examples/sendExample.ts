/** Sends an operation's documented example and reads the response, or the first parts of a stream. */
import { apis, prefixOf } from '#infra/gateway/apis.ts';
import type { ExampleResponse } from '#infra/gateway/examples/answers.ts';
import { referenceOf } from '#infra/gateway/reference/operationReferences.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { ruleOf } from '#shared/api/permissions.ts';
import { apiBaseUrl } from '#test/support/platform.ts';
import type { ChatWorld } from './chatWorld.ts';
import { type ExampleWorld, toReal } from './world.ts';

const SAID = 'Green, please.';

export async function sendExample(operation: Operation, world: ExampleWorld): Promise<ExampleResponse> {
  const { path = {}, query = {}, headers = {}, body } = toReal(world, referenceOf(operation).example!);
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name]!));
  const search = new URLSearchParams(query).toString();
  const stop = new AbortController();
  const response = await fetch(`${baseOf(operation, world)}${filled}${search && `?${search}`}`, {
    method: operation.method,
    headers: {
      ...credentialsFor(operation, world),
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual',
    signal: stop.signal,
  });
  const { status } = response;
  if (!operation.streams || !response.ok) {
    const text = await response.text();
    return { status, body: text ? JSON.parse(text) : {} };
  }
  if (operation.name === 'listenConversation') void (world as ChatWorld).say(SAID);
  const parts =
    operation.streamsAs === 'lines'
      ? await linesOf(response)
      : [await eventWith(response, operation.name === 'listenConversation' ? SAID : 'init')];
  stop.abort();
  return { status, body: parts };
}

const baseOf = (operation: Operation, { bot }: ExampleWorld): string => {
  if (operation.api === 'chat') return bot.chatUrl;
  const api = apis.find(({ operations }) => operations.includes(operation))!;
  return `${apiBaseUrl()}${prefixOf(api, operation)}`;
};

/** Returns the credentials of the owner, the bot or, for operations without bots, the integration or the owner. */
function credentialsFor(operation: Operation, world: ExampleWorld): Record<string, string> {
  const { bot } = world;
  if (operation.api !== 'platform') return { 'x-user-key': (world as ChatWorld).key };
  if (operation.scope === 'public') return {};
  const { owner, id } = bot.workspace;
  if (operation.group === 'admin' || operation.scope === 'account')
    return { authorization: `Bearer ${owner.token}`, 'x-workspace-id': id };
  const rule = ruleOf(operation.group, operation.name);
  const token = rule.bot ? bot.tokens.bot : rule.integration ? bot.tokens.integration : owner.token;
  return {
    authorization: `Bearer ${token}`,
    'x-bot-id': bot.id,
    ...(token === owner.token ? { 'x-workspace-id': id } : {}),
    ...(token === bot.tokens.integration ? { 'x-integration-alias': 'chat' } : {}),
  };
}

const linesOf = async (response: Response): Promise<unknown[]> =>
  (await response.text())
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

/** Finds the first event with a text, because streams begin with a ping and may repeat recent messages. */
async function eventWith(response: Response, wanted: string): Promise<unknown> {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = [...text.matchAll(/^data: (\{.*)\n/gm)].map(match => match[1]!);
    const found = events.find(each => each.includes(wanted));
    if (found) return JSON.parse(found);
  }
  throw new Error(`The stream ended without ${wanted}: ${text}`);
}
