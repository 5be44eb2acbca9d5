/** Installs, changes and uninstalls integrations. Each installation has its own webhook for chat users. */

import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isTagName } from '#shared/api/platform/tagInputs.ts';
import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { keepSecrets, withoutSecrets } from '#shared/domain/admin/secretFields.ts';
import { isReachable } from '#shared/outbound/code/target.ts';
import type { Installed } from '#shared/outbound/installations/callIntegration.ts';
import { WEBCHAT } from '#shared/outbound/installations/webchat.ts';
import type { BotDefinition, InstallationSettings } from '#shared/storage/dynamodb/bots/botDefinition.ts';
import {
  ANY_LABEL,
  type Bot,
  type Installation,
  labelOf,
  type Registration,
} from '#shared/storage/dynamodb/bots/bots.ts';
import { putWebhook, removeWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { hasFiles } from '#shared/storage/dynamodb/files/fileLists.ts';
import { listScopes } from '#shared/storage/dynamodb/files/fileScopes.ts';
import { hasKnowledgeBases } from '#shared/storage/dynamodb/files/knowledgeBases.ts';
import type { IntegrationDefinition } from '#shared/storage/dynamodb/integrations/integrationDefinition.ts';
import {
  countInstallations,
  findIntegrationDefinitions,
  findIntegrations,
  type Integration,
  isVisibleTo,
} from '#shared/storage/dynamodb/integrations/integrations.ts';
import type { Write } from '#shared/storage/dynamodb/transaction.ts';
import { requireChatConfiguration, webhookOf } from './chatConfiguration.ts';
import { requireConfiguration } from './configuration.ts';
import type { BotChanges } from './inputs.ts';
import { installationSecrets } from './installationSecrets.ts';

/** A change takes up to five of a transaction's 100 writes: two webhooks, two counts, a log line. */
const CHANGES_LIMIT = 18;
/** Fits the transaction that deletes a bot. */
const INSTALLATIONS_LIMIT = 40;

type Change = NonNullable<NonNullable<BotChanges['integrations']>[string]>;
type InstallCount = { integrationId: string; change: 1 | -1 };

interface InstallationChange {
  alias: string;
  /** Undefined after uninstallation. */
  after: { installation: Installation; settings: InstallationSettings } | undefined;
  ended?: Installation | undefined;
  writes: Write[];
  counts: InstallCount[];
  logMessage: string;
}

/** Calls to the integrations' endpoints after the write. */
export interface EndpointCalls {
  /** With the former configuration. */
  unregister: Installed[];
  register: Installed[];
}

/**
 * Returns a bot and its definition after changes of its integrations.
 * @param changes by alias; null uninstalls
 * @returns also the writes and log messages that accompany the bot's write
 * @throws ApiError ReferenceNotFound for an inaccessible integration, InvalidPayload for an invalid configuration,
 * LimitExceeded for too many changes, installations, or former installations with files
 */
export async function changedInstallations(
  bot: Bot,
  definition: BotDefinition,
  changes: NonNullable<BotChanges['integrations']>,
  nowMs: number,
): Promise<{ bot: Bot; definition: BotDefinition; writes: Write[]; logMessages: string[]; calls: EndpointCalls }> {
  const entries = Object.entries(changes);
  if (entries.length > CHANGES_LIMIT) {
    throw new ApiError('LimitExceeded', `At most ${CHANGES_LIMIT} integrations can be changed in one call.`);
  }
  const installations = new Map(bot.installations.map(each => [each.alias, each]));
  const targets = entries.flatMap(([alias, change]) =>
    change ? [integrationIdOf(alias, change, installations.get(alias))] : [],
  );
  const [integrations, definitions] = await Promise.all([
    findIntegrations([...targets, ...entries.flatMap(([alias]) => installations.get(alias)?.integrationId ?? [])]),
    findIntegrationDefinitions(targets),
  ]);
  const made = entries.flatMap(([alias, change]) => {
    const before = installations.get(alias);
    if (change === null) return before ? [uninstall(before)] : [];
    return [
      install(bot, alias, change, {
        before,
        settings: definition.installations[alias],
        integrations,
        definitions,
        nowMs,
      }),
    ];
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
  const after: BotDefinition = { ...definition, installations: settings };
  return {
    bot: {
      ...bot,
      installations: [...installations.values()],
      ...(await afterEnded(bot, made)),
    },
    definition: after,
    calls: callsFor(bot, made, { before: definition, after, integrations }),
    writes: [
      ...made.flatMap(({ writes }) => writes),
      ...countInstallations(
        made.flatMap(({ counts }) => counts),
        integrations,
      ),
    ],
    logMessages: made.map(({ logMessage }) => logMessage),
  };
}

function callsFor(
  bot: Bot,
  changes: readonly InstallationChange[],
  {
    before,
    after,
    integrations,
  }: { before: BotDefinition; after: BotDefinition; integrations: ReadonlyMap<string, Integration> },
): EndpointCalls {
  const had = new Map(bot.installations.map(each => [each.alias, each]));
  const installed = (installation: Installation | undefined, definition: BotDefinition): Installed[] => {
    const integration = installation && integrations.get(installation.integrationId);
    return installation && integration && isReachable(integration)
      ? [{ bot, installation, definition, integration }]
      : [];
  };
  return {
    unregister: changes.flatMap(({ alias, after: has }) => {
      const earlier = had.get(alias);
      if (!earlier?.isEnabled) return [];
      const isSame =
        has?.installation.isEnabled &&
        has.installation.integrationId === earlier.integrationId &&
        isDeepStrictEqual(configurationIn(before, alias), configurationIn(after, alias));
      return isSame ? [] : installed(earlier, before);
    }),
    register: changes.flatMap(({ after: has }) =>
      has?.installation.isEnabled ? installed(has.installation, after) : [],
    ),
  };
}

const configurationIn = ({ installations }: BotDefinition, alias: string) => {
  const { configuration, configurationType } = installations[alias] ?? {};
  return { configuration, configurationType };
};

/** The alias of a new installation may be the integration's id. */
const integrationIdOf = (alias: string, change: Change, before: Installation | undefined) =>
  change.integrationId ?? before?.integrationId ?? alias;

/** Above this limit, every label counts as used. */
const FORMER_LABELS_LIMIT = 500;

/** The limit of a listing of files. */
const FORMER_SCOPES_LIMIT = 20;

const isUsed = async (botId: string, scope: string) =>
  (await hasFiles(botId, scope)) || (await hasKnowledgeBases(botId, scope));

/**
 * Returns the labels and file scopes of former installations. Tags may still use the labels; the scopes keep files and
 * knowledge bases accessible to the bot and its members.
 */
async function afterEnded(bot: Bot, changes: readonly InstallationChange[]): Promise<Partial<Bot>> {
  const ended = changes.flatMap(change => change.ended ?? []);
  if (ended.length === 0) return {};
  const scopes = new Set(await listScopes(bot.id));
  const known = [...(bot.formerFileScopes ?? []), ...ended.map(({ webhookId }) => webhookId)];
  let formerFileScopes = known.filter(scope => scopes.has(scope));
  if (formerFileScopes.length > FORMER_SCOPES_LIMIT) {
    const areUsed = await Promise.all(formerFileScopes.map(scope => isUsed(bot.id, scope)));
    formerFileScopes = formerFileScopes.filter((_, i) => areUsed[i]);
  }
  if (formerFileScopes.length > FORMER_SCOPES_LIMIT) {
    throw new ApiError(
      'LimitExceeded',
      `More than ${FORMER_SCOPES_LIMIT} former integrations still have files or knowledge bases. Delete those whose owner is not installed: see listFiles and listKnowledgeBases.`,
    );
  }
  const formerLabels = [...new Set([...(bot.formerLabels ?? []), ...ended.map(labelOf)])];
  return { formerFileScopes, formerLabels: formerLabels.length > FORMER_LABELS_LIMIT ? [ANY_LABEL] : formerLabels };
}

const uninstall = (installation: Installation): InstallationChange => ({
  alias: installation.alias,
  after: undefined,
  ended: installation,
  writes: [removeWebhook(installation.webhookId)],
  counts: [{ integrationId: installation.integrationId, change: -1 }],
  logMessage: `The integration ${installation.alias} was uninstalled.`,
});

/** Restricts aliases, which are part of tag names and filters. Existing installations keep theirs. */
function requireAlias(alias: string): void {
  if (isTagName(`${alias}:`)) return;
  throw invalidPayload('An alias must not contain dots, brackets or spaces.', `integrations.${alias}`);
}

function install(
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
    const [end, start] = [uninstall(before), install(bot, alias, { ...change, integrationId }, fresh)];
    return {
      ...start,
      ended: before,
      writes: [...end.writes, ...start.writes],
      counts: [...end.counts, ...start.counts],
    };
  }
  // An existing installation stays valid if its integration becomes private.
  if (isNew) requireUsable(integration, integrationId, bot.workspaceId);
  const settings = changedSettings(settingsBefore, change, { alias, integration });
  const isEnabled = change.enabled ?? before?.isEnabled ?? true;
  const isChat = before?.isChat ?? isChatIntegration(integration!, bot.workspaceId);
  if (isEnabled) requireConfiguration(alias, settings, { definition: definitions.get(integrationId), isChat });
  const installation: Installation = {
    ...before,
    alias,
    integrationId,
    name: integration?.name ?? before?.name,
    webhookId: before?.webhookId ?? randomUUID(),
    isEnabled,
    isChat,
    registration: registrationOf(integration, { isEnabled, wasEnabled: before?.isEnabled ?? false, nowMs }),
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

/** Returns the pending call to the endpoint, if any. */
function registrationOf(
  integration: Integration | undefined,
  { isEnabled, wasEnabled, nowMs }: { isEnabled: boolean; wasEnabled: boolean; nowMs: number },
): Registration | undefined {
  if (!integration || !isReachable(integration)) return undefined;
  const status = isEnabled ? 'registration_pending' : wasEnabled ? 'unregistration_pending' : 'unregistered';
  return { status, requestedAtMs: nowMs, by: 'operation' };
}

const isUpgrade = (before: Integration | undefined, after: Integration | undefined): boolean =>
  before !== undefined && after?.name === before.name && after.workspaceId === before.workspaceId;

const CHAT_NAMES = ['chat', WEBCHAT];

/**
 * Returns whether end users may use an installation. A third-party integration does not qualify by its name: the
 * workspace creates its own (docs/api/admin.md#chat-integration).
 */
const isChatIntegration = ({ name, workspaceId }: Integration, botWorkspaceId: string): boolean =>
  CHAT_NAMES.includes(name) && workspaceId === botWorkspaceId;

function requireUsable(integration: Integration | undefined, id: string, workspaceId: string): void {
  if (!integration || !isVisibleTo(integration, workspaceId)) {
    throw new ApiError('ReferenceNotFound', `The integration ${id} does not exist or is private to another workspace.`);
  }
}

function changedSettings(
  before: InstallationSettings | undefined,
  change: Change,
  { alias, integration }: { alias: string; integration: Integration | undefined },
): InstallationSettings {
  const configurationType =
    change.configurationType === undefined ? (before?.configurationType ?? null) : change.configurationType;
  const isSameType = configurationType === (before?.configurationType ?? null);
  // Another configuration type does not inherit secrets.
  const stored =
    before &&
    (isSameType
      ? before.configuration
      : withoutSecrets(before.configuration, installationSecrets(before, integration)));
  const secretPaths = installationSecrets(
    { configurationType, secretPaths: isSameType ? before?.secretPaths : [] },
    integration,
  );
  const configuration = change.configuration
    ? keepSecrets(change.configuration, stored ?? {}, secretPaths)
    : (stored ?? {});
  requireChatConfiguration(alias, configuration);
  return {
    configurationType,
    configuration,
    secretPaths,
    disabledChannels: change.disabledChannels ?? before?.disabledChannels ?? [],
    encryptionKey: before?.encryptionKey ?? randomBytes(24).toString('base64url'),
  };
}
