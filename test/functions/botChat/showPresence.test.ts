import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { showMember } from '#shared/storage/dynamodb/chat/memberPresence.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { memberPresenceKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { type Member, newConversation, newTalk, useTeam } from '#test/support/handoffs.ts';
import { eventually, isLeftOut, newBot, settled, useSharedPlatform } from '#test/support/platform.ts';
import { type Listener, listenOfficial, listenOwn, watchBot } from '#test/support/sockets.ts';

useSharedPlatform();
const { team } = useTeam();

const open: Pick<Listener, 'close'>[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

const show = ({ token }: Pick<Member, 'token'>, conversationId: string, state: string) =>
  team.bot.call('POST', `/conversations/${conversationId}/presence`, { token, body: { state } });
const statesOf = async (conversationId: string): Promise<[string, string][]> =>
  (await team.bot.call('GET', `/conversations/${conversationId}/presence`)).body.members.map(
    ({ id, state }: { id: string; state: string }) => [id, state],
  );

describe('POST /v1/chat/conversations/{id}/presence', () => {
  let conversationId: string;
  beforeAll(async () => {
    conversationId = await newConversation(team.bot);
  });

  it('shows members to each other, what they do, and that they left', async () => {
    const { ada, bob } = team;

    const { status } = await show(ada, conversationId, 'viewing');
    const { body } = await show(bob, conversationId, 'writingReply');
    const both = await statesOf(conversationId);
    await show(ada, conversationId, 'writingNote');
    await show(bob, conversationId, 'left');

    expect(status).toBe(200);
    expect(body).toMatchObject({
      visitor: { isOnline: false },
      members: [{ id: ada.accountId }, { id: bob.accountId }],
    });
    expect(body.members[0]).toEqual({
      id: ada.accountId,
      name: expect.any(String),
      state: 'viewing',
      at: expect.any(String),
    });
    expect(both).toEqual([
      [ada.accountId, 'viewing'],
      [bob.accountId, 'writingReply'],
    ]);
    expect(await statesOf(conversationId)).toEqual([[ada.accountId, 'writingNote']]);
  });

  it('expires without renewal, and removes expired members from the item', async () => {
    const { ada, bob } = team;
    const id = await newConversation(team.bot);
    await show(ada, id, 'writingReply');
    clock.advance(31_000);
    const viewing = await statesOf(id);
    clock.advance(45_000);
    const ended = await statesOf(id);

    await show(bob, id, 'viewing');

    expect(viewing).toEqual([[ada.accountId, 'viewing']]);
    expect(ended).toEqual([]);
    const item = (await readItem(memberPresenceKey(team.bot.id, id)))!;
    expect(Object.keys(item).filter(name => name.startsWith('m#'))).toEqual([`m#${bob.accountId}`]);
    expect(item.ttl - clock.now() / 1000).toBeLessThan(11 * 60);
  });

  it('writes nothing for a repetition within ten seconds', async () => {
    const id = await newConversation(team.bot);
    await show(team.ada, id, 'viewing');
    const before = await readItem(memberPresenceKey(team.bot.id, id));

    await show(team.ada, id, 'viewing');

    expect(await readItem(memberPresenceKey(team.bot.id, id))).toEqual(before);
  });

  it('keeps members who come concurrently', async () => {
    const id = await newConversation(team.bot);

    await Promise.all([show(team.ada, id, 'viewing'), show(team.bob, id, 'viewing')]);

    expect((await statesOf(id)).map(([account]) => account).sort()).toEqual(
      [team.ada.accountId, team.bob.accountId].sort(),
    );
  });

  it('records up to 50 members', async () => {
    const id = await newConversation(team.bot);
    for (let i = 0; i < 50; i++) {
      const other = { accountId: `a${i}`, name: 'n', state: 'viewing' as const, atMs: clock.now(), generation: 0 };
      await write([showMember(team.bot.id, id, other, [])]);
    }

    const { status } = await show(team.ada, id, 'viewing');

    expect(status).toBe(200);
    expect(await statesOf(id)).toHaveLength(50);
  });

  it('returns 403 to viewers, bots and integrations, 404 for an unknown conversation, 400 for an unknown state', async () => {
    const viewer = await team.bot.workspace.join('viewer');
    const { bot, integration } = team.bot.tokens;

    const answers = [
      await show(viewer, conversationId, 'viewing'),
      await show({ token: bot }, conversationId, 'viewing'),
      await show({ token: integration }, conversationId, 'viewing'),
      await show(team.ada, 'none', 'viewing'),
      await show(team.ada, await newConversation(await newBot()), 'viewing'),
      await show(team.ada, conversationId, 'dancing'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 404, 404, 400]);
  });

  it('is deleted with the conversation', async () => {
    const { client, conversationId: id } = await newTalk(team.bot);
    await show(team.ada, id, 'viewing');
    await client.deleteConversation({ id });

    await eventually(async () => expect(await readItem(memberPresenceKey(team.bot.id, id))).toBeUndefined());
  });
});

describe.skipIf(isLeftOut('stream'))('the presence of members', () => {
  let endpoint: TestEndpoint;
  beforeAll(async () => {
    endpoint = await startEndpoint();
  });

  it('reaches connections of members, and neither end users nor webhooks nor the bot', async () => {
    const bot = await newBot();
    const { token } = bot.workspace.owner;
    await bot.workspace.owner.client.updateBot({
      id: bot.id,
      url: endpoint.url,
      integrations: { chat: { enabled: true, configuration: { webhookUrl: endpoint.url } } },
    });
    const { client, key, conversationId, say } = await newTalk(bot);
    const at = { chatUrl: bot.chatUrl, conversationId, key };
    const [own, official, watcher] = [await listenOwn(at), await listenOfficial(at), await watchBot(bot.id, token)];
    open.push(own, official, watcher);
    const gone = new AbortController();
    const stream = await fetch(`${bot.chatUrl}/conversations/${conversationId}/listen`, {
      headers: { 'x-user-key': key, accept: 'text/event-stream' },
      signal: gone.signal,
    });
    let streamed = '';
    const reading = (async () => {
      for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) streamed += chunk;
    })().catch(() => {});

    for (const state of ['viewing', 'writingReply', 'writingNote', 'left']) {
      const { status } = await bot.call('POST', `/conversations/${conversationId}/presence`, {
        token,
        body: { state },
      });
      expect(status).toBe(200);
    }
    await eventually(async () =>
      expect(watcher.frames.some(({ data }) => data.topics.includes('presence'))).toBe(true),
    );
    await say('the next signal');
    await eventually(async () => expect(streamed).toContain('the next signal'));
    await own.untilType('message_created');
    await official.untilType('message_created');
    await settled();
    gone.abort();
    await reading;

    const seen = [
      ...[own.frames, official.frames, streamed],
      ...[await client.listMessages({ conversationId }), await client.listParticipants({ conversationId })],
      endpoint.received.map(({ body }) => body),
    ];
    expect(own.frames.map(({ type }) => type)).toEqual(['message_created']);
    expect(endpoint.received.length).toBeGreaterThan(0);
    expect(JSON.stringify(seen)).not.toMatch(/viewing|writingReply|writingNote|presence/i);
    endpoint.stop();
  });
});
