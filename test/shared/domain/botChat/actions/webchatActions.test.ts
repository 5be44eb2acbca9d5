import { afterEach, describe, expect, it } from 'vitest';
import { call, eventually, isLeftOut, newBot, newUser, useSharedPlatform } from '#test/support/platform.ts';
import { onceForgotten } from '#test/support/time.ts';

useSharedPlatform();

// biome-ignore lint/suspicious/noExplicitAny: whatever came, for the test to judge
type Frame = { type: string; data: any };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Creates a bot, and collects the signals of a user's webchat client. */
async function setUp() {
  const bot = await newBot();
  const gone = new AbortController();
  closing.push(() => gone.abort());
  const response = await fetch(`${bot.chatUrl}/initialize`, { signal: gone.signal });
  let text = '';
  const read = async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  };
  void read().catch(() => {});
  const frames = () => [...text.matchAll(/^data: (\{.*)$/gm)].map(match => JSON.parse(match[1]!) as Frame);
  await eventually(async () => expect(frames()).not.toEqual([]));
  const { conversation, user } = frames()[0]!.data;
  const act = (name: string, input: object = {}) =>
    bot.call('POST', '/actions', {
      body: { type: `chat:${name}`, input: { conversationId: conversation.id, ...input } },
    });
  return { bot, user, conversation, act, heard: () => frames().slice(1) };
}

describe.skipIf(isLeftOut('stream'))('an action that steers the webchat client', () => {
  it.each([
    ['showWebchat', {}, { type: 'webchat_visibility', data: { visibility: 'show' } }],
    ['hideWebchat', {}, { type: 'webchat_visibility', data: { visibility: 'hide' } }],
    ['toggleWebchat', {}, { type: 'webchat_visibility', data: { visibility: 'toggle' } }],
    ['configWebchat', { config: '{"botName":"Bo"}' }, { type: 'webchat_config', data: { config: { botName: 'Bo' } } }],
    ['configWebchat', { config: { botName: 'Bo' } }, { type: 'webchat_config', data: { config: { botName: 'Bo' } } }],
    ['customEvent', { event: '{"open":"cart"}' }, { type: 'custom', data: { event: { open: 'cart' } } }],
    ['sendEvent', { payload: { open: 'cart' } }, { type: 'custom', data: { event: { open: 'cart' } } }],
    ['startTypingIndicator', {}, { type: 'typing_started', data: { timeout: 5000 } }],
  ])('sends the signal of %s with %j', async (name, input, signal) => {
    const { act, heard } = await setUp();

    const { status, body } = await act(name, input);

    expect({ status, output: body.output }).toEqual({ status: 200, output: {} });
    await eventually(async () =>
      expect(heard()).toEqual([signal].map(each => expect.objectContaining({ type: each.type }))),
    );
    expect(heard()[0]!.data).toMatchObject(signal.data);
  });

  it('ends the indicator of startTypingIndicator with stopTypingIndicator', async () => {
    const { act, heard } = await setUp();
    await act('startTypingIndicator');
    await eventually(async () => expect(heard()).toHaveLength(1));

    await act('stopTypingIndicator');

    await eventually(async () => expect(heard().map(({ type }) => type)).toEqual(['typing_started', 'typing_stopped']));
  });

  it.each([
    ['configWebchat', { config: 'blue' }, 'input.config'],
    ['configWebchat', { config: '[]' }, 'input.config'],
    ['configWebchat', { config: '{"a":[1e400]}' }, 'input.config.a.0'],
    ['customEvent', {}, 'input.event'],
    ['getUserData', {}, 'input.userId'],
  ])('returns 400 from %s for %j and names the field', async (name, input, path) => {
    const { act } = await setUp();

    const { status, body } = await act(name, input);

    expect(status).toBe(400);
    expect(body.metadata.issues[0].path).toBe(path);
  });

  it('returns 404 for a conversation that does not exist', async () => {
    const { act } = await setUp();

    const { status } = await act('showWebchat', { conversationId: `convo_${'0'.repeat(22)}` });

    expect(status).toBe(404);
  });
});

describe('getUserData', () => {
  it("returns the client's user data, if any", async () => {
    const bot = await newBot();
    const { client } = bot.workspace.owner;
    await client.updateBot({ id: bot.id, integrations: { chat: { configuration: { payloadExtensions: true } } } });
    const create = (body: object) => call(`${bot.chatUrl}/users`, { method: 'POST', body });
    const act = (userId: string) =>
      bot.call('POST', '/actions', { body: { type: 'chat:getUserData', input: { userId } } });
    const plain = await newUser(bot);
    const withData = await onceForgotten(async () => {
      const { body } = await create({ userData: { plan: 'pro', seats: 3 } });
      expect(body.user.data).toBeDefined();
      return body;
    });

    const answers = [await act(withData.user.id), await act(plain.user.id)];

    expect(answers.map(({ body }) => body.output)).toEqual([{ userData: { plan: 'pro', seats: 3 } }, {}]);
  });
});

describe.skipIf(isLeftOut('stream'))('getOrCreateUser', () => {
  const person = { name: 'Ada', pictureUrl: 'https://example.com/ada.png', email: 'ada@example.com' };

  it('lets the bot write on behalf of a user from another channel', async () => {
    const { bot, conversation, act, heard } = await setUp();
    const user = { id: 'agent-7', conversationId: conversation.id };

    const { body } = await act('getOrCreateUser', { ...person, user });
    const { userId } = body.output;
    const { message } = await bot.client.createMessage({
      conversationId: conversation.id,
      userId: bot.id,
      type: 'text',
      payload: { text: 'Hello', userId },
      tags: {},
    });

    expect(message).toMatchObject({ userId, direction: 'outgoing' });
    await eventually(async () => expect(heard()).toHaveLength(2));
    expect(heard()).toMatchObject([
      { type: 'participant_added', data: { participant: { name: 'Ada', pictureUrl: person.pictureUrl } } },
      { type: 'message_created', data: { userId: heard()[0]!.data.participantId, isBot: true } },
    ]);
    expect(JSON.stringify(heard())).not.toContain(person.email);
  });

  it('returns the same user again, with the new name', async () => {
    const { bot, conversation, act } = await setUp();
    const user = { id: 'agent-7', conversationId: conversation.id };
    const create = (name: string) => act('getOrCreateUser', { name, user });

    const [first, second] = await Promise.all([create('Ada'), create('Ada')]);
    const renamed = await create('Ada L.');

    const { userId } = first.body.output;
    expect([second.body.output, renamed.body.output]).toEqual([{ userId }, { userId }]);
    expect((await bot.client.getUser({ id: userId })).user.name).toBe('Ada L.');
    expect((await bot.client.listParticipants({ id: conversation.id })).participants).toHaveLength(2);
  });

  it('keeps a bot message whose payload names an end user', async () => {
    const { bot, conversation } = await setUp();
    const { participants } = await bot.client.listParticipants({ id: conversation.id });

    const { message } = await bot.client.createMessage({
      conversationId: conversation.id,
      userId: bot.id,
      type: 'text',
      payload: { text: 'Hello', userId: participants[0]!.id },
      tags: {},
    });

    expect(message.userId).toBe(bot.id);
  });

  it('returns 404 for a conversation that does not exist', async () => {
    const { act } = await setUp();

    const refused = await act('getOrCreateUser', { user: { id: 'agent-7', conversationId: 'convo_none' } });

    expect(refused.status).toBe(404);
  });
});
