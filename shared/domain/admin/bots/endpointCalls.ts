import { isDeepStrictEqual } from 'node:util';
import { own } from '#shared/core/own.ts';
import { isReachable } from '#shared/outbound/code/callTarget.ts';
import type { Installed } from '#shared/outbound/installations/callIntegration.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Installation, isActive } from '#shared/storage/dynamodb/bots/installation.ts';
import type { BotDefinition } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import type { Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import type { InstallationChange } from './install.ts';

export interface EndpointCalls {
  /** Installations to unregister, with their former configuration. */
  unregister: Installed[];
  register: Installed[];
}

export function endpointCallsFor(
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
      if (!earlier || !isActive(earlier)) return [];
      const isSame =
        has &&
        isActive(has.installation) &&
        has.installation.integrationId === earlier.integrationId &&
        isDeepStrictEqual(configurationIn(before, alias), configurationIn(after, alias));
      return isSame ? [] : installed(earlier, before);
    }),
    register: changes.flatMap(({ after: has }) =>
      has && isActive(has.installation) ? installed(has.installation, after) : [],
    ),
  };
}

const configurationIn = ({ installations }: BotDefinition, alias: string) => {
  const { configuration, configurationType } = own(installations, alias) ?? {};
  return { configuration, configurationType };
};
