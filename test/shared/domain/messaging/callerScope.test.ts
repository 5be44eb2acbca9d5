/** Tests access through the header `x-bot-id`, which all bot-level operations of chat, files and tables share. */
import { beforeAll, describe, expect, it } from 'vitest';
import { identify } from '#shared/api/auth/identity.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { clock } from '#shared/core/clock.ts';
import {
  CACHED_MS,
  isLeftOut,
  newBotWithIntegration,
  newWorkspace,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

/** Operation on a bot that is open to every role and key. */
const AT_A_BOT = { group: 'admin', name: 'introspect', method: 'POST', path: '/x', scope: 'bot' };

const ask = async (token: string, headers: Record<string, string>) => {
  const event = { headers: { authorization: `Bearer ${token}`, ...headers } };
  try {
    return await identify(AT_A_BOT as unknown as PlatformOperation, event as never, clock.now());
  } catch (error) {
    return { refused: (error as { status: number }).status };
  }
};

describe.skipIf(isLeftOut('log'))('x-bot-id', () => {
  let workspace: TestWorkspace;
  let stranger: TestWorkspace;
  let bot: { id: string };
  let integrationId: string;
  let keys: { bot: string; integration: string; otherBot: string; otherIntegration: string };

  beforeAll(async () => {
    [workspace, stranger] = await Promise.all([newWorkspace(), newWorkspace()]);
    const { client } = workspace.owner;
    const installed = await newBotWithIntegration(workspace);
    bot = installed.bot;
    integrationId = installed.integration.id;
    const [otherBot, otherIntegration] = [
      (await client.createBot({})).bot.id,
      (await client.createIntegration({ name: 'elsewhere', version: '1.0.0' })).integration.id,
    ];
    keys = {
      bot: (await client.createBotApiKey({ botId: bot.id })).value,
      integration: (await client.createIntegrationApiKey({ integrationId })).value,
      otherBot: (await client.createBotApiKey({ botId: otherBot })).value,
      otherIntegration: (await client.createIntegrationApiKey({ integrationId: otherIntegration })).value,
    };
  });

  it('admits members of the workspace with their roles, without another header', async () => {
    const viewer = await workspace.join('viewer');

    const identity = await ask(viewer.token, { 'x-bot-id': bot.id });

    expect(identity).toMatchObject({ botId: bot.id, workspaceId: workspace.id, role: 'viewer', isLimitedToOwn: false });
  });

  it('admits the key of the bot, and of an installed integration', async () => {
    const [asBot, asIntegration] = [
      await ask(keys.bot, { 'x-bot-id': bot.id }),
      await ask(keys.integration, { 'x-bot-id': bot.id, 'x-integration-id': integrationId }),
    ];

    expect(asBot).toMatchObject({ principal: { kind: 'bot', botId: bot.id }, botId: bot.id });
    expect(asIntegration).toMatchObject({
      principal: { kind: 'integration', integrationId },
      installation: { alias: 'chat', integrationId },
    });
  });

  it('resolves the installation that a bot names by id or alias', async () => {
    const byAlias = await ask(keys.bot, { 'x-bot-id': bot.id, 'x-integration-alias': 'chat' });
    const byId = await ask(keys.bot, { 'x-bot-id': bot.id, 'x-integration-id': integrationId });
    const unknown = await ask(keys.bot, { 'x-bot-id': bot.id, 'x-integration-alias': 'none' });

    expect([byAlias, byId]).toMatchObject([{ installation: { integrationId } }, { installation: { alias: 'chat' } }]);
    expect(unknown).toEqual({ refused: 403 });
  });

  it('returns 400 without the header, and 403 for missing and inaccessible bots', async () => {
    const elsewhere = { 'x-bot-id': bot.id };

    const refusals = [
      await ask(workspace.owner.token, {}),
      await ask(stranger.owner.token, elsewhere),
      await ask(stranger.owner.token, { 'x-bot-id': crypto.randomUUID() }),
      await ask(workspace.owner.token, { 'x-bot-id': 'no-bot' }),
      await ask(keys.otherBot, elsewhere),
      await ask(keys.otherIntegration, elsewhere),
      await ask(keys.integration, { ...elsewhere, 'x-integration-id': 'intver_0000000000000000000000' }),
      await ask('bp_bak_garbage', elsewhere),
    ];

    expect(refusals.map(each => 'refused' in each && each.refused)).toEqual([400, 403, 403, 403, 403, 403, 403, 401]);
  });

  it('rejects an integration that is uninstalled or disabled', async () => {
    const headers = { 'x-bot-id': bot.id };
    const set = (chat: { enabled: boolean } | null) =>
      workspace.owner.client.updateBot({ id: bot.id, integrations: { chat } });
    const later = clock.now() + CACHED_MS;
    const event = { headers: { authorization: `Bearer ${keys.integration}`, ...headers } } as never;
    const askLater = (ms: number) =>
      identify(AT_A_BOT as unknown as PlatformOperation, event, ms).then(
        () => 200,
        ({ status }) => status,
      );

    await set({ enabled: false });
    const whenDisabled = await askLater(later);
    await set({ enabled: true });
    const whenEnabled = await askLater(later);
    await set(null);
    const whenUninstalled = await askLater(later + CACHED_MS);

    expect([whenDisabled, whenEnabled, whenUninstalled]).toEqual([403, 200, 403]);
  });
});
