import { describe, expect, it } from 'vitest';
import { newBotWithIntegration, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function newInstallation() {
  const workspace = await newWorkspace();
  const { bot, integration } = await newBotWithIntegration(workspace);
  return { workspace, client: workspace.owner.client, ref: { botId: bot.id, integrationId: integration.id } };
}

describe('GET /v1/admin/bots/{botId}/integrations/{integrationId}/shareable-id', () => {
  it('returns the id of the installation', async () => {
    const { client, ref } = await newInstallation();
    const { shareableId } = await client.createIntegrationShareableId(ref);

    const found = await client.getIntegrationShareableId({ ...ref, integrationInstanceAlias: 'chat' });

    expect(found).toEqual({ shareableId, isExpired: false });
  });

  it('returns 404 without a shareable id, and after the integration was reinstalled', async () => {
    const { client, ref } = await newInstallation();
    const before = client.getIntegrationShareableId(ref);
    await expect(before).rejects.toMatchObject({ code: 404 });
    await client.createIntegrationShareableId(ref);
    await client.updateBot({ id: ref.botId, integrations: { chat: null } });
    await client.updateBot({
      id: ref.botId,
      integrations: { chat: { integrationId: ref.integrationId, enabled: true } },
    });

    const after = client.getIntegrationShareableId(ref);

    await expect(after).rejects.toMatchObject({ code: 404, type: 'ResourceNotFound' });
  });
});
