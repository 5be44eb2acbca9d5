/**
 * Call budgets of the botChat group: the DynamoDB calls of each operation when it is warm. An operation without a
 * budget does not compile.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { BOT_CHAT_REQUESTS, type BotChatOperation } from '#test/support/requests/botChat.ts';
import { isOfMembers } from '#test/support/requests/everyOperation.ts';
import { callAsBotOrOwner, callOperation } from './callOperation.ts';
import { counted } from './counter.ts';

useSharedPlatform();

/** One call reads the entries of the bot's list, one their records. */
const LIST = 2;

const BUDGETS: Record<BotChatOperation, number> = {
  // Reads the existing tags and writes once.
  createConversation: 2,
  getConversation: 1,
  listConversations: LIST,
  getOrCreateConversation: 2,
  // Reads the conversation, the tag's entry and known tag values, and writes once.
  updateConversation: 4,
  deleteConversation: 3,
  listParticipants: 3,
  addParticipant: 5,
  getParticipant: 3,
  removeParticipant: 3,
  createEvent: 1,
  getEvent: 1,
  listEvents: LIST,
  cancelScheduledEvent: 2,
  createMessage: 2,
  getOrCreateMessage: 2,
  getMessage: 1,
  updateMessage: 3,
  listMessages: 2,
  deleteMessage: 2,
  // Reads the message and its event, and writes once.
  retryMessage: 3,
  // Reads user, conversation, message and participant, and writes once.
  initializeIncomingMessage: 5,
  importMessages: 2,
  createUser: 2,
  getUser: 1,
  listUsers: LIST,
  getOrCreateUser: 2,
  updateUser: 2,
  // Reads, marks as deleting, lists, deletes entries, deletes the record.
  deleteUser: 5,
  // Re-reads the caller, reads the user, marks it as deleting, and records the erasure.
  eraseUser: 4,
  setStateExpiry: 2,
  getState: 1,
  setState: 2,
  getOrSetState: 1,
  patchState: 2,
  configureIntegration: 2,
  // Reads the bot, and its slow calls at most once per second.
  callAction: 2,
  createWorkflow: 1,
  getWorkflow: 1,
  updateWorkflow: 2,
  deleteWorkflow: 2,
  listWorkflows: LIST,
  // Reads a claim and its tags in sequence.
  getOrCreateWorkflow: LIST + 3,
  // Reads the bot's installations and one partition of states.
  listStates: 2,
  listTagValues: LIST,
  // Reads the conversation and writes once.
  startHandoff: 2,
  // Reads the handoff, the account, and the account's user and participation, and writes once.
  assignHandoff: 4,
  endHandoff: 2,
  createSavedReply: 1,
  listSavedReplies: 1,
  updateSavedReply: 1,
  deleteSavedReply: 1,
  createNote: 2,
  listNotes: 2,
  deleteNote: 2,
  getHandoff: 1,
  // Reads the handoff and the author, and writes once.
  replyInHandoff: 3,
  showTypingInHandoff: 2,
  // Reads the handoff and the message, and writes once.
  markHandoffRead: 3,
  listHandoffs: LIST,
  countHandoffs: 4,
};

let bot: TestBot;

beforeAll(async () => {
  bot = await newBot();
  const endpoint = createServer((_, response) => response.end('{"output":{}}')).listen(0, '127.0.0.1');
  endpoint.unref();
  await once(endpoint, 'listening');
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  await bot.workspace.owner.client.updateBot({ id: bot.id, url });
});

const operationNamed = (name: BotChatOperation) =>
  (platformApi.operations as PlatformOperation[]).find(each => each.group === 'botChat' && each.name === name)!;

const run = (name: BotChatOperation, { path, body }: { path: string; body?: unknown }) =>
  name === 'configureIntegration'
    ? callOperation(
        operationNamed(name),
        { authorization: `Bearer ${bot.tokens.integration}`, 'x-bot-id': bot.id, 'x-integration-alias': 'chat' },
        { path: `/chat${path}`, body },
      )
    : callAsBotOrOwner(operationNamed(name), bot, { path: `/chat${path}`, body });

describe('a warm call', () => {
  it.each(Object.keys(BUDGETS) as BotChatOperation[])('stays within the budget of %s', async name => {
    const request = await BOT_CHAT_REQUESTS[name]({
      botId: bot.id,
      client: bot.client,
      accountId: bot.workspace.owner.accountId,
      own: isOfMembers(name) ? bot.clientOf(bot.workspace.owner.token) : undefined,
    });
    await run('getConversation', await BOT_CHAT_REQUESTS.getConversation({ botId: bot.id, client: bot.client }));

    // Caches the integration's key.
    if (name === 'configureIntegration') await run(name, request);

    const { calls, writes } = await counted(() => run(name, request));

    expect(calls).toBeLessThanOrEqual(BUDGETS[name]);
    if (operationNamed(name).table !== 'writes') expect(writes).toBe(0);
  });

  it('costs one read for a get-or-create of an existing record', async () => {
    const request = await BOT_CHAT_REQUESTS.getOrCreateUser({ botId: bot.id, client: bot.client });
    await run('getOrCreateUser', request);

    const { calls, writes } = await counted(() => run('getOrCreateUser', request));

    expect({ calls, writes }).toEqual({ calls: 1, writes: 0 });
  });

  it('costs one query for listHandoffs if the page is unchanged', async () => {
    await run('startHandoff', await BOT_CHAT_REQUESTS.startHandoff({ botId: bot.id, client: bot.client }));
    const { version } = (await bot.call('GET', '/handoffs?status=waiting')).body.meta;

    const { calls, readUnits } = await counted(() =>
      run('listHandoffs', { path: `/handoffs?status=waiting&version=${version}` }),
    );

    expect({ calls, readUnits }).toEqual({ calls: 1, readUnits: 0.5 });
  });

  it('costs one write unit per kilobyte, and one read unit, for createMessage', async () => {
    const { path, body } = await BOT_CHAT_REQUESTS.createMessage({ botId: bot.id, client: bot.client });
    const request = { path, body: { ...(body as object), payload: { text: 'x'.repeat(700) } } };

    const { readUnits, writeUnits } = await counted(() => run('createMessage', request));

    expect({ readUnits, writeUnits }).toEqual({ readUnits: 1, writeUnits: 1 });
  });
});
