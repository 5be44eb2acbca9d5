/** Tests that the longest names work wherever records are filtered by them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Installed, installIntegration } from '#test/support/integration.ts';
import { apiBaseUrl, Client, call, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const ALIAS = 'a'.repeat(200);
const TAG = 't'.repeat(100);
const STATE = 's'.repeat(200);
const TYPE = 'e'.repeat(200);

let installed: Installed;
const as = ({ integration = false } = {}) =>
  new Client({
    apiUrl: apiBaseUrl(),
    token: integration ? installed.integrationKey : installed.botKey,
    botId: installed.botId,
    ...(integration ? { integrationId: installed.integrationId, integrationAlias: ALIAS } : {}),
  });

beforeAll(async () => {
  installed = await installIntegration({});
  await installed.workspace.owner.client.updateBot({
    id: installed.botId,
    integrations: { pizza: null, [ALIAS]: { integrationId: installed.integrationId } },
  });
});

describe('a bot', () => {
  it('finds users, conversations and values by the longest tag of an integration with the longest alias', async () => {
    const name = `${ALIAS}:${TAG}`;
    const { user } = await as({ integration: true }).createUser({ tags: { [TAG]: 'v' } });
    const { conversation } = await as({ integration: true }).createConversation({
      channel: 'channel',
      tags: { [TAG]: 'v' },
    });

    const bot = as();
    const [{ users }, { conversations }, { tags }, again] = await Promise.all([
      bot.listUsers({ tags: { [name]: 'v' } }),
      bot.listConversations({ tags: { [name]: 'v' } }),
      bot.listTagValues({ key: name, type: 'user' }),
      as({ integration: true }).getOrCreateUser({ tags: { [TAG]: 'v' }, discriminateByTags: [TAG] }),
    ]);
    const changed = await bot.updateUser({ id: user.id, tags: { [name]: 'w' } });

    expect(users.map(({ id }) => id)).toEqual([user.id]);
    expect(conversations.map(({ id }) => id)).toEqual([conversation.id]);
    expect(tags).toEqual([{ value: 'v' }]);
    expect(again.user.id).toBe(user.id);
    expect(changed.user.tags).toEqual({ [name]: 'w' });
  });

  it('removes the state of an integration with the longest name, and lists its events by the longest type', async () => {
    const integration = as({ integration: true });
    await integration.setState({ type: 'integration', id: installed.integrationId, name: STATE, payload: { a: 1 } });
    await integration.createEvent({ type: TYPE, payload: {} });
    const { events } = await as().listEvents({ type: `${ALIAS}:${TYPE}` });
    const { states } = (
      await call(`${apiBaseUrl()}/v1/chat/states?type=integration`, { token: installed.botKey, botId: installed.botId })
    ).body;

    expect(events.map(({ type }) => type)).toEqual([`${ALIAS}:${TYPE}`]);
    expect(states.map(({ name }: { name: string }) => name)).toEqual([`${ALIAS}:${STATE}`]);
    for (const { name } of states) {
      const removed = await call(`${apiBaseUrl()}/v1/chat/states/integration/${ALIAS}/${encodeURIComponent(name)}`, {
        method: 'POST',
        token: installed.botKey,
        botId: installed.botId,
        body: { payload: null },
      });
      expect(removed).toMatchObject({ status: 200 });
    }
  });
});

describe('an alias', () => {
  it.each(['a.b', 'a[b', 'a]b', 'a b'])('is rejected as %j, which no filter could name', async alias => {
    const { workspace, botId, integrationId } = installed;

    const refused = await workspace.call('PUT', `/bots/${botId}`, {
      body: { integrations: { [alias]: { integrationId } } },
    });

    expect(refused).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
    expect(refused.body.message).toContain('dots, brackets or spaces');
  });
});
