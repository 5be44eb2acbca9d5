import { beforeAll, describe, expect, it } from 'vitest';
import { handoffsOf, newTalk } from '#test/support/handoffs.ts';
import { apiBaseUrl, call, newBot, newUser, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

type Member = Awaited<ReturnType<TestBot['workspace']['join']>>;

let bot: TestBot;
let agent: Member;
beforeAll(async () => {
  bot = await newBot();
  agent = await bot.workspace.join('agent');
});

const created = async (fields: { name?: string } = {}) =>
  (await bot.client.createUser({ tags: {}, ...fields })).user.id;
const put = (id: string, body: unknown, { token = agent.token, headers = {}, of = bot } = {}) =>
  of.call('PUT', `/users/${id}/contact`, { token, body, headers });
const contactOf = async (id: string, token = agent.token) =>
  (await bot.call('GET', `/users/${id}`, { token })).body.user.contact;
const search = async (query: string) =>
  (
    await call(`${apiBaseUrl()}/v1/chat/inbox/search?${new URLSearchParams({ query, botIds: bot.id })}`, {
      headers: { authorization: `Bearer ${agent.token}`, 'x-workspace-id': bot.workspace.id },
    })
  ).body.customers;

describe('PUT /v1/chat/users/{id}/contact', () => {
  it('sets the given fields, removes null and empty ones, and keeps the rest', async () => {
    const id = await created({ name: 'ada99' });

    const first = await put(id, {
      name: 'Ada Lovelace',
      email: ' ada@example.com ',
      phone: '+44 20',
      about: 'Likes\ntea',
    });
    const second = await put(id, { email: null, phone: '', company: 'Analytical Engines' });

    expect(first).toMatchObject({ status: 200, body: { user: { id, name: 'ada99' } } });
    expect(first.body.user.contact).toEqual({
      ...{ name: 'Ada Lovelace', email: 'ada@example.com', phone: '+44 20', about: 'Likes\ntea' },
    });
    const contact = { name: 'Ada Lovelace', about: 'Likes\ntea', company: 'Analytical Engines' };
    expect(second.body.user.contact).toEqual(contact);
    expect(await contactOf(id)).toEqual(contact);
    expect(await contactOf(id, bot.tokens.bot)).toEqual(contact);
  });

  it('omits the contact after its last field was removed', async () => {
    const id = await created();
    await put(id, { location: 'London' });

    const { body } = await put(id, { location: null });

    expect(body.user).not.toHaveProperty('contact');
    expect((await put(id, { location: 'Paris' })).body.user.contact).toEqual({ location: 'Paris' });
  });

  it('keeps the fields that concurrent callers set', async () => {
    const id = await created();
    const fields = { name: 'A', email: 'a@b.c', phone: '1', company: 'C', jobTitle: 'J', location: 'L', about: 'X' };

    await Promise.all(Object.entries(fields).map(([name, value]) => put(id, { [name]: value })));

    expect(await contactOf(id)).toEqual(fields);
  });

  it('returns 409 for a stale If-Match', async () => {
    const id = await created();
    const { headers } = await put(id, { company: 'A' });
    await put(id, { phone: '1' });

    const late = await put(id, { company: 'B' }, { headers: { 'if-match': headers.get('etag')! } });

    expect(late).toMatchObject({ status: 409, body: { type: 'ResourceLockedConflict' } });
    expect(await contactOf(id)).toEqual({ company: 'A', phone: '1' });
  });

  it('is independent of what the end user and integrations set', async () => {
    const { client, user } = await newUser(bot, { name: 'visitor' });
    await put(user.id, { name: 'Ada', email: 'ada@example.com' });

    await client.updateUser({ name: 'hacked', pictureUrl: 'https://example.com/a.png', profile: 'x' });
    await bot.client.updateUser({ id: user.id, attributes: { email: 'other@example.com' }, name: 'hacked again' });

    expect(await contactOf(user.id)).toEqual({ name: 'Ada', email: 'ada@example.com' });
  });

  it('shows the contact in lists to members and the bot, and neither to integrations nor to end users', async () => {
    const { client, user } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    await put(user.id, { company: 'Acme Secret' });

    const path = `/users?conversationId=${conversation.id}`;
    const listed = (token: string) => bot.call('GET', path, { token });
    const [own, forBot] = [await listed(agent.token), await listed(bot.tokens.bot)];
    const forIntegration = [
      await listed(bot.tokens.integration),
      await bot.call('GET', `/users/${user.id}`, { token: bot.tokens.integration }),
      await bot.call('GET', `/conversations/${conversation.id}/participants`, { token: bot.tokens.integration }),
      await bot.call('PUT', `/users/${user.id}`, { token: bot.tokens.integration, body: { name: 'Ada' } }),
    ];
    const forUser = [await client.getUser({}), await client.listParticipants({ conversationId: conversation.id })];

    for (const { body } of [own, forBot]) expect(JSON.stringify(body)).toContain('Acme Secret');
    expect(forIntegration.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const each of [...forIntegration, ...forUser]) expect(JSON.stringify(each)).not.toContain('Acme Secret');
  });

  it('refuses integrations and viewers, and other attributes of the contact', async () => {
    const id = await created();
    const viewer = await bot.workspace.join('viewer');

    const refused = [
      await put(id, { company: 'A' }, { token: bot.tokens.integration }),
      await put(id, { company: 'A' }, { token: viewer.token }),
    ];

    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    expect((await put(id, { company: 'A' }, { token: bot.tokens.bot })).status).toBe(200);
    await bot.client.updateUser({ id, contact: { company: 'B' } } as never).catch(() => undefined);
    expect(await contactOf(id)).toEqual({ company: 'A' });
  });

  it.each([
    ['an empty body', {}],
    ['a name of 201 characters', { name: 'a'.repeat(201) }],
    ['an about text of 1,001 characters', { about: 'a'.repeat(1001) }],
    ['an email address without @', { email: 'ada.example.com' }],
    ['a number', { phone: 42 }],
    ['a lone surrogate', { company: '\ud800' }],
  ])('returns 400 for %s', async (_, body) => {
    const id = await created();

    const { status, body: error } = await put(id, body);

    expect({ status, type: error.type }).toEqual({ status: 400, type: 'InvalidPayload' });
    expect(await contactOf(id)).toBeUndefined();
  });

  it("returns 400 for the bot's own user and for the user of a member", async () => {
    const talk = await newTalk(bot);
    const { body } = await handoffsOf(bot).start(talk.conversationId, { accountId: agent.accountId });
    await handoffsOf(bot, agent.token).reply(body.handoff.id);
    const { users } = (await bot.call('GET', `/users?conversationId=${talk.conversationId}`)).body;
    const standIn = users.find((each: { memberAccountId?: string }) => each.memberAccountId !== undefined);

    const answers = [await put(bot.id, { name: 'A' }), await put(standIn.id, { name: 'A' })];

    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(answers.map(answer => answer.body.message)).toEqual([
      expect.stringContaining("bot's own user"),
      expect.stringContaining('represents a member'),
    ]);
  });

  it('returns 404 for an unknown user, and for one of another bot and workspace', async () => {
    const id = await created();
    const [sibling, stranger] = [await newBot(bot.workspace), await newBot()];

    const answers = [
      await put('no-such', { name: 'A' }),
      await put(id, { name: 'A' }, { of: sibling }),
      await put(id, { name: 'A' }, { of: stranger, token: stranger.tokens.bot }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await put(id, { name: 'A' }, { of: stranger })).status).toBe(403);
  });

  it('is found by the search of the inbox, which shows its name, and no longer after a change', async () => {
    const talk = await newTalk(bot);
    await handoffsOf(bot).start(talk.conversationId);
    await put(talk.userId, { name: 'Wilhelmina Quartz', email: 'mina.quartz@example.com', about: 'Zebrafish' });
    await settled();

    const byEmail = await search('mina.q');
    expect(byEmail).toMatchObject([
      {
        user: { id: talk.userId, name: 'Wilhelmina Quartz' },
        matches: [{ field: 'contact', key: 'email', value: 'mina.quartz@example.com' }],
        conversations: [{ id: talk.conversationId, preview: { user: { name: 'Wilhelmina Quartz' } } }],
      },
    ]);
    expect((await search('wilhelmina'))[0].matches).toEqual([
      { field: 'contact', key: 'name', value: 'Wilhelmina Quartz' },
    ]);
    expect((await search('zebra'))[0].matches[0]).toMatchObject({ field: 'contact', key: 'about' });

    await put(talk.userId, { email: null });
    await settled();
    expect(await search('mina.q')).toEqual([]);
  });

  it('shows the name of the contact in previews of handoffs', async () => {
    const talk = await newTalk(bot);
    await talk.say('Hello');
    await handoffsOf(bot).start(talk.conversationId);
    await settled();

    await put(talk.userId, { name: 'Preview Person' });

    const { body } = await handoffsOf(bot).list(`?preview=true&conversationId=${talk.conversationId}`);
    expect(body.handoffs[0].preview.user).toMatchObject({ id: talk.userId, name: 'Preview Person' });
  });

  it('is erased with the user', async () => {
    const id = await created();
    await put(id, { email: 'gone@example.com' });

    await bot.call('POST', `/users/${id}/erase`, { body: {} });
    await settled();

    expect((await bot.call('GET', `/users/${id}`)).status).toBe(404);
    expect(await search('gone@example.com')).toEqual([]);
  });
});
