/** Builds a successful request of any chat or platform operation, with its prerequisites. */
import type { ChatOperation } from '#shared/api/operations/chat.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { ruleOf } from '#shared/api/permissions.ts';
import { apiBaseUrl, newUser, type TestBot } from '#test/support/platform.ts';
import { ADMIN_REQUESTS, type AdminOperation } from './admin.ts';
import { BOT_CHAT_REQUESTS, type BotChatOperation } from './botChat.ts';
import { CHAT_REQUESTS, type ChatOperationName } from './chat.ts';
import { COGNITIVE_REQUESTS, type CognitiveOperation } from './cognitive.ts';
import { FILES_REQUESTS, type FilesOperation } from './files.ts';
import { TABLES_REQUESTS, type TablesOperation } from './tables.ts';

export interface ReadyRequest {
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** Returns true for operations that only members may call. */
export const isOfMembers = (name: string): boolean => {
  const rule = ruleOf('botChat', name);
  return rule.owner === 'yes' && rule.bot === undefined;
};

export const requestFor = (bot: TestBot, operation: Operation): Promise<ReadyRequest> =>
  operation.group === 'chat' ? chatRequest(bot, operation as ChatOperation) : platformRequest(bot, operation);

/** Creates a user in a conversation with another participant. */
async function chatRequest(bot: TestBot, { name, access }: ChatOperation): Promise<ReadyRequest> {
  const [owner, participant, bystander] = await Promise.all([newUser(bot), newUser(bot), newUser(bot)]);
  const { conversation } = await owner.client.createConversation({});
  await owner.client.addParticipant({ conversationId: conversation.id, userId: participant.user.id });
  const author = access.who === 'owner' ? owner : participant;
  const { message } = await author.client.createMessage({
    conversationId: conversation.id,
    payload: { type: 'text', text: 't' },
  });
  if (name === 'rateHandoff') await endedHandoff(bot, conversation.id);
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

async function endedHandoff(bot: TestBot, conversationId: string): Promise<void> {
  const { body } = await bot.call('POST', '/handoffs', { body: { conversationId } });
  await bot.call('POST', `/handoffs/${body.handoff.id}/end`, { body: {} });
}

async function platformRequest(bot: TestBot, { group, name }: Operation): Promise<ReadyRequest> {
  const { workspace, client, integrationId, id: botId } = bot;
  const headers = { 'x-workspace-id': workspace.id, 'x-bot-id': botId };
  const asOwner = { ...headers, authorization: `Bearer ${workspace.owner.token}` };
  const asBot = { ...headers, authorization: `Bearer ${bot.tokens.bot}` };
  const at = (base: string, { path, body }: { path: string; body?: unknown }, as = asBot) => ({
    url: `${apiBaseUrl()}/${group === 'cognitive' ? 'v2' : 'v1'}/${base}${path}`,
    headers: as,
    body,
  });
  if (group === 'botChat') {
    const { accountId } = workspace.owner;
    const own = isOfMembers(name) ? bot.clientOf(workspace.owner.token) : undefined;
    const request = await BOT_CHAT_REQUESTS[name as BotChatOperation]({ botId, client, accountId, own });
    return at('chat', request, isOfMembers(name) ? asOwner : asBot);
  }
  if (group === 'files') return at('files', await FILES_REQUESTS[name as FilesOperation]({ client }));
  if (group === 'tables') return at('tables', await TABLES_REQUESTS[name as TablesOperation]({ client }));
  if (group === 'cognitive') return at('cognitive', COGNITIVE_REQUESTS[name as CognitiveOperation]());
  const scope = { workspace, client: workspace.owner.client, botId, integrationId };
  return at('admin', await ADMIN_REQUESTS[name as AdminOperation](scope), asOwner);
}
