/** Decides which changes of a bot grant access, by comparing the stored bot with the changed one. */

import { own } from '#shared/core/own.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Installation, isActive } from '#shared/storage/dynamodb/bots/installation.ts';
import type { BotDefinition, InstallationSettings } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import { BOOKKEEPING, changedAttribute, type Harmless, isChanged } from './changedAttribute.ts';
import { DEPLOYMENT } from './deployment.ts';

export interface BotState {
  bot: Bot;
  definition: BotDefinition;
}

const BOT: Harmless<Bot> = {
  ...BOOKKEEPING,
  name: 'a text',
  description: 'a text',
  type: 'a label',
  tags: 'labels that no rule reads',
  pluginNames: 'derived from plugins, which are compared',
  formerLabels: 'keeps access of the bot to data of an uninstalled integration',
  formerFileScopes: 'keeps access of the bot to files of an uninstalled integration',
  installations: 'compared by alias',
  url: 'compared below: only a new destination grants access',
  rollout: 'compared last',
  versionId: 'a label of the code, whose deployment is compared last',
};

const DEFINITION: Harmless<BotDefinition> = {
  states: 'declares data of the bot',
  events: 'declares events of the bot',
  actions: 'declares actions of the bot',
  tagDefinitions: 'declares tags of the bot',
  recurringEvents: 'sends events to the bot, with its own rights',
  subscriptions: 'selects events that the bot receives about itself',
  medias: 'texts',
  alwaysAlive: 'stored only',
  configuration: 'compared below: its schema only hides further fields',
  installations: 'compared by alias',
  plugins: 'compared by alias',
};

const INSTALLATION: Harmless<Installation> = {
  updatedAtMs: 'the time of the change',
  name: 'copied from the integration',
  registration: 'repeats the call to an unchanged endpoint with an unchanged configuration',
  isEnabled: 'compared below: disabling grants nothing',
  missingConfiguration: 'compared below: it follows from the configuration and its schema',
};

const SETTINGS: Harmless<InstallationSettings> = { secretPaths: 'hides further fields' };

/**
 * Returns the changed field that grants access beyond the caller's token, if any: a destination that receives
 * configurations, code, or an installation that is new, newly enabled or reconfigured.
 */
export function grantOfBot(before: BotState, after: BotState): string | undefined {
  if (after.bot.url !== undefined && after.bot.url !== before.bot.url) return 'url';
  if (isChanged(before.definition.configuration.data, after.definition.configuration.data)) return 'configuration.data';
  return (
    grantOfInstallations(before, after) ??
    grantOfPlugins(before.definition.plugins, after.definition.plugins) ??
    changedAttribute(before.definition, after.definition, DEFINITION) ??
    changedAttribute(before.bot, after.bot, BOT) ??
    (isChanged(before.bot.rollout, after.bot.rollout) ? DEPLOYMENT : undefined)
  );
}

/** Uninstalling and disabling grant nothing. */
function grantOfInstallations(before: BotState, after: BotState): string | undefined {
  const former = new Map(before.bot.installations.map(each => [each.alias, each]));
  for (const installation of after.bot.installations) {
    const { alias } = installation;
    const known = former.get(alias);
    if (!known) return `integrations.${alias}`;
    const changed =
      changedAttribute(
        own(before.definition.installations, alias) ?? {},
        after.definition.installations[alias]!,
        SETTINGS,
      ) ??
      (isActive(installation) && !isActive(known) ? 'enabled' : undefined) ??
      changedAttribute(known, installation, INSTALLATION);
    if (changed) return `integrations.${alias}.${changed}`;
  }
  return undefined;
}

type Plugins = BotDefinition['plugins'];

/** The bot's code calls the integrations that a plugin names, with the plugin's configuration. */
function grantOfPlugins(before: Plugins, after: Plugins): string | undefined {
  for (const [alias, plugin] of Object.entries(after)) {
    const known = own(before, alias);
    if (!known) return `plugins.${alias}`;
    const changed = changedAttribute(known, plugin, {
      updatedAtMs: BOOKKEEPING.updatedAtMs,
      // A plugin is enabled if the field is undefined.
      ...(plugin.enabled === false ? { enabled: 'disabling grants nothing' } : {}),
    });
    if (changed) return `plugins.${alias}.${changed}`;
  }
  return undefined;
}
