import { randomUUID } from 'node:crypto';
import { isTagName } from '#shared/api/platform/tagInputs.ts';
import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { isReachable } from '#shared/outbound/code/callTarget.ts';
import { signalUrlHash } from '#shared/outbound/installations/signalWebhook.ts';
import { WEBCHAT } from '#shared/outbound/installations/webchatInstallations.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Installation, isActive, type Registration } from '#shared/storage/dynamodb/bots/installation.ts';
import { removeWidget } from '#shared/storage/dynamodb/bots/widgets.ts';
import { putWebhook, removeWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import type { InstallationSettings } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import type { IntegrationDefinition } from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type Integration, isVisibleTo } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { missingConfiguration, requireComplete, requireConfiguration } from './botConfiguration.ts';
import { webhookOf } from './chatConfiguration.ts';
import { type Change, changedSettings } from './installationSettings.ts';

type InstallCount = { integrationId: string; change: 1 | -1 };

export interface InstallationChange {
  alias: string;
  after: { installation: Installation; settings: InstallationSettings } | undefined;
  ended?: Installation | undefined;
  writes: Write[];
  counts: InstallCount[];
  logMessage: string;
}

/** The alias of a new installation may be the integration's id. */
export const integrationIdOf = (alias: string, change: Change, before: Installation | undefined) =>
  change.integrationId ?? before?.integrationId ?? alias;

export const uninstall = (botId: string, installation: Installation): InstallationChange => ({
  alias: installation.alias,
  after: undefined,
  ended: installation,
  writes: [
    removeWebhook(installation.webhookId),
    ...(installation.isChat ? [removeWidget(botId, installation.webhookId)] : []),
  ],
  counts: [{ integrationId: installation.integrationId, change: -1 }],
  logMessage: `The integration ${installation.alias} was uninstalled.`,
});

/** Restricts aliases, which are part of tag names and filters. Existing installations keep their alias. */
function requireAlias(alias: string): void {
  if (isTagName(`${alias}:`)) return;
  throw invalidPayload('An alias must not contain dots, brackets or spaces.', `integrations.${alias}`);
}

export function install(
  bot: Bot,
  alias: string,
  change: Change,
  {
    before,
    settings: settingsBefore,
    integrations,
    definitions,
    nowMs,
  }: {
    before: Installation | undefined;
    settings: InstallationSettings | undefined;
    integrations: ReadonlyMap<string, Integration>;
    definitions: ReadonlyMap<string, IntegrationDefinition>;
    nowMs: number;
  },
): InstallationChange {
  if (!before) requireAlias(alias);
  const integrationId = integrationIdOf(alias, change, before);
  const integration = integrations.get(integrationId);
  const isNew = integrationId !== before?.integrationId;
  if (before && isNew && !isUpgrade(integrations.get(before.integrationId), integration)) {
    // A different integration inherits neither the webhook, which owns users and files, nor the settings.
    const fresh = { before: undefined, settings: undefined, integrations, definitions, nowMs };
    const [end, start] = [uninstall(bot.id, before), install(bot, alias, { ...change, integrationId }, fresh)];
    return {
      ...start,
      ended: before,
      writes: [...end.writes, ...start.writes],
      counts: [...end.counts, ...start.counts],
    };
  }
  // An existing installation stays valid if its integration becomes private.
  if (isNew) requireUsable(integration, integrationId, bot.workspaceId);
  const isChat = before?.isChat ?? isChatIntegration(integration!, bot.workspaceId);
  const declared = { definition: definitions.get(integrationId), isChat };
  const { settings, missing } = configure(settingsBefore, change, { alias, integration, ...declared });
  const isEnabled = change.enabled ?? before?.isEnabled ?? true;
  if (isEnabled) requireConfiguration(alias, settings, declared);
  // Protects an installation that works from a configuration or version that would stop it.
  if (isEnabled && missing && before && isActive(before)) requireComplete(alias, settings, declared);
  const installation: Installation = {
    ...before,
    alias,
    integrationId,
    name: integration?.name ?? before?.name,
    webhookId: before?.webhookId ?? randomUUID(),
    isEnabled,
    isChat,
    missingConfiguration: missing,
    signalUrlHash: isChat ? signalUrlHash(settings) : undefined,
    registration: missing
      ? undefined
      : registrationOf(integration, { isEnabled, wasActive: before !== undefined && isActive(before), nowMs }),
    createdAtMs: before?.createdAtMs ?? nowMs,
    updatedAtMs: nowMs,
  };
  return {
    alias,
    after: { installation, settings },
    // Disabling removes the webhook.
    writes: [
      installation.isEnabled
        ? putWebhook({ ...webhookOf(bot.id, installation, settings), wideFromMs: bot.wideFromMs })
        : removeWebhook(installation.webhookId),
    ],
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

/**
 * Returns the changed settings and the required fields that they lack. The CLI sends an empty configuration for an
 * integration that the bot's code does not configure. If fields are required, it keeps the stored configuration.
 */
function configure(
  before: InstallationSettings | undefined,
  change: Change,
  about: { alias: string; integration: Integration | undefined } & Parameters<typeof missingConfiguration>[1],
): { settings: InstallationSettings; missing: string[] | undefined } {
  const settings = changedSettings(before, change, about);
  const missing = missingConfiguration(settings, about);
  const isEmpty = change.configuration !== undefined && Object.keys(change.configuration).length === 0;
  const isSameType = settings.configurationType === (before?.configurationType ?? null);
  if (!missing || !before || !isEmpty || !isSameType) return { settings, missing };
  const kept = changedSettings(before, { ...change, configuration: undefined }, about);
  return { settings: kept, missing: missingConfiguration(kept, about) };
}

/** Returns the pending call to the endpoint, if any. */
function registrationOf(
  integration: Integration | undefined,
  { isEnabled, wasActive, nowMs }: { isEnabled: boolean; wasActive: boolean; nowMs: number },
): Registration | undefined {
  if (!integration || !isReachable(integration)) return undefined;
  const status = isEnabled ? 'registration_pending' : wasActive ? 'unregistration_pending' : 'unregistered';
  return { status, requestedAtMs: nowMs, by: 'operation' };
}

const isUpgrade = (before: Integration | undefined, after: Integration | undefined): boolean =>
  before !== undefined && after?.name === before.name && after.workspaceId === before.workspaceId;

const CHAT_NAMES = ['chat', WEBCHAT];

/**
 * Returns true if end users may use an installation. A third-party integration does not qualify by its name: the
 * workspace creates its own (docs/api/admin.md#chat-integration).
 */
const isChatIntegration = ({ name, workspaceId }: Integration, botWorkspaceId: string): boolean =>
  CHAT_NAMES.includes(name) && workspaceId === botWorkspaceId;

function requireUsable(integration: Integration | undefined, id: string, workspaceId: string): void {
  if (!integration || !isVisibleTo(integration, workspaceId)) {
    throw new ApiError('ReferenceNotFound', `The integration ${id} does not exist or is private to another workspace.`);
  }
}
