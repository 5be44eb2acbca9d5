import { describe, expect, it } from 'vitest';
import { newBotWithIntegration, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function newInstallation() {
  const workspace = await newWorkspace();
  const { bot, integration } = await newBotWithIntegration(workspace);
  return { workspace, client: workspace.owner.client, ref: { botId: bot.id, integrationId: integration.id } };
}

describe('POST /v1/admin/bots/{botId}/integrations/{integrationId}/shareable-id', () => {
  it('creates an id that does not contain the bot, and replaces the previous one', async () => {
    const { client, ref } = await newInstallation();

    const { shareableId: first } = await client.createIntegrationShareableId(ref);
    const { shareableId: second } = await client.createIntegrationShareableId({
      ...ref,
      integrationInstanceAlias: 'chat',
    });
    const found = await client.getIntegrationShareableId(ref);

    expect(first).toMatch(/^share_[0-9A-Za-z]{22}$/);
    expect(second).not.toBe(first);
    expect(found).toEqual({ shareableId: second, isExpired: false });
  });

  it('returns 404 for a missing installation, another alias, and a bot of another workspace', async () => {
    const [mine, theirs] = [await newInstallation(), await newInstallation()];
    const ask = (botId: string, integrationId: string, query = '') =>
      mine.workspace.call('POST', `/bots/${botId}/integrations/${integrationId}/shareable-id${query}`, { body: {} });

    const answers = await Promise.all([
      ask(mine.ref.botId, theirs.ref.integrationId),
      ask(mine.ref.botId, mine.ref.integrationId, '?integrationInstanceAlias=other'),
      ask(theirs.ref.botId, theirs.ref.integrationId),
    ]);

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
