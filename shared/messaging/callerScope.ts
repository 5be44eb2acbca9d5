/**
 * From where a call sees a bot. An integration, or whoever names one in the headers, is in its place: it sees what came
 * through its own installation, and calls its own tags and states by their bare names. From the bot's place everything is
 * seen, and what is an integration's has its name before a colon (`telegram:id`; FACTS 1.3).
 */
import { ApiError } from '#shared/errors.ts';
import type { BotCall } from '#shared/api/platform/operation.ts';
import { type Installation, labelOf } from '#shared/dynamodb/workspace/bots.ts';
import type { Tags } from '#shared/dynamodb/tags.ts';

/** What of a call says from where it comes. */
export type Place = Pick<BotCall<unknown>, 'bot' | 'botId' | 'installation'>;

/** The bot's own place. */
export const FROM_THE_BOT = { installation: undefined };

/** The installation that a record belongs to; all empty if to none. */
export interface Home {
  webhookId: string;
  integration: string;
}

const homeAt = (installation: Installation): Home => ({
  webhookId: installation.webhookId,
  integration: labelOf(installation),
});

/**
 * The installation that what this call makes belongs to: the one in whose place the caller is, or the one that it names,
 * or the bot's oldest.
 * @throws ApiError ReferenceNotFound when it names one that the bot has not
 */
export function homeOf({ bot, installation }: Place, integrationName: string | undefined): Home {
  if (installation) return homeAt(installation);
  const usable = bot.installations.filter(({ isEnabled }) => isEnabled);
  if (integrationName !== undefined) {
    const named =
      usable.find(each => labelOf(each) === integrationName) ?? usable.find(({ name }) => name === integrationName);
    if (!named) {
      throw new ApiError('ReferenceNotFound', `The integration ${integrationName} is not installed on the bot.`);
    }
    return homeAt(named);
  }
  const [oldest] = usable.sort((a, b) => a.createdAtMs - b.createdAtMs);
  return oldest ? homeAt(oldest) : { webhookId: '', integration: '' };
}

/** Whether a record is there for this caller. */
export const sees = ({ installation }: Place, record: { webhookId?: string | undefined }): boolean =>
  installation === undefined || installation.webhookId === record.webhookId;

/** What stands before an integration's own names, where the bot sees them. */
const prefixOf = (installation: Installation) => `${labelOf(installation)}:`;

/** A tag or state as it is stored: as the bot sees it. */
export function storedName({ installation }: Place, name: string): string {
  if (!installation) return name;
  const prefix = prefixOf(installation);
  return name.startsWith(prefix) ? name : prefix + name;
}

export const storedNames = <V>(place: Place, named: Record<string, V>): Record<string, V> =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [storedName(place, name), value]));

/** The tags that a caller sees, by the names that he calls them. */
export function shownTags({ installation }: Pick<Place, 'installation'>, tags: Tags): Tags {
  if (!installation) return tags;
  const prefix = prefixOf(installation);
  return Object.fromEntries(
    Object.entries(tags).flatMap(([key, value]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [])),
  );
}
