/**
 * What a version of a bot contains, and how it is restored (docs/api/admin.md#versions). Secrets and configurations
 * belong to the operator and not to the code, so a version neither contains nor changes them.
 */
import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { newVersionId } from '#shared/core/ids.ts';
import { own } from '#shared/core/own.ts';
import { secretPathsOf, uniquePaths, withoutSecretDefaults } from '#shared/domain/admin/secretFields.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Installation, labelOf } from '#shared/storage/dynamodb/bots/installation.ts';
import { VERSIONED, type Version, type VersionContent } from '#shared/storage/dynamodb/bots/versions.ts';
import { isRollingOut, newRevision } from '#shared/storage/dynamodb/code/deployments.ts';
import type { BotDefinition } from '#shared/storage/dynamodb/definitions/botDefinition.ts';

interface BotState {
  bot: Bot;
  definition: BotDefinition;
}

export const VersionView = z.object({
  id: z.string(),
  name: z.string(),
  description: z.optional(z.string()),
  /** The fields below extend the contract. */
  createdAt: dateTime(),
  createdBy: z.optional(z.string()),
  automatic: z.boolean(),
  active: z.boolean(),
});

export const viewVersion = (bot: Bot, version: Version): z.infer<typeof VersionView> => ({
  id: version.id,
  name: version.name,
  description: version.description,
  createdAt: iso(version.createdAtMs),
  createdBy: version.createdBy,
  automatic: version.isAutomatic,
  active: isActiveVersion(bot, version),
});

const isActiveVersion = (bot: Bot, version: Version): boolean =>
  bot.versionId === version.id && bot.url === version.url;

/** Returns the version of a deployment. Its name is the time. */
export const automaticVersion = (bot: Bot, codeKey: string, accountId: string, nowMs: number): Version => ({
  id: newVersionId(nowMs),
  name: `${iso(nowMs).slice(0, 16).replace('T', ' ')} UTC`,
  isAutomatic: true,
  url: bot.url,
  codeKey,
  createdBy: accountId,
  deployedBy: bot.rollout?.deployedBy,
  createdAtMs: nowMs,
});

export function contentOf({ bot, definition }: BotState): VersionContent {
  const parts = Object.fromEntries(VERSIONED.map(name => [name, definition[name]])) as Pick<
    BotDefinition,
    (typeof VERSIONED)[number]
  >;
  return {
    ...parts,
    tags: bot.tags,
    configurationSchema: withoutSecretDefaults(definition.configuration.schema),
    plugins: Object.fromEntries(
      Object.entries(definition.plugins).map(([alias, { configuration: _, ...plugin }]) => [alias, plugin]),
    ),
    integrations: bot.installations.map(({ alias, integrationId, name }) => ({ alias, integrationId, name })),
  };
}

/** Returns the bot with the code and the definition of a version. @param codeKey its own copy of the code */
export function restored(
  { bot, definition }: BotState,
  { version, content }: { version: Version; content: VersionContent },
  { codeKey, accountId, nowMs }: { codeKey: string | undefined; accountId: string; nowMs: number },
): BotState {
  const { tags, configurationSchema: schema, plugins, integrations: _, ...parts } = content;
  const { data, secretPaths = [] } = definition.configuration;
  const others = (version.deployedBy ?? []).filter(each => each !== accountId);
  return {
    bot: {
      ...bot,
      tags,
      url: version.url,
      pluginNames: Object.keys(plugins),
      versionId: version.id,
      deployedAtMs: nowMs,
      updatedAtMs: Math.max(nowMs, bot.updatedAtMs + 1),
      ...(codeKey === undefined
        ? {}
        : {
            codeKey,
            rollout: {
              revision: newRevision(),
              // The authors of the code can read its key, too.
              deployedBy: [accountId, ...others],
              ...(isRollingOut(bot) && bot.rollout?.revokesKeys ? { revokesKeys: true } : {}),
            },
          }),
    },
    definition: {
      ...definition,
      ...parts,
      // A setting that the version lacks must not keep its current value.
      maxExecutionTime: parts.maxExecutionTime,
      authentication: parts.authentication,
      configuration: { data, schema, secretPaths: uniquePaths([...secretPaths, ...secretPathsOf(schema)]) },
      plugins: Object.fromEntries(
        Object.entries(plugins).map(([alias, plugin]) => {
          const configuration = own(definition.plugins, alias)?.configuration;
          return [alias, configuration === undefined ? plugin : { ...plugin, configuration }];
        }),
      ),
    },
  };
}

/** Returns warnings about integrations of a version that the bot has no longer, or in another version. */
export function dependencyWarnings({ integrations }: VersionContent, installations: readonly Installation[]): string[] {
  const byAlias = new Map(installations.map(each => [each.alias, each]));
  return integrations.flatMap(({ alias, integrationId, name }) => {
    const label = labelOf({ alias, integrationId, name });
    const installed = byAlias.get(alias);
    if (!installed) return [`The version uses the integration ${label}, which is no longer installed. Install it.`];
    return installed.integrationId === integrationId
      ? []
      : [`The version uses the integration ${label} with the id ${integrationId}. The installed one stays.`];
  });
}
