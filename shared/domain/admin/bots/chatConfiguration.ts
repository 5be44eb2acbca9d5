import * as z from 'zod/mini';
import { adminSecretHash } from '#shared/api/chat/adminSecret.ts';
import { ApiError } from '#shared/core/errors.ts';
import { looksRandom, MIN_SECRET_LENGTH } from '#shared/core/randomness.ts';
import { WEBCHAT } from '#shared/outbound/installations/webchatInstallations.ts';
import { type Installation, labelOf } from '#shared/storage/dynamodb/bots/installation.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import type { InstallationSettings } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import { endpointUrl } from './endpointUrl.ts';

const SECRET_FAULT = `Must be at least ${MIN_SECRET_LENGTH} random characters, because it gives access to every user. Create one with: openssl rand -base64 32`;

const secret = (error: string) => z.optional(z.string().check(z.maxLength(500), z.refine(looksRandom, { error })));

const MAX_ORIGINS = 100;

const origin = z.string().check(
  z.maxLength(300),
  z.refine(text => /^https?:/.test(text) && URL.parse(text)?.origin === text, {
    error: 'Must be an origin such as https://www.example.com, without a path',
  }),
);

const ChatConfiguration = z.looseObject({
  /** Signs the owner's user keys, and disables `createUser` (docs/api/chat.md#user-keys). */
  encryptionKey: secret(`${SECRET_FAULT}. Leave it out to let the platform issue user keys`),
  /**
   * Keeps `createUser` enabled despite an `encryptionKey`. `withIds` also lets users choose their ids, which the owner
   * may assign to someone else.
   */
  openSignUp: z.optional(z.union([z.boolean(), z.literal('withIds')])),
  /** Accepts the newer client's `metadata` and `bloc` (docs/api/chat.md#message-payloads). */
  payloadExtensions: z.optional(z.boolean()),
  /** Permits file uploads by chat users. Enabled by default for the webchat client. */
  fileUploads: z.optional(z.boolean()),
  /** Authorises creating users and their keys (docs/api/chat.md#webchat). */
  adminSecret: secret(SECRET_FAULT),
  /** Origins of pages that may use the chat. Undefined permits all. */
  allowedOrigins: z.optional(z.array(origin).check(z.minLength(1), z.maxLength(MAX_ORIGINS))),
});

const CREDENTIALS_FAULT =
  'Must not contain a user name or password, which every reader of the bot would see. Use webhookSecret';

function hasNoCredentials(text: string): boolean {
  const url = URL.parse(text);
  return !url?.username && !url?.password;
}

/** Other integrations use these names for fields of their own. */
const WithWebhook = z.extend(ChatConfiguration, {
  /** Receives the signals of all conversations (docs/api/chat.md#outgoing-webhook). */
  webhookUrl: z.optional(endpointUrl().check(z.refine<string>(hasNoCredentials, { error: CREDENTIALS_FAULT }))),
  /** Sent in a header, so that the webhook can authenticate the caller. */
  webhookSecret: z.optional(
    z.string().check(
      z.minLength(1),
      z.maxLength(500),
      z.refine(value => /^[\x21-\x7e]*$/.test(value), { error: 'Must consist of visible ASCII characters' }),
    ),
  ),
});

export function requireChatConfiguration(
  alias: string,
  configuration: Record<string, unknown>,
  { isChat }: { isChat: boolean },
): void {
  const chat = (isChat ? WithWebhook : ChatConfiguration).safeParse(configuration);
  if (chat.success) return;
  const issues = chat.error.issues.map(({ path, message }) => ({
    path: ['integrations', alias, 'configuration', ...path].join('.'),
    message,
  }));
  throw new ApiError('InvalidPayload', issues.map(({ path, message }) => `${path}: ${message}`).join('; '), {
    metadata: { issues },
  });
}

export function webhookOf(botId: string, installation: Installation, settings: InstallationSettings): Webhook {
  const {
    encryptionKey,
    openSignUp = false,
    payloadExtensions = false,
    fileUploads,
    adminSecret,
    allowedOrigins,
  } = ChatConfiguration.parse(settings.configuration);
  // The webchat client sends metadata with every message.
  const isExtended = payloadExtensions || installation.name === WEBCHAT;
  return {
    webhookId: installation.webhookId,
    botId,
    integrationId: installation.integrationId,
    integration: labelOf(installation),
    encryptionKey: encryptionKey ?? settings.encryptionKey,
    isPersonalKey: encryptionKey !== undefined,
    isSignUpOpen: encryptionKey === undefined || openSignUp !== false,
    ...(openSignUp === 'withIds' ? { areIdsOpen: true as const } : {}),
    payloadExtensions: isExtended,
    ...((fileUploads ?? isExtended) ? { takesFiles: true as const } : {}),
    ...(adminSecret === undefined ? {} : { adminSecretHash: adminSecretHash(adminSecret) }),
    ...(allowedOrigins ? { allowedOrigins } : {}),
    isChat: installation.isChat,
  };
}
