/** What the chat API reads of an installation's configuration, and the webhook that follows from it. */
import * as z from 'zod/mini';
import { adminSecretHash } from '#shared/api/chat/adminSecret.ts';
import { ApiError } from '#shared/core/errors.ts';
import { LEAST_SECRET_LENGTH, looksRandom } from '#shared/core/randomness.ts';
import { WEBCHAT } from '#shared/outbound/installations/webchat.ts';
import type { InstallationSettings } from '#shared/storage/dynamodb/bots/botDefinition.ts';
import { type Installation, labelOf } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';

const SECRET_FAULT = `Must be at least ${LEAST_SECRET_LENGTH} random characters, since whoever guesses it can act as any user. Make one with: openssl rand -base64 32`;

const secret = (error: string) => z.optional(z.string().check(z.maxLength(500), z.refine(looksRandom, { error })));

/** The rest of a configuration is up to the integration. */
const ChatConfiguration = z.looseObject({
  /** The bot's owner signs user keys with it, and `createUser` is closed (docs/api/chat.md#user-keys). */
  encryptionKey: secret(`${SECRET_FAULT}. Leave it out to let the platform issue user keys`),
  /**
   * With an `encryptionKey`: `createUser` stays open, and the keys that it issues end with their users. With it or an
   * `adminSecret`, whoever signs up chooses an id only with `withIds`: it may be one that the owner gives to somebody
   * else.
   */
  openSignUp: z.optional(z.union([z.boolean(), z.literal('withIds')])),
  /** Accepts the newer client's `metadata` and `bloc` (docs/api/chat.md#message-payloads). */
  payloadExtensions: z.optional(z.boolean()),
  /** Whether chat users may upload files: unless set, where the webchat client comes in. */
  fileUploads: z.optional(z.boolean()),
  /** Lets whoever knows it make users and their keys (docs/api/chat.md#webchat). */
  adminSecret: secret(SECRET_FAULT),
});

/** @throws ApiError InvalidPayload that names each faulty field */
export function requireChatConfiguration(alias: string, configuration: Record<string, unknown>): void {
  const chat = ChatConfiguration.safeParse(configuration);
  if (chat.success) return;
  const issues = chat.error.issues.map(({ path, message }) => ({
    path: ['integrations', alias, 'configuration', ...path].join('.'),
    message,
  }));
  throw new ApiError('InvalidPayload', issues.map(({ path, message }) => `${path}: ${message}`).join('; '), {
    metadata: { issues },
  });
}

/** The webhook of an installation. */
export function webhookOf(botId: string, installation: Installation, settings: InstallationSettings): Webhook {
  const {
    encryptionKey,
    openSignUp = false,
    payloadExtensions = false,
    fileUploads,
    adminSecret,
  } = ChatConfiguration.parse(settings.configuration);
  // The client of webchat sends metadata with every message.
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
    isChat: installation.isChat,
  };
}
