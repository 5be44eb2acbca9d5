/** Tests that an agent who is limited to bots has no access to others, for every operation that agents may call. */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi, prefixOf } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { ruleOf } from '#shared/api/permissions.ts';
import { clock } from '#shared/core/clock.ts';
import { handoffsOf, type Member, newTalk, newWaiting } from '#test/support/handoffs.ts';
import {
  apiBaseUrl,
  CACHED_MS,
  call,
  eventually,
  newBot,
  settled,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { BOT_CHAT_REQUESTS, type BotChatOperation } from '#test/support/requests/botChat.ts';
import { type Refused, watchBot, watchInbox } from '#test/support/sockets.ts';

useSharedPlatform();

const forAgents = (platformApi.operations as readonly PlatformOperation[]).filter(
  ({ group, name, scope }) => scope !== 'public' && scope !== 'token' && 'agent' in ruleOf(group, name),
);
const ofBot = forAgents.filter(({ scope }) => scope === 'bot');

let own: TestBot;
let other: TestBot;
let agent: Member;

beforeAll(async () => {
  own = await newBot();
  other = await newBot(own.workspace);
  agent = await own.workspace.join('agent');
  await limitTo([own.id]);
});

async function limitTo(ids: string[] | null): Promise<void> {
  const { status } = await own.workspace.call('PUT', `/workspace-members/${agent.memberId}`, { body: { botIds: ids } });
  expect(status).toBe(200);
  await settled();
  // Functions cache callers.
  clock.advance(CACHED_MS);
}

const get = (path: string) => call(`${apiBaseUrl()}/v1${path}`, { token: agent.token, workspaceId: own.workspace.id });

async function send(operation: PlatformOperation, bot: TestBot): Promise<number> {
  const { name, method } = operation;
  const { client } = bot;
  const scope = { botId: bot.id, client, accountId: bot.workspace.owner.accountId };
  // Agents may delete only their own notes.
  const by = bot === own ? { own: bot.clientOf(agent.token) } : {};
  const { path, body } = await BOT_CHAT_REQUESTS[name as BotChatOperation]({ ...scope, ...by });
  const headers = { authorization: `Bearer ${agent.token}`, 'x-bot-id': bot.id };
  return (await call(`${apiBaseUrl()}${prefixOf(platformApi, operation)}/chat${path}`, { method, headers, body }))
    .status;
}

describe('an agent who is limited to bots', () => {
  it('may call bot-level operations of the group botChat only', () => {
    expect(new Set(ofBot.map(({ group }) => group))).toEqual(new Set(['botChat']));
    expect(ofBot.length).toBeGreaterThan(30);
  });

  it.each(ofBot.map(operation => [operation.name, operation] as const))(
    'receives 403 from %s of another bot, and is permitted at their own',
    async (_, operation) => {
      expect(await send(operation, other)).toBe(403);
      expect(await send(operation, own)).not.toBe(403);
    },
  );

  it('names every operation of the workspace that agents may call, each of which this file tests or names no bot', () => {
    const names = forAgents.filter(({ scope }) => scope !== 'bot').map(({ name }) => name);

    const limited = [
      ...['listBots', 'getBot', 'getUsage', 'getMultipleUsages', 'listUsageHistory', 'breakDownWorkspaceUsageByBot'],
      ...['listInboxHandoffs', 'countInboxHandoffs', 'searchInbox', 'searchInboxMessages', 'listMentions'],
    ];
    expect(names).toEqual(expect.arrayContaining(limited));
    expect(names.filter(name => !limited.includes(name)).sort()).toEqual(
      [
        ...['getAccount', 'updateAccount', 'getAccountPreference', 'setAccountPreference', 'introspect'],
        ...['listPersonalAccessTokens', 'createPersonalAccessToken', 'deletePersonalAccessToken', 'listSessions'],
        ...['createWorkspace', 'getWorkspace', 'getWorkspacePreference', 'listWorkspaces', 'listPublicWorkspaces'],
        ...['getPublicWorkspace', 'checkHandleAvailability'],
        ...['listWorkspaceMembers', 'getWorkspaceMember', 'deleteWorkspaceMember'],
        ...['listWorkspaceUsages', 'getWorkspaceQuota', 'listWorkspaceQuotas'],
        ...['listInboxAgents', 'setInboxAvailability', 'getInboxSettings', 'listInboxLabels', 'markMentionsRead'],
      ].sort(),
    );
  });

  it('finds only their bots in the lists of the workspace', async () => {
    const [mine, foreign] = [await newWaiting(own), await newWaiting(other)];
    const talk = await newTalk(other);
    await talk.say('unmistakable words');
    await settled();

    const { bots } = (await get('/admin/bots')).body;
    expect(bots.map(({ id }: { id: string }) => id)).toEqual([own.id]);
    await eventually(async () => {
      const { handoffs } = (await get('/chat/inbox/handoffs?status=waiting&pageSize=100')).body;
      expect(handoffs.map(({ id }: { id: string }) => id)).toContain(mine.id);
      expect(JSON.stringify(handoffs)).not.toContain(other.id);
    });
    const named = (await get(`/chat/inbox/handoffs?botIds=${other.id}`)).body;
    expect(named.handoffs).toEqual([]);
    const one = await get(`/chat/inbox/handoffs?botIds=${other.id}&conversationIds=${foreign.conversationId}`);
    expect(one.body.handoffs).toEqual([]);
    expect((await get(`/chat/inbox/handoff-counts?botIds=${other.id}`)).body.counts.waiting).toBe(0);
    const found = await get(`/chat/inbox/search?query=${talk.conversationId}`);
    expect(JSON.stringify(found.body)).not.toContain(other.id);
    const messages = await get('/chat/inbox/search/messages?query=unmistakable');
    expect(JSON.stringify(messages.body)).not.toContain(other.id);
  });

  it('reads no note of another bot that mentions them, and cannot be mentioned in one', async () => {
    const { conversationId } = await newWaiting(other);
    const mention = () =>
      call(`${apiBaseUrl()}/v1/chat/conversations/${conversationId}/notes`, {
        method: 'POST',
        token: own.workspace.owner.token,
        headers: { 'x-bot-id': other.id },
        body: { text: 'a secret of the other bot', mentions: [agent.accountId] },
      });
    await limitTo(null);
    const before = await mention();
    const seen = (await get('/chat/inbox/mentions')).body.mentions;
    await limitTo([own.id]);

    const hidden = (await get('/chat/inbox/mentions')).body.mentions;
    const after = await mention();

    expect([before.status, seen.length, hidden, after.status]).toEqual([201, 1, [], 400]);
  });

  it.each([
    ['getBot', () => `/admin/bots/${other.id}`],
    ['getUsage', () => `/admin/usages/${other.id}?type=bot_count`],
  ])('receives 404 from %s of another bot', async (name, path) => {
    const { status, body } = await get(path());

    expect([name, status, body.type]).toEqual([name, 404, 'ResourceNotFound']);
  });

  it('sees only their bots in the usage by bot', async () => {
    const { data } = (await get(`/admin/workspaces/${own.workspace.id}/usages/by-bot?type=invocation_timeout`)).body;

    expect(JSON.stringify(data)).not.toContain(other.id);
  });

  it('cannot watch another bot, and receives no notices of it', async () => {
    await expect(watchBot(other.id, agent.token)).rejects.toMatchObject({ status: 403 } satisfies Partial<Refused>);
    const watcher = await watchInbox(own.workspace.id, agent.token);
    const created = await newBot(own.workspace);

    for (const bot of [other, created, own]) await newTalk(bot);
    await eventually(async () => expect(watcher.frames.some(({ data }) => data.botId === own.id)).toBe(true));
    await settled();

    const of = (bot: TestBot) => watcher.frames.filter(({ data }) => data.botId === bot.id);
    expect([of(other), of(created)]).toEqual([[], []]);
    watcher.close();
  });

  it('cannot be assigned to conversations of another bot', async () => {
    const { id } = await newWaiting(other);

    const { status, body } = await handoffsOf(other).assign(id, { accountId: agent.accountId });

    expect([status, body.type]).toEqual([400, 'ReferenceNotFound']);
  });

  it('loses their conversations of a bot that is no longer theirs, and closes their connections', async () => {
    await limitTo(null);
    const [kept, lost] = [await newWaiting(own), await newWaiting(other)];
    await handoffsOf(own, agent.token).assign(kept.id);
    await handoffsOf(other, agent.token).assign(lost.id);
    const watcher = await watchInbox(own.workspace.id, agent.token);

    await limitTo([own.id]);

    await watcher.closed;
    await eventually(async () =>
      expect((await handoffsOf(other).get(lost.id)).body.handoff).toMatchObject({ status: 'waiting' }),
    );
    expect((await handoffsOf(own).get(kept.id)).body.handoff.member.id).toBe(agent.accountId);
  });

  it('has access to all bots with another role', async () => {
    const { client } = own.workspace.owner;
    await client.updateWorkspaceMember({ id: agent.memberId, role: 'viewer' });
    clock.advance(CACHED_MS);

    const { bots } = (await get('/admin/bots')).body;

    expect(bots.length).toBeGreaterThanOrEqual(2);
    await client.updateWorkspaceMember({ id: agent.memberId, role: 'agent' as never });
  });
});
