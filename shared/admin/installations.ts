/** Installations of integrations on a bot: each with a webhook of its own, through which its chat users come. */
import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { iso } from '#shared/api/views.ts';
import { putWebhook, removeWebhook, type Webhook } from '#shared/dynamodb/chat/webhooks.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import { type Bot, type Installation, labelOf } from '#shared/dynamodb/workspace/bots.ts';
import {
  countInstallations,
  findIntegrations,
  type Integration,
  isVisibleTo,
} from '#shared/dynamodb/workspace/integrations.ts';
import { ApiError } from '#shared/errors.ts';
import { assetUrl } from './assets.ts';
import type { BotChanges, BotDefinition, InstallationSettings } from './bots.ts';

/** A change of each takes three writes, of the hundred of a transaction. */
const CHANGES_LIMIT = 25;
/** So many that a transaction can end them all with their bot. */
const INSTALLATIONS_LIMIT = 40;

/** What the chat interface reads of an installation's configuration; the rest is the integration's business. */
const ChatConfiguration = z.looseObject({
  /** The bot's owner signs the users' keys himself, and `createUser` is closed (FACTS 1.2). */
  encryptionKey: z.optional(
    z.string().check(z.minLength(8, { error: 'Must be at least 8 characters long' }), z.maxLength(500)),
  ),
  /** Takes the newer client's `metadata` and `bloc` too (FACTS, decisions). */
  payloadExtensions: z.optional(z.boolean()),
});

export interface InstallationChange {
  bot: Bot;
  definition: BotDefinition;
  writes: Write[];
  /** What happened, for the bot's log. */
  said: string[];
}

/**
 * The bot after its integrations changed.
 * @throws ApiError ReferenceNotFound for an integration that its workspace may not use, InvalidPayload for a
 * configuration that says nonsense
 */
export async function changedInstallations(
  bot: Bot,
  definition: BotDefinition,
  changes: NonNullable<BotChanges['integrations']>,
  nowMs: number,
): Promise<InstallationChange> {
  const entries = Object.entries(changes);
  if (entries.length > CHANGES_LIMIT) {
    throw new ApiError('LimitExceeded', `At most ${CHANGES_LIMIT} integrations can be changed at once.`);
  }
  const known = new Map(bot.installations.map(each => [each.alias, each]));
  // The key names the installation; for a new one it may be the integration's id itself.
  const wanted = entries.flatMap(([alias, change]) =>
    change ? [change.integrationId ?? known.get(alias)?.integrationId ?? alias] : [],
  );
  const touched = entries.flatMap(([alias]) => known.get(alias)?.integrationId ?? []);
  const integrations = await findIntegrations([...wanted, ...touched]);
  const result: InstallationChange = {
    bot,
    definition: { ...definition, installations: { ...definition.installations } },
    writes: [],
    said: [],
  };
  const counts: { integrationId: string; change: 1 | -1 }[] = [];
  for (const [alias, change] of entries) {
    const before = known.get(alias);
    if (change === null) {
      if (!before) continue;
      known.delete(alias);
      delete result.definition.installations[alias];
      result.writes.push(removeWebhook(before.webhookId));
      counts.push({ integrationId: before.integrationId, change: -1 });
      result.said.push(`The integration ${alias} was uninstalled.`);
      continue;
    }
    const integrationId = change.integrationId ?? before?.integrationId ?? alias;
    // What is installed stays, whatever its workspace makes of it since.
    if (integrationId !== before?.integrationId) {
      requireUsable(integrations.get(integrationId), integrationId, bot.workspaceId);
    }
    const settings = changedSettings(definition.installations[alias], change, alias);
    const after: Installation = {
      alias,
      integrationId,
      name: integrations.get(integrationId)?.name ?? before?.name,
      webhookId: before?.webhookId ?? randomUUID(),
      isEnabled: change.enabled ?? before?.isEnabled ?? true,
      createdAtMs: before?.createdAtMs ?? nowMs,
      updatedAtMs: nowMs,
    };
    known.set(alias, after);
    result.definition.installations[alias] = settings;
    // Without its webhook an installation cannot be reached: that is what disabling it means.
    result.writes.push(
      after.isEnabled ? putWebhook(webhookOfInstallation(bot.id, after, settings)) : removeWebhook(after.webhookId),
    );
    if (before?.integrationId !== integrationId) {
      counts.push({ integrationId, change: 1 });
      if (before) counts.push({ integrationId: before.integrationId, change: -1 });
    }
    result.said.push(
      before ? `The integration ${alias} was changed.` : `The integration ${alias} was installed (${integrationId}).`,
    );
  }
  result.writes.push(...countInstallations(counts, integrations));
  if (known.size > INSTALLATIONS_LIMIT) {
    throw new ApiError('LimitExceeded', `A bot can have at most ${INSTALLATIONS_LIMIT} integrations.`);
  }
  result.bot = { ...bot, installations: [...known.values()] };
  return result;
}

function requireUsable(integration: Integration | undefined, id: string, workspaceId: string): void {
  if (!integration || !isVisibleTo(integration, workspaceId))
    throw new ApiError('ReferenceNotFound', `There is no integration ${id} that this workspace may use.`);
}

function changedSettings(
  before: InstallationSettings | undefined,
  change: {
    configurationType?: string | null | undefined;
    configuration?: object | undefined;
    disabledChannels?: string[] | undefined;
  },
  alias: string,
): InstallationSettings {
  const configuration = (change.configuration ?? before?.configuration ?? {}) as Record<string, unknown>;
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

/** The webhook that an installation is reached by. */
function webhookOfInstallation(botId: string, installation: Installation, settings: InstallationSettings): Webhook {
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

/** @param integration what is known of it; undefined when it was deleted by its workspace's deletion */
export async function viewInstalled(
  installation: Installation,
  settings: InstallationSettings,
  integration: Integration | undefined,
  { chatBaseUrl }: { chatBaseUrl: string },
) {
  return {
    enabled: installation.isEnabled,
    name: integration?.name ?? '',
    version: integration?.version ?? '',
    webhookUrl: `${chatBaseUrl}/${installation.webhookId}`,
    webhookId: installation.webhookId,
    configurationType: settings.configurationType,
    configuration: settings.configuration,
    status: installation.isEnabled ? 'registered' : 'unregistered',
    statusReason: null,
    disabledChannels: settings.disabledChannels,
    id: installation.integrationId,
    createdAt: iso(installation.createdAtMs),
    updatedAt: iso(installation.updatedAtMs),
    title: integration?.title ?? '',
    description: integration?.description ?? '',
    iconUrl: await assetUrl(integration?.iconKey),
    public: integration?.visibility === 'public',
    visibility: integration?.visibility ?? 'private',
    verificationStatus: 'unapproved',
    lifecycleStatus: integration ? 'published' : 'deprecated',
  };
}
