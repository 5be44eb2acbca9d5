import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { environment, VARIABLES } from '#shared/core/environment.ts';
import { formatKeyRing, parseKeyRing } from '#shared/core/keyRing.ts';
import { changeBot, findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import { findWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  changeIntegrationRecord,
  findIntegrationWithDefinition,
} from '#shared/storage/dynamodb/integrations/integrations.ts';
import { resealSecrets } from '#shared/storage/dynamodb/maintenance/resealSecrets.ts';
import { openSecrets, openText } from '#shared/storage/dynamodb/secrets/sealed.ts';
import {
  findSingleSignOn,
  openClientSecret,
  putSingleSignOn,
  sealClientSecret,
} from '#shared/storage/dynamodb/workspace/singleSignOn.ts';
import { newBotWithIntegration, newWorkspace, usePlatform } from '#test/support/platform.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();

const FORMER = environment.sealingKey;
const NEW = 'the new sealing key of this test';

beforeEach(() => void vi.stubEnv(VARIABLES.sealingKey, FORMER));
afterEach(() => void vi.unstubAllEnvs());

function useRing(): void {
  const [current, former] = [NEW, FORMER].map(secret => parseKeyRing(secret).current);
  vi.stubEnv(VARIABLES.sealingKey, formatKeyRing('keys', current!, former!));
}

async function newSecrets() {
  const { owner, ...workspace } = await newWorkspace();
  const { bot, integration, webhookId } = await newBotWithIntegration(
    { owner, ...workspace },
    { encryptionKey: 'an encryption key of 32 characters', token: 'of-the-provider' },
  );
  await owner.client.updateBot({ id: bot.id, secrets: { 'A.b': 'of-the-bot' } });
  await owner.client.updateIntegration({ id: integration.id, secrets: { B: 'of-the-integration' } });
  const settings = {
    ...{ id: 'sso_test', issuer: 'https://login.example.com', clientId: 'parley', scope: 'openid' },
    ...{ groupsClaim: 'groups', roles: [], emailDomains: [], updatedAtMs: 0 },
    clientSecret: sealClientSecret(workspace.id, 'of-the-client'),
  };
  await write([putSingleSignOn(workspace.id, undefined, settings)]);
  return { client: owner.client, bot, integration, webhookId, workspaceId: workspace.id };
}

const sealedTexts = async (inKey: string) =>
  (await scanItems(inKey)).flatMap(item => JSON.stringify(item).match(/sealed:v2:[0-9a-f]{8}/g) ?? []);

async function secretsOf({ bot, integration, webhookId, workspaceId }: Awaited<ReturnType<typeof newSecrets>>) {
  const ofBot = (await findBotWithDefinition(bot.id))!;
  const ofIntegration = (await findIntegrationWithDefinition(integration.id))!;
  const opened = (owner: string, sealed: string) => openText(sealed, { owner, field: 'signingSecrets' });
  return {
    encryptionKey: (await findWebhook(webhookId))!.encryptionKey,
    singleSignOn: openClientSecret(workspaceId, (await findSingleSignOn(workspaceId))!),
    bot: openSecrets(bot.id, ofBot.definition.secrets),
    installations: ofBot.definition.installations,
    integration: openSecrets(integration.id, ofIntegration.definition.secrets),
    signing: [
      ...ofBot.bot.signingSecrets.map(({ sealed }) => opened(bot.id, sealed)),
      ...ofIntegration.integration.signingSecrets.map(({ sealed }) => opened(integration.id, sealed)),
    ],
  };
}

describe('re-sealing', () => {
  it('keeps every secret, and decrypts it with the new key only', async () => {
    const made = await newSecrets();
    const before = await secretsOf(made);

    useRing();
    await resealSecrets();
    vi.stubEnv(VARIABLES.sealingKey, NEW);

    expect(before.bot).toEqual({ 'A.b': 'of-the-bot' });
    expect(await secretsOf(made)).toEqual(before);
    const { id } = parseKeyRing(NEW).current;
    for (const inKey of [made.bot.id, made.integration.id, made.webhookId]) {
      expect(new Set(await sealedTexts(inKey))).toEqual(new Set([`sealed:v2:${id}`]));
    }
  });

  it('changes nothing in a second pass', async () => {
    await newSecrets();
    useRing();
    await resealSecrets();

    expect(await resealSecrets()).toMatchObject({ secrets: 0 });
  });

  it('keeps concurrent changes', async () => {
    const made = await newSecrets();
    useRing();

    const names = Array.from({ length: 10 }, () => `S${randomUUID().slice(0, 8).toUpperCase()}`);
    await Promise.all([
      ...names.map(name => made.client.updateBot({ id: made.bot.id, secrets: { [name]: name } })),
      ...Array.from({ length: 5 }, () => resealSecrets()),
    ]);
    while ((await resealSecrets()).secrets > 0);
    vi.stubEnv(VARIABLES.sealingKey, NEW);

    expect((await secretsOf(made)).bot).toEqual({
      'A.b': 'of-the-bot',
      ...Object.fromEntries(names.map(name => [name, name])),
    });
  });

  it('rejects a change based on data from before the re-sealing, which would restore old seals', async () => {
    const { bot, integration } = await newSecrets();
    const { bot: botBefore } = (await findBotWithDefinition(bot.id))!;
    const { integration: integrationBefore } = (await findIntegrationWithDefinition(integration.id))!;

    useRing();
    await resealSecrets();

    await expect(write([changeBot(botBefore, botBefore)])).rejects.toThrow(WriteConflict);
    await expect(write([changeIntegrationRecord(integrationBefore, integrationBefore)])).rejects.toThrow(WriteConflict);
  });

  it('fails for a secret that no key decrypts, and names its owner and key', async () => {
    await newSecrets();
    vi.stubEnv(VARIABLES.sealingKey, NEW);

    await expect(resealSecrets()).rejects.toThrow(/sealed with the key [0-9a-f]{8}, which this deployment/);
  });
});
