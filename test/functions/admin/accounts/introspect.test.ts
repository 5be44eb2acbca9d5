import { describe, expect, it } from 'vitest';
import {
  apiBaseUrl,
  call,
  newBotWithIntegration,
  newWorkspace,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const introspect = (workspace: TestWorkspace, token: string, botId: string) =>
  workspace.call('POST', '/introspect', { token, body: { botId } });
const introspectWithoutWorkspace = (token: string, botId: string) =>
  call(`${apiBaseUrl()}/v1/admin/introspect`, { method: 'POST', token, body: { botId } });
const forbidden = { status: 403, body: { type: 'Forbidden' } };

describe('POST /v1/admin/introspect', () => {
  it('identifies a member to a bot of the workspace', async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');
    const { bot } = await workspace.owner.client.createBot({});

    const answer = await viewer.client.introspect({ botId: bot.id });

    expect(answer).toEqual({ workspaceId: workspace.id, botId: bot.id, userId: viewer.accountId });
  });

  it('returns 404 to a member when the bot is unknown, deleted, or of another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { bot: deleted } = await mine.owner.client.createBot({});
    await mine.owner.client.deleteBot({ id: deleted.id });
    const { bot: foreign } = await theirs.owner.client.createBot({});

    const answers = await Promise.all(
      [crypto.randomUUID(), deleted.id, foreign.id].map(id => introspect(mine, mine.owner.token, id)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it("accepts the bot's own key, and returns 403 to another bot's key", async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const [{ bot }, { bot: other }] = [await client.createBot({}), await client.createBot({})];
    const { value: token } = await client.createBotApiKey({ botId: bot.id });

    const [own, foreign] = [await introspect(workspace, token, bot.id), await introspect(workspace, token, other.id)];

    expect(own).toMatchObject({ status: 200, body: { workspaceId: workspace.id, botId: bot.id, userId: bot.id } });
    expect(foreign).toMatchObject(forbidden);
  });

  it('accepts the key of an integration where it is installed and enabled, and returns 403 elsewhere', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { bot, integration } = await newBotWithIntegration(workspace);
    const { bot: other } = await client.createBot({});
    const { value: token } = await client.createIntegrationApiKey({ integrationId: integration.id });

    const installed = await introspect(workspace, token, bot.id);
    const elsewhere = await introspect(workspace, token, other.id);
    await client.updateBot({ id: bot.id, integrations: { chat: { enabled: false } } });
    const disabled = await introspect(workspace, token, bot.id);

    expect(installed.body).toEqual({ workspaceId: workspace.id, botId: bot.id, userId: integration.id });
    expect(elsewhere).toMatchObject(forbidden);
    expect(disabled).toMatchObject(forbidden);
  });

  it("derives the workspace from a bot's key, and returns 403 to another bot's key", async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const [{ bot }, { bot: other }] = [await client.createBot({}), await client.createBot({})];
    const { value: token } = await client.createBotApiKey({ botId: bot.id });

    const own = await introspectWithoutWorkspace(token, bot.id);
    const foreign = await introspectWithoutWorkspace(token, other.id);

    expect(own).toMatchObject({ status: 200, body: { workspaceId: workspace.id, botId: bot.id, userId: bot.id } });
    expect(foreign).toMatchObject(forbidden);
  });

  it('accepts the key of an integration without a workspace wherever it is installed', async () => {
    const [home, elsewhere] = [await newWorkspace(), await newWorkspace()];
    const { bot, integration } = await newBotWithIntegration(home);
    await home.owner.client.updateIntegration({ id: integration.id, visibility: 'unlisted' });
    const { bot: guest } = await elsewhere.owner.client.createBot({});
    await elsewhere.owner.client.updateBot({
      id: guest.id,
      integrations: { chat: { integrationId: integration.id } },
    });
    const { value: token } = await home.owner.client.createIntegrationApiKey({ integrationId: integration.id });

    const answers = await Promise.all([bot.id, guest.id].map(id => introspectWithoutWorkspace(token, id)));

    expect(answers.map(({ body }) => body)).toEqual([
      { workspaceId: home.id, botId: bot.id, userId: integration.id },
      { workspaceId: elsewhere.id, botId: guest.id, userId: integration.id },
    ]);
  });

  it('returns 403 to the key of an integration without a workspace for bots without it, and for missing bots', async () => {
    const workspace = await newWorkspace();
    const { integration } = await newBotWithIntegration(workspace);
    const { bot: other } = await workspace.owner.client.createBot({});
    const { bot: deleted } = await workspace.owner.client.createBot({});
    await workspace.owner.client.deleteBot({ id: deleted.id });
    const { value: token } = await workspace.owner.client.createIntegrationApiKey({ integrationId: integration.id });

    const answers = await Promise.all(
      [other.id, deleted.id, crypto.randomUUID()].map(id => introspectWithoutWorkspace(token, id)),
    );

    for (const answer of answers) expect(answer).toMatchObject(forbidden);
  });

  it('requires members to name the workspace', async () => {
    const workspace = await newWorkspace();
    const { bot } = await workspace.owner.client.createBot({});

    const answer = await introspectWithoutWorkspace(workspace.owner.token, bot.id);

    expect(answer).toMatchObject({ status: 401, body: { type: 'Unauthorized' } });
  });

  it.each([
    ['no botId', {}],
    ['a botId that is not a string', { botId: 1 }],
  ])('rejects %s with a 400 that names the field', async (_, body) => {
    const workspace = await newWorkspace();

    const answer = await workspace.call('POST', '/introspect', { body });

    expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'botId' }] } } });
  });
});
