import { describe, expect, it } from 'vitest';
import { newBotWithIntegration, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function newInstallation() {
  const workspace = await newWorkspace();
  const { bot, integration } = await newBotWithIntegration(workspace);
  return { workspace, client: workspace.owner.client, ref: { botId: bot.id, integrationId: integration.id } };
}

describe('DELETE /v1/admin/bots/{botId}/integrations/{integrationId}/shareable-id', () => {
  it('deletes the id, and returns 404 when repeated', async () => {
    const { client, ref } = await newInstallation();
    await client.createIntegrationShareableId(ref);

    const deleted = await client.deleteIntegrationShareableId(ref);
    const again = client.deleteIntegrationShareableId(ref);

    expect(deleted).toEqual({});
    await expect(again).rejects.toMatchObject({ code: 404 });
    await expect(client.getIntegrationShareableId(ref)).rejects.toMatchObject({ code: 404 });
  });
});
