import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

/** Creates an owner for each type of state. */
const OWNERS = {
  conversation: async () => (await bot.client.createConversation({ channel: 'channel', tags: {} })).conversation.id,
  user: async () => (await bot.client.createUser({ tags: {} })).user.id,
  bot: async () => bot.id,
  integration: async () => bot.integrationId,
  workflow: async () => (await bot.client.createWorkflow({ name: 'w', status: 'listening' })).workflow.id,
};
type Type = keyof typeof OWNERS;
const TYPES = Object.keys(OWNERS) as Type[];

describe('GET /v1/chat/states/{type}/{id}/{name}', () => {
  it.each(TYPES)('returns 200 with a state of the type %s', async type => {
    const id = await OWNERS[type]();
    const { state } = await bot.client.setState({ type, id, name: 'mood', payload: { is: 'good' } });

    const { status, headers, body } = await bot.call('GET', `/states/${type}/${id}/mood`);

    expect(status).toBe(200);
    expect(headers.get('etag')).toMatch(/^".+"$/);
    expect(body).toEqual({
      state: {
        id: expect.stringMatching(/^state_[0-9A-Za-z]{30}$/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        updatedAt: state.updatedAt,
        botId: bot.id,
        ...(type === 'conversation' ? { conversationId: id } : {}),
        ...(type === 'user' ? { userId: id } : {}),
        name: 'mood',
        type,
        payload: { is: 'good' },
      },
      meta: { cached: false },
    });
  });

  it("shows an integration's states as alias:name, separate from the bot's own of the same name", async () => {
    const ref = { type: 'conversation' as const, id: await OWNERS.conversation() };
    await bot.client.setState({ ...ref, name: 's', payload: { by: 'bot' } });
    await bot.integration.setState({ ...ref, name: 's', payload: { by: 'integration' } });

    const seenByBot = await bot.client.getState({ ...ref, name: 's' });
    const seenAcross = await bot.client.getState({ ...ref, name: 'chat:s' });
    const seenByIntegration = await bot.integration.getState({ ...ref, name: 's' });

    expect(seenByBot.state).toMatchObject({ name: 's', payload: { by: 'bot' } });
    expect(seenAcross.state).toMatchObject({ name: 'chat:s', payload: { by: 'integration' } });
    expect(seenByIntegration.state).toMatchObject({ name: 's', payload: { by: 'integration' } });
  });

  it("hides an integration's own state from others", async () => {
    const ref = { type: 'integration' as const, id: 'chat', name: 'credentials' };
    await bot.integration.setState({ ...ref, payload: { token: 'of the provider' } });
    const viewer = await bot.workspace.join('viewer');
    const path = '/states/integration/chat/chat:credentials';
    const body = { payload: { token: 'mine' } };

    const answers = await Promise.all([
      bot.call('GET', path),
      bot.call('GET', path, { token: viewer.token }),
      bot.call('POST', path, { body }),
      bot.call('PATCH', path, { body }),
      bot.call('POST', `${path}/get-or-set`, { body }),
      bot.call('POST', `${path}/expiry`, { body: { expiry: 60_000 } }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect(JSON.stringify(answers)).not.toContain('of the provider');
    expect((await bot.integration.getState(ref)).state.payload).toEqual({ token: 'of the provider' });
    expect((await bot.call('POST', path, { body: { payload: null } })).status).toBe(200);
    await expect(bot.integration.getState(ref)).rejects.toMatchObject({ code: 404 });
  });

  it('does not postpone the expiry', async () => {
    const ref = { type: 'bot' as const, id: bot.id, name: 'short' };
    const { state } = await bot.client.setState({ ...ref, payload: {}, expiry: 60_000 });

    const { state: found } = await bot.client.getState(ref);

    expect(found).toEqual(state);
    expect(found).toMatchObject({ expiry: 60_000, expiresAt: expect.any(String) });
  });

  it('returns 404 for an unknown state, and for an owner that is missing or belongs to another bot', async () => {
    const other = await newBot(bot.workspace);
    const id = await OWNERS.conversation();
    await bot.client.setState({ type: 'conversation', id, name: 's', payload: {} });

    const answers = await Promise.all([
      bot.call('GET', `/states/conversation/${id}/other`),
      bot.call('GET', `/states/conversation/convo_${'z'.repeat(22)}/s`),
      bot.call('GET', '/states/user/no-such/s'),
      bot.call('GET', `/states/bot/${other.id}/s`),
      bot.call('GET', `/states/integration/${other.integrationId}/s`),
      bot.call('GET', `/states/workflow/wf_${'z'.repeat(25)}/s`),
      other.call('GET', `/states/conversation/${id}/s`),
    ]);

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it('returns 404 after the owner was deleted', async () => {
    const [conversationId, userId] = [await OWNERS.conversation(), await OWNERS.user()];
    await bot.client.setState({ type: 'conversation', id: conversationId, name: 's', payload: {} });
    await bot.client.setState({ type: 'user', id: userId, name: 's', payload: {} });

    await bot.client.deleteConversation({ id: conversationId });
    await bot.client.deleteUser({ id: userId });

    const answers = [
      await bot.call('GET', `/states/conversation/${conversationId}/s`),
      await bot.call('GET', `/states/user/${userId}/s`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });

  it('returns 400 that names an unknown type', async () => {
    const { status, body } = await bot.call('GET', `/states/task/${bot.id}/s`);

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path: 'type' }] } });
  });
});
