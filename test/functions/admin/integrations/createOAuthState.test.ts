import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { apiBaseUrl, newBotWithIntegration, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function newInstallation() {
  const workspace = await newWorkspace();
  const { bot, integration } = await newBotWithIntegration(workspace);
  return { workspace, path: `/bots/${bot.id}/integrations/${integration.id}/oauth-state` };
}

describe('POST /v1/admin/bots/{botId}/integrations/{integrationId}/oauth-state', () => {
  it('returns a new state, valid for 15 minutes, and the redirect URL', async () => {
    const { workspace, path } = await newInstallation();

    const first = await workspace.call('POST', path, { body: {} });
    const second = await workspace.call('POST', path, { body: {} });

    expect(first).toMatchObject({
      status: 201,
      body: { state: expect.stringMatching(/^[0-9A-Za-z]{32}$/), redirectUrl: `${apiBaseUrl()}/webhook/oauth` },
    });
    expect(second.body.state).not.toBe(first.body.state);
    const leftMs = Date.parse(first.body.expiresAt) - clock.now();
    expect(leftMs).toBeGreaterThan(14 * 60_000);
    expect(leftMs).toBeLessThanOrEqual(15 * 60_000);
  });

  it('returns 404 for a missing installation, another alias, and a bot of another workspace', async () => {
    const [mine, theirs] = [await newInstallation(), await newInstallation()];
    const [, , bot, , integration] = mine.path.split('/');
    const [, , theirBot, , theirIntegration] = theirs.path.split('/');

    const answers = await Promise.all(
      [
        `/bots/${bot}/integrations/${theirIntegration}/oauth-state`,
        `/bots/${bot}/integrations/${integration}/oauth-state?integrationInstanceAlias=other`,
        `/bots/${theirBot}/integrations/${theirIntegration}/oauth-state`,
      ].map(path => mine.workspace.call('POST', path, { body: {} })),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
