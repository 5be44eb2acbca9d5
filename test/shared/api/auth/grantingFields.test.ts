/**
 * Derives from the platform's behavior if a field grants access. A limited token may set only fields that give no code
 * another key, no other URL the configurations of installations, and open no other installation.
 */
import { expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { clock } from '#shared/core/clock.ts';
import type { BotChanges } from '#shared/domain/admin/bots/inputs.ts';
import type { IntegrationChanges } from '#shared/domain/admin/integrations/inputs.ts';
import { findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Deployer } from '#shared/storage/dynamodb/code/deployments.ts';
import { findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { afterRollout, SHOWS_KEY } from '#test/support/deployedCode.ts';
import { isLeftOut, newBotWithIntegration, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const SCHEMA = { type: 'object', properties: {} };
const OTHER_CODE = `${SHOWS_KEY} // Changed.`;

/** Valid values of the fields that both accept. */
const SHARED = {
  configuration: { schema: SCHEMA },
  states: { flow: { type: 'user', schema: SCHEMA } },
  events: { greeted: { schema: SCHEMA } },
  actions: { greet: { input: { schema: SCHEMA }, output: { schema: SCHEMA } } },
  user: { tags: { level: {} } },
  code: OTHER_CODE,
  description: 'Changed',
  secrets: { apiKey: 'changed' },
  maxExecutionTime: 20,
  url: 'http://127.0.0.1:9/changed',
  layers: ['changed'],
} as const;

const BOT_FIELDS: { [Field in keyof BotChanges]-?: unknown } = {
  ...SHARED,
  name: 'changed',
  type: 'adk',
  medias: [{ url: 'https://example.com/a.png', name: 'a' }],
  authentication: 'iam',
  blocked: true,
  alwaysAlive: true,
  tags: { team: 'red' },
  conversation: { tags: { level: {} } },
  message: { tags: { level: {} } },
  recurringEvents: { nightly: { schedule: { cron: '0 0 * * *' }, type: 'night', payload: {} } },
  integrations: { chat: { configuration: { openSignUp: true } } },
  plugins: { tool: { id: 'plugver_none', enabled: true } },
  subscriptions: { events: { greeted: {} } },
};

const INTEGRATION_FIELDS: { [Field in keyof z.infer<typeof IntegrationChanges>]-?: unknown } = {
  ...SHARED,
  configurations: { other: { schema: SCHEMA } },
  entities: { item: { schema: SCHEMA } },
  identifier: { extractScript: '"a"' },
  channels: { sms: { messages: {} } },
  interfaces: { unknown: null },
  extraOperations: { ping: { enabled: true } },
  sdkVersion: '5.0.0',
  icon: '',
  readme: '',
  title: 'Changed',
  visibility: 'unlisted',
  public: false,
  attributes: { team: 'red' },
};

/** Returns the access and credentials that others received. */
async function accessOf(deployer: Deployer): Promise<unknown> {
  const running = await afterRollout(deployer);
  if (deployer.kind === 'integration') return { key: running?.keyHash, url: (await findIntegration(deployer.id))!.url };
  const { bot, definition } = (await findBotWithDefinition(deployer.id))!;
  return {
    key: running?.keyHash,
    installations: bot.installations.map(({ alias, integrationId, isEnabled }) => [alias, integrationId, isEnabled]),
    configurations: Object.values(definition.installations).map(({ configuration }) => configuration),
  };
}

it.skipIf(isLeftOut('inputs')).each([
  ['bot', BOT_FIELDS],
  ['integration', INTEGRATION_FIELDS],
] as const)(
  'rejects a limited token that sets a field of a %s that grants access, and permits all other fields',
  async (kind, fields) => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { bot, integration } = await newBotWithIntegration(workspace);
    await client.updateBot({
      id: bot.id,
      code: SHOWS_KEY,
      integrations: { chat: { integrationId: integration.id, enabled: true } },
    });
    await client.updateIntegration({ id: integration.id, code: SHOWS_KEY });
    const deployer: Deployer = { kind, id: kind === 'bot' ? bot.id : integration.id };
    const limited = await Promise.all(
      [
        { scopes: ['admin:updateBot', 'admin:updateIntegration'] },
        { expiresAt: new Date(clock.now() + 3_600_000).toISOString() },
      ].map(async limits => {
        const { body } = await workspace.call('POST', '/account/pats', { body: { note: 'limited', ...limits } });
        return body.pat.value as string;
      }),
    );
    const send = async (body: object, token?: string) =>
      (await workspace.call('PUT', `/${kind}s/${deployer.id}`, { body, ...(token ? { token } : {}) })).status;

    const found: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(fields)) {
      const statuses = [];
      for (const token of limited) statuses.push(await send({ [field]: value }, token));
      const before = await accessOf(deployer);
      const status = await send({ [field]: value });
      const after = await accessOf(deployer);
      const grants = JSON.stringify(after) !== JSON.stringify(before);
      found[field] = [...statuses, status];
      expected[field] = grants ? [403, 403, 200] : [200, 200, 200];
    }

    expect(found).toEqual(expected);
    expect(Object.values(expected)).toContainEqual([403, 403, 200]);
  },
  120_000,
);
