/**
 * From where a call sees a bot. An integration, or whoever names one in the headers, is in its place: it sees what came
 * through its own installation, and calls its own tags and states by their bare names. From the bot's place everything is
 * seen, and what is an integration's has its name before a colon (`telegram:id`; FACTS 1.3).
 */

import type { BotCall } from '#shared/api/platform/operation.ts';
import type { Tags } from '#shared/dynamodb/tags.ts';
import { type Installation, labelOf } from '#shared/dynamodb/workspace/bots.ts';
import { ApiError } from '#shared/errors.ts';

/** What of a call says from where it comes. */
export type CallerScope = Pick<BotCall<unknown>, 'bot' | 'botId' | 'installation'>;

/** The bot's own place. */
export const BOT_SCOPE = { installation: undefined };

/** The installation that a record belongs to; all empty if to none. */
export interface InstallationRef {
  webhookId: string;
  integration: string;
}

const refOf = (installation: Installation): InstallationRef => ({
  webhookId: installation.webhookId,
  integration: labelOf(installation),
});

/**
 * The installation that what this call makes belongs to: the one in whose place the caller is, or the one that it names,
 * or the bot's oldest.
 * @throws ApiError ReferenceNotFound when it names one that the bot has not
 */
export function installationFor(
  { bot, installation }: CallerScope,
  integrationName: string | undefined,
): InstallationRef {
  if (installation) return refOf(installation);
  const usable = bot.installations.filter(({ isEnabled }) => isEnabled);
  if (integrationName !== undefined) {
    const named =
      usable.find(each => labelOf(each) === integrationName) ?? usable.find(({ name }) => name === integrationName);
    if (!named) {
      throw new ApiError('ReferenceNotFound', `The integration ${integrationName} is not installed on the bot.`);
    }
    return refOf(named);
  }
  const [oldest] = usable.sort((a, b) => a.createdAtMs - b.createdAtMs);
  return oldest ? refOf(oldest) : { webhookId: '', integration: '' };
}

/** Whether a record is there for this caller. */
export const canSee = ({ installation }: CallerScope, record: { webhookId?: string | undefined }): boolean =>
  installation === undefined || installation.webhookId === record.webhookId;

/** What stands before an integration's own names, where the bot sees them. */
const prefixOf = (installation: Installation) => `${labelOf(installation)}:`;

/** A tag or state as it is stored: as the bot sees it. */
export function storedName({ installation }: CallerScope, name: string): string {
  if (!installation) return name;
  const prefix = prefixOf(installation);
  return name.startsWith(prefix) ? name : prefix + name;
}

export const storedNames = <V>(scope: CallerScope, named: Record<string, V>): Record<string, V> =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [storedName(scope, name), value]));

/** The tags that a caller sees, by the names that he calls them. */
export function shownTags({ installation }: Pick<CallerScope, 'installation'>, tags: Tags): Tags {
  if (!installation) return tags;
  const prefix = prefixOf(installation);
  return Object.fromEntries(
    Object.entries(tags).flatMap(([key, value]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [])),
  );
}
