/**
 * Two calls of every operation at once, by two tenants, in one process: as on an instance that runs many calls in one
 * environment. Each gets its own answer, so nothing at module level belongs to one request.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import type { ChatOperation } from '#shared/api/chat/operation.ts';
import type { Operation } from '#shared/api/operations.ts';
import { useModel } from '#test/support/languageModel.ts';
import { apiBaseUrl, call, isLeftOut, newBot, newUser, type TestBot, usePlatform } from '#test/support/platform.ts';
import { ADMIN_REQUESTS, type AdminOperation } from '#test/support/requests/admin.ts';
import { BOT_CHAT_REQUESTS, type BotChatOperation } from '#test/support/requests/botChat.ts';
import { CHAT_REQUESTS, type ChatOperationName } from '#test/support/requests/chat.ts';
import { COGNITIVE_REQUESTS, type CognitiveOperation } from '#test/support/requests/cognitive.ts';
import { FILES_REQUESTS, type FilesOperation } from '#test/support/requests/files.ts';
import { TABLES_REQUESTS, type TablesOperation } from '#test/support/requests/tables.ts';

usePlatform();
useModel();

interface Request {
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** Answers of a tenant contain no id of another. */
const ID = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]+_[0-9A-Za-z]{20,})\b/g;
const idsIn = (text: string): string[] => text.match(ID) ?? [];

let bots: [TestBot, TestBot];
beforeAll(async () => {
  bots = await Promise.all([newBot(), newBot()]);
  const integrations = { chat: { configuration: { fileUploads: true } } };
  for (const { id, workspace } of bots) await workspace.owner.client.updateBot({ id, integrations });
});

/** A user in a conversation of their own, with another participant. */
async function chatRequest(bot: TestBot, { name, access }: ChatOperation): Promise<Request> {
  const [owner, participant, bystander] = await Promise.all([newUser(bot), newUser(bot), newUser(bot)]);
  const { conversation } = await owner.client.createConversation({});
  await owner.client.addParticipant({ conversationId: conversation.id, userId: participant.user.id });
  const author = access.who === 'owner' ? owner : participant;
  const { message } = await author.client.createMessage({
    conversationId: conversation.id,
    payload: { type: 'text', text: 't' },
  });
  const { event } = await author.client.createEvent({ conversationId: conversation.id, payload: {} });
  const { path, body } = CHAT_REQUESTS[name as ChatOperationName]({
    conversation: conversation.id,
    participant: participant.user.id,
    bystander: bystander.user.id,
    message: message.id,
    event: event.id,
  });
  return { url: bot.chatUrl + path, headers: { 'x-user-key': author.key }, body };
}

async function platformRequest(bot: TestBot, { group, name }: Operation): Promise<Request> {
  const { workspace, client, integrationId, id: botId } = bot;
  const headers = { 'x-workspace-id': workspace.id, 'x-bot-id': botId };
  const asOwner = { ...headers, authorization: `Bearer ${workspace.owner.token}` };
  const asBot = { ...headers, authorization: `Bearer ${bot.tokens.bot}` };
  const at = (base: string, { path, body }: { path: string; body?: unknown }, as = asBot) => ({
    url: `${apiBaseUrl()}/${group === 'cognitive' ? 'v2' : 'v1'}/${base}${path}`,
    headers: as,
    body,
  });
  if (group === 'botChat') return at('chat', await BOT_CHAT_REQUESTS[name as BotChatOperation]({ botId, client }));
  if (group === 'files') return at('files', await FILES_REQUESTS[name as FilesOperation]({ client }));
  if (group === 'tables') return at('tables', await TABLES_REQUESTS[name as TablesOperation]({ client }));
  if (group === 'cognitive') return at('cognitive', COGNITIVE_REQUESTS[name as CognitiveOperation]());
  const scope = { workspace, client: workspace.owner.client, botId, integrationId };
  return at('admin', await ADMIN_REQUESTS[name as AdminOperation](scope), asOwner);
}

/** Of a stream, what comes up to its first signal. */
async function send({ method, streams, streamsAs }: Operation, { url, headers, body }: Request) {
  if (!streams || streamsAs) return call(url, { method, headers, body });
  const response = await fetch(url, { headers });
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes('data: {')) break;
  }
  return { status: response.status, body: text };
}

/** Operations that are left out, and why. */
const LEFT_OUT: Record<string, string> = {
  deleteWorkspace: 'The tenant would end.',
  callAction: 'The bot has no endpoint.',
  readPublicContent: 'It names no bot.',
  configureIntegration: 'Only an integration may call it.',
  listPublicIntegrations: 'It shows what all workspaces publish.',
  initializeConversation: 'A stranger gets a stream too, of their own.',
  generateUserKey: 'The installations have no admin secret.',
  listPublicWorkspaces: 'It shows all that are public.',
};

const operations = [...chatApi.operations, ...platformApi.operations].filter(
  ({ name }) => !Object.hasOwn(LEFT_OUT, name),
) as Operation[];

describe.skipIf(isLeftOut('stream'))('two calls at once', () => {
  it.each(operations.map(operation => [`${operation.group}.${operation.name}`, operation] as const))(
    'of %s get their own answers',
    async (_, operation) => {
      const requests = await Promise.all(
        bots.map(bot =>
          operation.group === 'chat' ? chatRequest(bot, operation as ChatOperation) : platformRequest(bot, operation),
        ),
      );
      const own = requests.map(
        ({ url, body }, i) => new Set(idsIn(JSON.stringify([url, body ?? '', bots[i]!.id, bots[i]!.workspace.id]))),
      );

      const strange = () => call(requests[0]!.url, { method: operation.method, body: requests[0]!.body });
      // Without a token, the stranger could use up what the first caller brings.
      const isNobodys = 'scope' in operation && operation.scope === 'nowhere';
      const [one, other, stranger] = await Promise.all([
        ...requests.map(request => send(operation, request)),
        ...(isNobodys ? [] : [strange()]),
      ]);

      const texts = [one, other].map(answer => JSON.stringify(answer!.body));
      for (const [i, answer] of [one, other].entries()) {
        expect(operation.statuses, texts[i]).toContain(answer!.status);
        expect(idsIn(texts[i]!).filter(id => own[1 - i]!.has(id) && !own[i]!.has(id))).toEqual([]);
      }
      const namesOwn = texts.map((text, i) => idsIn(text).some(id => own[i]!.has(id)));
      expect(namesOwn[0]).toBe(namesOwn[1]);
      if ('access' in operation && operation.access !== undefined && !isOpen(operation)) {
        expect(stranger!.status).toBe(401);
      }
    },
  );
});

const isOpen = (operation: Operation) => (operation as unknown as ChatOperation).access.who === 'anyone';
