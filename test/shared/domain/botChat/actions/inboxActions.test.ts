import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { conversationPk } from '#shared/storage/dynamodb/keys/chat.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { handoffsOf, useTeam } from '#test/support/handoffs.ts';
import { installInbox } from '#test/support/inbox.ts';
import { CACHED_MS, eventually, isLeftOut, newBot, settled, useSharedPlatform } from '#test/support/platform.ts';
import { partitionItems } from '#test/support/tableItems.ts';

useSharedPlatform();

const { team, as } = useTeam();
let inbox: Awaited<ReturnType<typeof installInbox>>;
let endpoint: TestEndpoint;

beforeAll(async () => {
  endpoint = await startEndpoint();
  inbox = await installInbox(team.bot);
  await team.bot.workspace.owner.client.updateBot({ id: team.bot.id, url: endpoint.url });
});
afterAll(() => endpoint.stop());

/** Starts a session of a user that waits for a member. */
async function newSession(fields: Partial<Parameters<typeof inbox.startHitl>[0]> = {}) {
  const userId = await inbox.createUser();
  const conversationId = await inbox.startHitl({ userId, ...fields });
  const { body } = await as(team.ada).list(`?conversationId=${conversationId}`);
  /** Forwards a message of the user, as the plugin does. */
  const forward = async (text: string, onBehalfOf = userId) =>
    (
      await team.bot.client.createMessage({
        conversationId,
        userId: team.bot.id,
        type: 'text',
        payload: { text, userId: onBehalfOf },
        tags: {},
      })
    ).message;
  return { userId, conversationId, id: body.handoffs[0].id as string, forward };
}

const reply = (id: string, text: string) =>
  team.bot.call('POST', `/handoffs/${id}/messages`, {
    token: team.ada.token,
    body: { type: 'text', payload: { text } },
  });

/** Returns what the bot received of a conversation: texts of messages, and types with payloads of other events. */
const received = (conversationId: string) =>
  endpoint
    .events()
    .filter(event => event.conversationId === conversationId)
    .map(({ type, payload }) => (type === 'message_created' ? payload.message.payload.text : [type, payload]));

describe('createUser', () => {
  it('creates a user of the integration with name, picture and email', async () => {
    const pictureUrl = 'https://example.com/grace.png';

    const userId = await inbox.createUser({ name: 'Grace', pictureUrl, email: 'grace@example.com' });

    const { user } = await team.bot.client.getUser({ id: userId });
    expect(user).toMatchObject({ name: 'Grace', pictureUrl, tags: { 'inbox:email': 'grace@example.com' } });
  });

  it('returns 400 that names an invalid field', async () => {
    const refused = await team.bot.call('POST', '/actions', { body: { type: 'inbox:createUser', input: { name: 1 } } });

    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('input.name') } });
  });
});

describe('startHitl', () => {
  it('opens a queued conversation with its title as the reason', async () => {
    const { conversationId } = await newSession({ title: 'Order 7', description: 'The parcel is late.' });

    const { body } = await as(team.ada).list('?status=waiting');
    expect(body.handoffs).toContainEqual(
      expect.objectContaining({
        conversationId,
        status: 'waiting',
        reason: 'Order 7\n\nThe parcel is late.',
        startedBy: expect.objectContaining({ type: 'bot', id: team.bot.id }),
      }),
    );
    const { conversation } = await team.bot.client.getConversation({ id: conversationId });
    expect(conversation).toMatchObject({ integration: 'inbox', channel: 'hitl' });
  });

  it('shows members the history under its authors, and sends none of it to the bot', async () => {
    const userId = await inbox.createUser();
    const other = await inbox.createUser({ name: 'Other' });

    const { conversationId, id } = await newSession({
      userId,
      messageHistory: [
        { source: { type: 'user', userId }, type: 'text', payload: { text: 'Where is it?' } },
        { source: { type: 'bot' }, type: 'text', payload: { text: 'I ask somebody.' } },
        { source: { type: 'user', userId: other }, type: 'image', payload: { imageUrl: 'https://example.com/a.png' } },
      ],
    });
    await settled();

    const { messages } = await team.bot.client.listMessages({ conversationId });
    expect(messages.map(message => [message.userId, message.type]).reverse()).toEqual([
      [userId, 'text'],
      [team.bot.id, 'text'],
      [other, 'image'],
    ]);
    expect(received(conversationId)).toEqual([]);
    expect((await as(team.ada).get(id)).body.handoff).toMatchObject({ isUnread: false });
  });

  it('returns 404 for a user of another integration', async () => {
    const { user } = await team.bot.client.createUser({ tags: {}, integrationName: 'chat' });

    const refused = await team.bot.call('POST', '/actions', {
      body: { type: 'inbox:startHitl', input: { userId: user.id, messageHistory: [] } },
    });

    expect(refused).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});

describe('a session', () => {
  it("shows forwarded messages as the user's, and counts them as unread", async () => {
    const { conversationId, id, userId, forward } = await newSession();
    await as(team.ada).assign(id);

    const message = await forward('Where is my parcel?');
    await settled();

    expect(message).toMatchObject({ userId, direction: 'outgoing' });
    expect((await team.bot.client.listMessages({ conversationId })).messages).toHaveLength(1);
    expect((await as(team.ada).get(id)).body.handoff).toMatchObject({ isUnread: true });
    const { body } = await as(team.ada).list(`?accountId=${team.ada.accountId}&isUnread=true`);
    expect(body.handoffs.map((each: { id: string }) => each.id)).toContain(id);
  });

  it("shows a bot message as the bot's own", async () => {
    const { conversationId } = await newSession();
    const { user } = await team.bot.client.createUser({ tags: {}, integrationName: 'chat' });

    for (const userId of [undefined, user.id, 'nobody']) {
      const { message } = await team.bot.client.createMessage({
        conversationId,
        userId: team.bot.id,
        type: 'text',
        payload: { text: 'The user has left.', userId },
        tags: {},
      });
      expect(message.userId).toBe(team.bot.id);
    }
  });

  it("sends the bot the replies of members, between the interface's events", async () => {
    const { conversationId, id, forward } = await newSession();
    await forward('Hello?');
    const { body: assigned } = await as(team.ada).assign(id);
    const { body: replied } = await reply(id, 'Hello!');
    await as(team.ada).end(id);
    await settled();

    const { userId } = assigned.handoff.member;
    expect(replied.message).toMatchObject({ userId, direction: 'incoming' });
    expect(received(conversationId)).toEqual([
      ['inbox:hitlAssigned', { conversationId, userId }],
      'Hello!',
      ['inbox:hitlStopped', { conversationId }],
    ]);
    const { events } = await team.bot.client.listEvents({ conversationId, status: 'ignored' });
    expect(events).toEqual([]);
  });

  it('marks earlier messages as read after a reply, which is never unread', async () => {
    const { id, forward } = await newSession();
    await as(team.ada).assign(id);
    await forward('Hello?');
    await settled();

    await reply(id, 'Hello!');
    await settled();

    expect((await as(team.ada).get(id)).body.handoff).toMatchObject({ isUnread: false });
  });

  it('announces each member who takes over, but nobody when the session returns to the queue', async () => {
    const { conversationId, id } = await newSession();
    const { body: first } = await as(team.ada).assign(id);
    await as(team.ada).assign(id, { accountId: null });
    const { body: second } = await as(team.bob).assign(id);
    await settled();

    expect(received(conversationId)).toEqual(
      [first, second].map(({ handoff }) => ['inbox:hitlAssigned', { conversationId, userId: handoff.member.userId }]),
    );
  });

  it('makes no deliveries to the integration, which has no endpoint', async () => {
    const { conversationId, forward } = await newSession();
    await forward('Hello?');
    await team.bot.client.updateConversation({ id: conversationId, tags: { upstream: 'convo_1' } });
    await settled();

    const items = await partitionItems(conversationPk(team.bot.id, conversationId));
    expect(items.filter(({ sk }) => sk.startsWith('out#'))).toEqual([]);
  });

  it('cannot be started again by a member', async () => {
    const { conversationId, id } = await newSession();
    await as(team.ada).assign(id);
    await as(team.ada).end(id);

    const again = await as(team.ada).start(conversationId);

    expect(again).toMatchObject({ status: 409, body: { type: 'RelationConflict', metadata: { handoffId: id } } });
  });

  it.skipIf(isLeftOut('clock'))('returns 409 for replies after the inbox was uninstalled', async () => {
    const own = await newBot();
    const { token } = own.workspace.owner;
    const { createUser, startHitl } = await installInbox(own);
    const conversationId = await startHitl({ userId: await createUser() });
    const { body } = await handoffsOf(own, token).start(conversationId, { accountId: own.workspace.owner.accountId });
    await own.workspace.call('PUT', `/bots/${own.id}`, { body: { integrations: { inbox: null } } });
    clock.advance(CACHED_MS);

    const message = { type: 'text', payload: { text: 'Hello!' } };
    const refused = await own.call('POST', `/handoffs/${body.handoff.id}/messages`, { token, body: message });

    // The platform ends the handoff within seconds.
    const reason = expect.stringMatching(/has uninstalled inbox|ended this handoff/);
    expect(refused).toMatchObject({ status: 409, body: { type: 'RelationConflict', message: reason } });
    await eventually(async () =>
      expect((await handoffsOf(own, token).get(body.handoff.id)).body.handoff.status).toBe('closed'),
    );
    expect((await handoffsOf(own, token).end(body.handoff.id)).status).toBe(200);
  });
});

describe('stopHitl', () => {
  it('ends a session that is assigned to a member, without an event', async () => {
    const { conversationId, id } = await newSession();
    await as(team.ada).assign(id);

    await inbox.stopHitl(conversationId);
    await settled();

    const { body } = await as(team.ada).get(id);
    expect(body.handoff).toMatchObject({ status: 'closed', endedBy: { type: 'bot', id: team.bot.id } });
    expect(received(conversationId).map(([type]: string[]) => type)).toEqual(['inbox:hitlAssigned']);
    expect(await reply(id, 'Wait!')).toMatchObject({ status: 409 });
  });

  it('changes nothing when it is repeated, or the member has ended the session', async () => {
    const { conversationId, id } = await newSession();
    await as(team.ada).assign(id);
    const { body: ended } = await as(team.ada).end(id);

    await inbox.stopHitl(conversationId);
    await inbox.stopHitl(conversationId);

    expect((await as(team.ada).get(id)).body).toEqual(ended);
  });

  it('succeeds or fails against a member who takes over concurrently', async () => {
    const { conversationId, id } = await newSession();

    const [assigned] = await Promise.all([as(team.ada).assign(id), inbox.stopHitl(conversationId)]);

    expect([200, 409]).toContain(assigned.status);
    expect((await handoffsOf(team.bot).get(id)).body.handoff.status).toBe('closed');
  });
});
