/** Tests that the table contains no usable secret. */
import { randomBytes } from 'node:crypto';
import { build } from 'esbuild';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lambdaBuildOptions } from '#infra/bundle/bundle.ts';
import { accesses, functionNames } from '#infra/bundle/entries.ts';
import { hasSealingKey } from '#infra/bundle/functionAccess.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { formatKeyRing, parseKeyRing } from '#shared/core/keyRing.ts';
import { seal } from '#shared/core/seal.ts';
import {
  isSealedWithCurrentKey,
  openText,
  type SealedPlace,
  sealText,
} from '#shared/storage/dynamodb/secrets/sealed.ts';
import {
  install,
  isLeftOut,
  newBotWithIntegration,
  newUser,
  newWorkspace,
  usePlatform,
} from '#test/support/platform.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();
afterEach(() => vi.unstubAllEnvs());

/** Returns every text of the table, including bytes as text. */
const tableText = async (inKey: string) =>
  (await scanItems(inKey))
    .map(item =>
      JSON.stringify(item, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value)),
    )
    .join('\n');

describe('a sealed text', () => {
  const place: SealedPlace = { owner: 'bot_1', field: 'secrets.A' };
  const ringOf = (...secrets: [string, string]) => {
    const [current, former] = secrets.map(secret => parseKeyRing(secret).current);
    return formatKeyRing('keys', current!, former!);
  };

  it('is decrypted with the same key, and reveals nothing', () => {
    const sealed = sealText('secret', place);

    expect(openText(sealed, place)).toBe('secret');
    expect(sealed).not.toContain('secret');
    expect(sealText('secret', place)).not.toBe(sealed);
  });

  it.each<SealedPlace>([
    { owner: 'bot_2', field: 'secrets.A' },
    { owner: 'bot_1', field: 'secrets.B' },
    { owner: 'bot_1', field: 'signingSecrets' },
  ])('does not open as %j', other => {
    expect(() => openText(sealText('secret', place), other)).toThrow();
  });

  it('is decrypted with the previous key, and not without it', () => {
    vi.stubEnv(VARIABLES.sealingKey, 'the former key');
    const sealed = sealText('secret', place);

    vi.stubEnv(VARIABLES.sealingKey, ringOf('the new key', 'the former key'));
    expect(openText(sealed, place)).toBe('secret');
    expect(isSealedWithCurrentKey(sealed)).toBe(false);
    expect(isSealedWithCurrentKey(sealText('secret', place))).toBe(true);

    vi.stubEnv(VARIABLES.sealingKey, 'the new key');
    expect(() => openText(sealed, place)).toThrow(/bot_1 was sealed with the key [0-9a-f]{8}, which/);
  });

  it.each(['the former key', ringOf('the new key', 'the former key')])(
    'is decrypted with %s in the form of an earlier version, and counts as sealed with another key',
    ring => {
      vi.stubEnv(VARIABLES.sealingKey, ring);
      const sealed = `sealed:${seal('secret', 'the former key')}`;

      expect(openText(sealed, place)).toBe('secret');
      expect(isSealedWithCurrentKey(sealed)).toBe(false);
    },
  );

  it.each(['secret', 'sealed:', `sealed:${randomBytes(40).toString('base64')}`])('is rejected as %j', text => {
    expect(() => openText(text, place)).toThrow();
  });
});

describe('the table', () => {
  it('contains no plain signing secret, encryption key, configuration or secret of a bot or integration', async () => {
    const { owner, ...workspace } = await newWorkspace();
    const { client } = owner;
    const encryptionKey = randomBytes(32).toString('base64');
    const { bot, integration, webhookId } = await newBotWithIntegration(
      { owner, ...workspace },
      { encryptionKey, token: 'of-the-provider' },
    );
    await client.updateBot({
      id: bot.id,
      secrets: { A: 'of-the-bot' },
      configuration: { data: { key: 'of-the-configuration' } },
      plugins: { p: { id: 'plugin', configuration: { key: 'of-the-plugin' } } },
    });
    await client.updateIntegration({ id: integration.id, secrets: { B: 'of-the-integration' } });
    const { newSigningSecret } = await client.rotateBotSigningSecrets({ id: bot.id });
    const { newSigningSecret: other } = await client.rotateIntegrationSigningSecrets({ id: integration.id });

    const text = (await Promise.all([bot.id, integration.id, webhookId].map(tableText))).join('\n');

    expect(text).toContain(integration.id);
    for (const secret of [encryptionKey, newSigningSecret, other, newSigningSecret.slice('whsec_'.length), 'of-the-']) {
      expect(text).not.toContain(secret);
    }
  });

  it('contains no plain key of an installation', async () => {
    const installation = await install();
    await newUser(installation);

    expect(await tableText(installation.webhookId)).not.toContain(installation.encryptionKey);
  });
});

describe.skipIf(isLeftOut('settings'))('the sealing key', () => {
  it('is set for exactly the functions that seal or decrypt secrets', async () => {
    const { metafile } = await build({
      ...lambdaBuildOptions,
      // Packages contain no secrets, and cause nine tenths of the work.
      packages: 'external',
      entryPoints: functionNames.map(name => ({ in: `entry:${name}`, out: name })),
      outdir: 'unused',
      write: false,
      metafile: true,
    });
    const using = Object.entries(metafile!.outputs).flatMap(([file, { inputs }]) =>
      (inputs['shared/storage/dynamodb/secrets/sealed.ts']?.bytesInOutput ?? 0) > 0
        ? [file.replace(/^unused\/|\.js$/g, '')]
        : [],
    );
    const given = [...accesses].flatMap(([name, access]) => (hasSealingKey(access) ? [name] : []));

    expect(using.sort()).toEqual(given.sort());
  });

  it('is set for operations that verify user keys, and few others', () => {
    const given = [...accesses].flatMap(([name, access]) => (hasSealingKey(access) ? [name] : []));

    expect(given.filter(name => !name.startsWith('chat-')).sort()).toEqual([
      'admin-createBot',
      'admin-createBotVersion',
      'admin-createIntegration',
      'admin-deployBotVersion',
      'admin-finishSingleSignOn',
      'admin-getBot',
      'admin-getBotWebchat',
      'admin-rotateBotSigningSecrets',
      'admin-rotateIntegrationSigningSecrets',
      'admin-setSingleSignOn',
      'admin-startSingleSignOn',
      'admin-updateBot',
      'admin-updateIntegration',
      'botChat-callAction',
      'botChat-createConversation',
      'botChat-createUser',
      'deliver',
      'deployCode',
      'keepConnections',
      'socket-connect',
      'webhook-receiveWebhook',
    ]);
  });
});
