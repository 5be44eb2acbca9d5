/**
 * Scope of a call. An integration, or a caller that names one in the headers, sees only records of its installation,
 * and uses its own tags and states by their bare names. The bot can access all records. Names of an integration have
 * its prefix (`telegram:id`). See docs/api/botChat.md#tags.
 */

import type { BotCall } from '#shared/api/operations/platform.ts';
import { ApiError } from '#shared/core/errors.ts';
import { requireConfigured } from '#shared/outbound/installations/needsConfiguration.ts';
import { type Bot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Installation, isActive, labelOf } from '#shared/storage/dynamodb/bots/installation.ts';
import type { Author } from '#shared/storage/dynamodb/chat/entry.ts';
import type { Tags } from '#shared/storage/dynamodb/tags/tags.ts';

export type CallerScope = Pick<BotCall<unknown>, 'bot' | 'botId' | 'installation'>;
export type ScopedCall = CallerScope & Pick<BotCall<unknown>, 'nowMs' | 'principal'>;

/** Members and the bot may name an installation without being its integration. */
export const authorOf = ({ principal }: Pick<ScopedCall, 'principal'>): Author =>
  principal.kind === 'integration' ? 'integration' : 'bot';

export const BOT_SCOPE = { installation: undefined };

export interface InstallationRef {
  webhookId: string;
  integration: string;
}

const refOf = (installation: Installation): InstallationRef => ({
  webhookId: installation.webhookId,
  integration: labelOf(installation),
});

/**
 * Looks up a value in the bot's record. The call's record may be half a minute old (`callerRecords.ts`), so a miss
 * reads the current one: integrations work immediately after their installation.
 */
export async function findInBot<T>(
  { bot }: Pick<CallerScope, 'bot'>,
  find: (bot: Bot) => T | undefined,
): Promise<T | undefined> {
  const known = find(bot);
  if (known !== undefined) return known;
  const current = await findBot(bot.id);
  return current && find(current);
}

/**
 * Returns the installation of a new record: the caller's own, else the named one, else the bot's oldest.
 * @throws ApiError ReferenceNotFound if the named integration is not installed
 */
export async function installationFor(
  scope: CallerScope,
  integrationName: string | undefined,
): Promise<InstallationRef> {
  const found = scope.installation ?? (await findInBot(scope, bot => usableInstallation(bot, integrationName)));
  if (found) {
    requireConfigured(found);
    return refOf(found);
  }
  if (integrationName === undefined) return { webhookId: '', integration: '' };
  throw new ApiError('ReferenceNotFound', `The integration ${integrationName} is not installed on the bot.`);
}

/**
 * Finds the enabled installation with this label, else of the integration with this name. Without a name, the oldest
 * that is configured.
 */
function usableInstallation({ installations }: Bot, integrationName: string | undefined): Installation | undefined {
  const usable = installations.filter(({ isEnabled }) => isEnabled);
  if (integrationName === undefined) return usable.filter(isActive).sort((a, b) => a.createdAtMs - b.createdAtMs)[0];
  return usable.find(each => labelOf(each) === integrationName) ?? usable.find(({ name }) => name === integrationName);
}

export const canSee = ({ installation }: CallerScope, record: { webhookId?: string | undefined }): boolean =>
  installation === undefined || installation.webhookId === record.webhookId;

const prefixOf = (installation: Installation) => `${labelOf(installation)}:`;

/** Returns the stored name of a tag or state, which is its name for the bot. */
export function storedName({ installation }: Pick<CallerScope, 'installation'>, name: string): string {
  if (!installation) return name;
  const prefix = prefixOf(installation);
  return name.startsWith(prefix) ? name : prefix + name;
}

/** Inverse of {@link storedName}. Names of other integrations remain unchanged. */
export function shownName({ installation }: Pick<CallerScope, 'installation'>, name: string): string {
  if (!installation) return name;
  const prefix = prefixOf(installation);
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

export const storedNames = <V>(scope: Pick<CallerScope, 'installation'>, named: Record<string, V>): Record<string, V> =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [storedName(scope, name), value]));

export function shownTags({ installation }: Pick<CallerScope, 'installation'>, tags: Tags): Tags {
  if (!installation) return tags;
  const prefix = prefixOf(installation);
  return Object.fromEntries(
    Object.entries(tags).flatMap(([key, value]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [])),
  );
}

/** Scope of a view: of a call, or of a delivery, which has no caller. */
export type ViewScope = Pick<CallerScope, 'installation'> & Partial<Pick<ScopedCall, 'principal'>>;

/** Returns true for members and the bot, who see what members add to records. Deliveries and integrations do not. */
export const isOfTeam = ({ principal }: ViewScope): boolean =>
  principal !== undefined && principal.kind !== 'integration';
