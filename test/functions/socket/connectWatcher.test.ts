/** Tests watching a bot as a member. */
import { afterEach, describe, expect, it } from 'vitest';
import { reactToTable } from '#functions/events/reactToTable.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { clock } from '#shared/core/clock.ts';
import { newConversationId } from '#shared/core/ids.ts';
import { MAX_CONVERSATIONS } from '#shared/storage/dynamodb/connections/notices.ts';
import { conversationKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { handoffsOf, newTalk } from '#test/support/handoffs.ts';
import {
  eventually,
  isLeftOut,
  newBot,
  newScopedToken,
  newSession,
  newWorkspace,
  settled,
  type TestBot,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { type Listener, type Refused, watchBot } from '#test/support/sockets.ts';
import { streamRecord } from '#test/support/streamRecords.ts';
import { newLink } from '#test/support/tenants.ts';

useSharedPlatform();

const CLOSED_BY_SERVER = 1001;
const open: Listener[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function watch(botId: string, token: string): Promise<Listener> {
  const watcher = await watchBot(botId, token);
  open.push(watcher);
  return watcher;
}

const topicsIn = ({ frames }: Listener, conversationId?: string): Set<string> =>
  new Set(
    frames
      .filter(({ data }) => conversationId === undefined || data.conversationIds.includes(conversationId))
      .flatMap(({ data }) => data.topics),
  );

/** Waits until the changes so far have been noticed. */
async function noticed(bot: TestBot, watcher: Listener): Promise<void> {
  const talk = await newTalk(bot);
  await talk.say('noticed?');
  await eventually(async () => expect(topicsIn(watcher, talk.conversationId)).toContain('messages'));
}

describe('a notice', () => {
  it('names the topic and the conversation of a change, without content', async () => {
    const bot = await newBot();
    const watcher = await watch(bot.id, bot.workspace.owner.token);
    const talk = await newTalk(bot);

    await talk.say('a secret');

    await eventually(async () => expect(topicsIn(watcher, talk.conversationId)).toContain('messages'));
    for (const { type, data, ...rest } of watcher.frames) {
      expect({ type, rest }).toEqual({ type: 'changed', rest: {} });
      expect(Object.keys(data).sort()).toEqual(['botId', 'conversationIds', 'topics']);
    }
    expect(JSON.stringify(watcher.frames)).not.toContain('secret');
  });

  it.each<[topic: string, change: (bot: TestBot, talk: Awaited<ReturnType<typeof newTalk>>) => Promise<unknown>]>([
    ['conversations', (_bot, talk) => talk.say('counted')],
    ['events', ({ client }, { conversationId }) => client.createEvent({ type: 'order', payload: {}, conversationId })],
    ['handoffs', (bot, talk) => handoffsOf(bot).start(talk.conversationId)],
    [
      'notes',
      (bot, talk) => bot.call('POST', `/conversations/${talk.conversationId}/notes`, { body: { text: 'VIP' } }),
    ],
    [
      'messages',
      async (bot, talk) => {
        const id = await talk.say('wrong');
        await bot.client.deleteMessage({ id });
      },
    ],
  ])('names %s of a conversation', async (topic, change) => {
    const bot = await newBot();
    const talk = await newTalk(bot);
    const watcher = await watch(bot.id, bot.workspace.owner.token);

    await change(bot, talk);

    await eventually(async () => expect(topicsIn(watcher, talk.conversationId)).toContain(topic));
  });

  it.each<[topic: string, change: (bot: TestBot, userId: string) => Promise<unknown>]>([
    ['users', ({ client }, userId) => client.updateUser({ id: userId, name: 'Ada', tags: {} })],
    ['workflows', ({ client }) => client.createWorkflow({ name: 'order', status: 'pending', input: {}, tags: {} })],
  ])('names %s of the bot', async (topic, change) => {
    const bot = await newBot();
    const talk = await newTalk(bot);
    await settled();
    const watcher = await watch(bot.id, bot.workspace.owner.token);

    await change(bot, talk.userId);

    await eventually(async () => expect(topicsIn(watcher)).toContain(topic));
  });

  it('is sent for each change of a burst, in few frames', async () => {
    const bot = await newBot();
    const talks = [await newTalk(bot), await newTalk(bot), await newTalk(bot)];
    const watcher = await watch(bot.id, bot.workspace.owner.token);

    await Promise.all(talks.flatMap(({ say }) => Array.from({ length: 20 }, (_, i) => say(`Message ${i}`))));

    for (const { conversationId } of talks) {
      await eventually(async () => expect(topicsIn(watcher, conversationId)).toContain('messages'));
    }
    await settled();
    expect(watcher.frames.length).toBeLessThan(20);
  });

  it('names no conversations of more than it may name', async () => {
    const bot = await newBot();
    const watcher = await watch(bot.id, bot.workspace.owner.token);
    const Records = Array.from({ length: MAX_CONVERSATIONS + 1 }, () =>
      streamRecord(undefined, { ...conversationKey(bot.id, newConversationId(clock.now())), id: 'x' }),
    );

    await reactToTable.handle({ Records }, lambdaContext('reactToTable', 60_000));

    await eventually(async () =>
      expect(watcher.frames.map(({ data }) => data)).toContainEqual({ botId: bot.id, topics: ['conversations'] }),
    );
  });

  it('is not sent for another bot', async () => {
    const bot = await newBot();
    const other = await newBot(bot.workspace);
    const watcher = await watch(bot.id, bot.workspace.owner.token);

    const talk = await newTalk(other);
    await talk.say('elsewhere');
    await settled();
    await noticed(bot, watcher);

    expect(JSON.stringify(watcher.frames)).not.toContain(talk.conversationId);
  });
});

describe('a connection', () => {
  it.each<[string, (workspace: TestWorkspace, bot: TestBot) => Promise<string>, number]>([
    ['401 for an unknown token', async () => 'bp_pat_0000000000000000000000', 401],
    ['403 for a key of the bot', async (_, bot) => bot.tokens.bot, 403],
    ['403 for a role without conversations', async workspace => (await workspace.join('billing')).token, 403],
    ['403 for a token without the scope', workspace => newScopedToken(workspace, ['files']), 403],
    ['403 for a member of another workspace', async () => (await newWorkspace()).owner.token, 403],
  ])('is refused with %s', async (_, tokenOf, status) => {
    const bot = await newBot();
    const token = await tokenOf(bot.workspace, bot);

    const refused: Refused = await watch(bot.id, token).catch(error => error);

    expect(refused.status).toBe(status);
  });

  it('is open to agents', async () => {
    const bot = await newBot();
    const agent = await bot.workspace.join('agent');

    const watcher = await watch(bot.id, agent.token);

    await noticed(bot, watcher);
  });

  interface Watched {
    bot: TestBot;
    member: Awaited<ReturnType<TestWorkspace['join']>>;
    /** Of the member. The connection's credential. */
    session: { id: string; value: string };
  }
  it.each<[string, (watched: Watched) => Promise<unknown>]>([
    [
      'the member was removed',
      ({ bot, member }) => bot.workspace.owner.client.deleteWorkspaceMember({ id: member.memberId }),
    ],
    [
      'the token was revoked',
      async ({ member }) => {
        const { pats } = await member.client.listPersonalAccessTokens({});
        await Promise.all(pats.map(({ id }) => member.client.deletePersonalAccessToken({ id })));
      },
    ],
    [
      'the session was deleted',
      ({ bot, session }) => bot.workspace.call('DELETE', `/account/sessions/${session.id}`, { token: session.value }),
    ],
    [
      'the role lost the permission',
      ({ bot, member }) => bot.workspace.owner.client.updateWorkspaceMember({ id: member.memberId, role: 'billing' }),
    ],
  ])('is closed at the next change after %s, and receives no notice of it', async (_, end) => {
    const bot = await newBot();
    const member = await bot.workspace.join('developer');
    const session = await newSession(member.token);
    const watcher = await watch(bot.id, session.value);
    const owner = await watch(bot.id, bot.workspace.owner.token);

    await end({ bot, member, session });
    const talk = await newTalk(bot);
    await talk.say('after');

    expect(await watcher.closed).toBe(CLOSED_BY_SERVER);
    await noticed(bot, owner);
    expect(JSON.stringify(watcher.frames)).not.toContain(talk.conversationId);
  });

  it.each<[string, (bot: TestBot) => Promise<unknown>]>([
    ['the bot was deleted', bot => bot.workspace.owner.client.deleteBot({ id: bot.id })],
    [
      'the bot was transferred to another workspace',
      async bot => {
        const { owner, call } = bot.workspace;
        await owner.client.updateBot({ id: bot.id, integrations: { chat: null } } as never);
        const { body } = await call('POST', '/workspaces', { body: { name: 'Buyer' } });
        const { status } = await call('POST', `/bots/${bot.id}/transfer`, { body: { targetWorkspaceId: body.id } });
        expect(status).toBe(200);
      },
    ],
  ])('is closed after %s', async (_, end) => {
    const bot = await newBot();
    const member = await bot.workspace.join('developer');
    const watcher = await watch(bot.id, member.token);

    await end(bot);

    expect(await watcher.closed).toBe(CLOSED_BY_SERVER);
  });

  it('is open to a session and refused to a sign-in link', async () => {
    const bot = await newBot();
    const link = await newLink(bot.workspace.owner.accountId);

    const refused: Refused = await watch(bot.id, link).catch(error => error);
    const watcher = await watch(bot.id, (await newSession(link)).value);

    expect(refused.status).toBe(401);
    await noticed(bot, watcher);
  });

  it.skipIf(isLeftOut('clock'))('is closed when the token expires', async () => {
    const bot = await newBot();
    const { call } = bot.workspace;
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    const { body } = await call('POST', '/account/pats', { body: { note: 'expiring', expiresAt } });
    const watcher = await watch(bot.id, body.pat.value);

    clock.advance(60_000);

    expect(await watcher.closed).toBe(CLOSED_BY_SERVER);
  });
});
