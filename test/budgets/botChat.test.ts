/**
 * Call budgets of the botChat group: the DynamoDB calls of each operation when it is warm. The operations' references
 * declare the budgets.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { handoffsOf, newTalk } from '#test/support/handoffs.ts';
import { newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { BOT_CHAT_REQUESTS, type BotChatOperation } from '#test/support/requests/botChat.ts';
import { isOfMembers } from '#test/support/requests/everyOperation.ts';
import { callAsBotOrOwner, callOperation } from './callOperation.ts';
import { counted } from './counter.ts';
import { expectWithinBudget } from './expectWithinBudget.ts';

useSharedPlatform();

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
  it.each(Object.keys(BOT_CHAT_REQUESTS) as BotChatOperation[])('stays within the budget of %s', async name => {
    const request = await BOT_CHAT_REQUESTS[name]({
      botId: bot.id,
      client: bot.client,
      accountId: bot.workspace.owner.accountId,
      own: isOfMembers(name) ? bot.clientOf(bot.workspace.owner.token) : undefined,
    });
    await run('getConversation', await BOT_CHAT_REQUESTS.getConversation({ botId: bot.id, client: bot.client }));

    // Caches the integration's key.
    if (name === 'configureIntegration') await run(name, request);

    const count = await counted(() => run(name, request));

    expectWithinBudget(operationNamed(name), count);
    if (operationNamed(name).table !== 'writes') expect(count.writes).toBe(0);
  });

  it('costs one read for a get-or-create of an existing record', async () => {
    const request = await BOT_CHAT_REQUESTS.getOrCreateUser({ botId: bot.id, client: bot.client });
    await run('getOrCreateUser', request);

    const { calls, writes } = await counted(() => run('getOrCreateUser', request));

    expect({ calls, writes }).toEqual({ calls: 1, writes: 0 });
  });

  it('costs one query for listHandoffs if the page is unchanged', async () => {
    await run('startHandoff', await BOT_CHAT_REQUESTS.startHandoff({ botId: bot.id, client: bot.client }));
    const poll = async (sortDirection: string) => {
      const path = `/handoffs?status=waiting&sortDirection=${sortDirection}`;
      const { version } = (await bot.call('GET', path)).body.meta;
      const { calls, readUnits } = await counted(() => run('listHandoffs', { path: `${path}&version=${version}` }));
      return { calls, readUnits };
    };

    expect(await poll('asc')).toEqual({ calls: 1, readUnits: 0.5 });
    // One for each priority.
    expect(await poll('desc')).toEqual({ calls: 4, readUnits: 2 });
  });

  it('costs the same calls for a page of previews as for one', async () => {
    const own = await newBot(bot.workspace);
    const talks = await Promise.all(Array.from({ length: 5 }, () => newTalk(own)));
    for (const { say, conversationId } of talks) {
      await say('hello');
      await handoffsOf(own).start(conversationId);
    }
    await settled();
    const list = (pageSize: number) =>
      callAsBotOrOwner(operationNamed('listHandoffs'), own, {
        path: `/chat/handoffs?preview=true&pageSize=${pageSize}`,
      });
    await list(1);

    const one = await counted(() => list(1));
    const five = await counted(() => list(5));

    expect([one.calls, five.calls]).toEqual([5, 5]);
    // Index entries, then a handoff, a conversation, a message and a user per row.
    expect(five.readUnits).toBeLessThanOrEqual(5 * 4 + 1);
  });

  it('costs one write unit per kilobyte, and one read unit, for createMessage', async () => {
    const { path, body } = await BOT_CHAT_REQUESTS.createMessage({ botId: bot.id, client: bot.client });
    const request = { path, body: { ...(body as object), payload: { text: 'x'.repeat(700) } } };

    const { readUnits, writeUnits } = await counted(() => run('createMessage', request));

    expect({ readUnits, writeUnits }).toEqual({ readUnits: 1, writeUnits: 1 });
  });
});
