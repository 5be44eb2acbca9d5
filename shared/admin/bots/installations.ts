/** Installs, changes and uninstalls integrations on a bot. Each installation has a webhook of its own for its chat users. */
import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { putWebhook, removeWebhook, type Webhook } from '#shared/dynamodb/chat/webhooks.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import type { BotDefinition, InstallationSettings } from '#shared/dynamodb/workspace/botDefinition.ts';
import { type Bot, type Installation, labelOf } from '#shared/dynamodb/workspace/bots.ts';
import {
  countInstallations,
  findIntegrations,
  type Integration,
  isVisibleTo,
} from '#shared/dynamodb/workspace/integrations.ts';
import { ApiError } from '#shared/errors.ts';
import type { BotChanges } from './inputs.ts';

/** Each change takes three of a transaction's 100 writes. */
const CHANGES_LIMIT = 25;
/** As many as a single transaction can remove with their bot. */
const INSTALLATIONS_LIMIT = 40;

/** The part of an installation's configuration that the chat API reads; the rest is up to the integration. */
const ChatConfiguration = z.looseObject({
  /** The bot's owner signs user keys with it, and `createUser` is closed (docs/compatibility.md#user-keys). */
  encryptionKey: z.optional(
    z.string().check(z.minLength(8, { error: 'Must be at least 8 characters long' }), z.maxLength(500)),
  ),
  /** Accepts the newer client's `metadata` and `bloc` (docs/compatibility.md#message-payloads). */
  payloadExtensions: z.optional(z.boolean()),
});

type Change = NonNullable<NonNullable<BotChanges['integrations']>[string]>;
type InstallCount = { integrationId: string; change: 1 | -1 };

/** The effect of one change. */
interface InstallationChange {
  alias: string;
  /** The installation afterwards; undefined when it was uninstalled. */
  after: { installation: Installation; settings: InstallationSettings } | undefined;
  write: Write;
  counts: InstallCount[];
  logMessage: string;
}

/**
 * A bot and its definition after changes of its integrations.
 * @param changes by alias; null uninstalls
 * @returns also the writes that go with the bot, and the messages for its log
 * @throws ApiError ReferenceNotFound for an integration that the workspace may not use, InvalidPayload for an invalid
 * configuration, LimitExceeded for too many changes or installations
 */
export async function changedInstallations(
  bot: Bot,
  definition: BotDefinition,
  changes: NonNullable<BotChanges['integrations']>,
  nowMs: number,
): Promise<{ bot: Bot; definition: BotDefinition; writes: Write[]; logMessages: string[] }> {
  const entries = Object.entries(changes);
  if (entries.length > CHANGES_LIMIT) {
    throw new ApiError('LimitExceeded', `At most ${CHANGES_LIMIT} integrations can be changed at once.`);
  }
  const installations = new Map(bot.installations.map(each => [each.alias, each]));
  const integrations = await findIntegrations(
    entries.flatMap(([alias, change]) => {
      const before = installations.get(alias);
      return [...(change ? [integrationIdOf(alias, change, before)] : []), ...(before ? [before.integrationId] : [])];
    }),
  );
  const made = entries.flatMap(([alias, change]) => {
    const before = installations.get(alias);
    if (change === null) return before ? [uninstall(before)] : [];
    return [install(bot, alias, change, { before, settings: definition.installations[alias], integrations, nowMs })];
  });

  const settings = { ...definition.installations };
  for (const { alias, after } of made) {
    if (after) {
      installations.set(alias, after.installation);
      settings[alias] = after.settings;
    } else {
      installations.delete(alias);
      delete settings[alias];
    }
  }
  if (installations.size > INSTALLATIONS_LIMIT) {
    throw new ApiError('LimitExceeded', `A bot can have at most ${INSTALLATIONS_LIMIT} integrations.`);
  }
  return {
    bot: { ...bot, installations: [...installations.values()] },
    definition: { ...definition, installations: settings },
    writes: [
      ...made.map(({ write }) => write),
      ...countInstallations(
        made.flatMap(({ counts }) => counts),
        integrations,
      ),
    ],
    logMessages: made.map(({ logMessage }) => logMessage),
  };
}

/** The alias of a new installation may be the integration's id itself. */
const integrationIdOf = (alias: string, change: Change, before: Installation | undefined) =>
  change.integrationId ?? before?.integrationId ?? alias;

const uninstall = ({ alias, integrationId, webhookId }: Installation): InstallationChange => ({
  alias,
  after: undefined,
  write: removeWebhook(webhookId),
  counts: [{ integrationId, change: -1 }],
  logMessage: `The integration ${alias} was uninstalled.`,
});

function install(
  bot: Bot,
  alias: string,
  change: Change,
  {
    before,
    settings: settingsBefore,
    integrations,
    nowMs,
  }: {
    before: Installation | undefined;
    settings: InstallationSettings | undefined;
    integrations: ReadonlyMap<string, Integration>;
    nowMs: number;
  },
): InstallationChange {
  const integrationId = integrationIdOf(alias, change, before);
  const integration = integrations.get(integrationId);
  const isNew = integrationId !== before?.integrationId;
  // An existing installation stays even if the integration was made private since.
  if (isNew) requireUsable(integration, integrationId, bot.workspaceId);
  const settings = changedSettings(settingsBefore, change, alias);
  const installation: Installation = {
    alias,
    integrationId,
    name: integration?.name ?? before?.name,
    webhookId: before?.webhookId ?? randomUUID(),
    isEnabled: change.enabled ?? before?.isEnabled ?? true,
    createdAtMs: before?.createdAtMs ?? nowMs,
    updatedAtMs: nowMs,
  };
  return {
    alias,
    after: { installation, settings },
    // A disabled installation cannot be reached, because its webhook is gone.
    write: installation.isEnabled
      ? putWebhook(webhookOf(bot.id, installation, settings))
      : removeWebhook(installation.webhookId),
    counts: isNew
      ? [
          { integrationId, change: 1 },
          ...(before ? [{ integrationId: before.integrationId, change: -1 as const }] : []),
        ]
      : [],
    logMessage: before
      ? `The integration ${alias} was changed.`
      : `The integration ${alias} was installed (${integrationId}).`,
  };
}

function requireUsable(integration: Integration | undefined, id: string, workspaceId: string): void {
  if (!integration || !isVisibleTo(integration, workspaceId)) {
    throw new ApiError('ReferenceNotFound', `The integration ${id} does not exist or is private to another workspace.`);
  }
}

function changedSettings(
  before: InstallationSettings | undefined,
  change: Change,
  alias: string,
): InstallationSettings {
  const configuration = change.configuration ?? before?.configuration ?? {};
  const chat = ChatConfiguration.safeParse(configuration);
  if (!chat.success) {
    const issues = chat.error.issues.map(({ path, message }) => ({
      path: ['integrations', alias, 'configuration', ...path].join('.'),
      message,
    }));
    throw new ApiError('InvalidPayload', issues.map(({ path, message }) => `${path}: ${message}`).join('; '), {
      metadata: { issues },
    });
  }
  return {
    configurationType:
      change.configurationType === undefined ? (before?.configurationType ?? null) : change.configurationType,
    configuration,
    disabledChannels: change.disabledChannels ?? before?.disabledChannels ?? [],
    encryptionKey: before?.encryptionKey ?? randomBytes(24).toString('base64url'),
  };
}

/** The webhook of an installation. */
function webhookOf(botId: string, installation: Installation, settings: InstallationSettings): Webhook {
  const { encryptionKey, payloadExtensions = false } = ChatConfiguration.parse(settings.configuration);
  return {
    webhookId: installation.webhookId,
    botId,
    integrationId: installation.integrationId,
    integration: labelOf(installation),
    encryptionKey: encryptionKey ?? settings.encryptionKey,
    isPersonalKey: encryptionKey !== undefined,
    payloadExtensions,
  };
}
