import { describe, expect, it } from 'vitest';
import { newBotWithIntegration, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/bots/{id}/widgets/{webhookId}', () => {
  it('returns no settings with version 0 before the first change', async () => {
    const workspace = await newWorkspace();
    const { bot, webhookId } = await newBotWithIntegration(workspace, {});

    const { status, body } = await workspace.call('GET', `/bots/${bot.id}/widgets/${webhookId}`);

    expect({ status, body }).toEqual({ status: 200, body: { widget: { settings: {}, version: 0 } } });
  });

  it('returns 404 to another workspace, and for the webhook of another bot', async () => {
    const [own, other] = [await newWorkspace(), await newWorkspace()];
    const [{ bot, webhookId }, foreign] = [
      await newBotWithIntegration(own, {}),
      await newBotWithIntegration(other, {}),
    ];

    const answers = await Promise.all([
      other.call('GET', `/bots/${bot.id}/widgets/${webhookId}`),
      own.call('GET', `/bots/${bot.id}/widgets/${foreign.webhookId}`),
    ]);

    expect(answers.map(({ status, body }) => [status, body.type])).toEqual([
      [404, 'ResourceNotFound'],
      [404, 'ResourceNotFound'],
    ]);
  });
});
