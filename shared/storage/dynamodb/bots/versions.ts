/**
 * Versions of a bot, to which it can be rolled back (docs/api/admin.md#versions). The list reads small items. The
 * content of a version is an item of its own, and its code an object of its own, so nothing shares them.
 */
import * as z from 'zod/mini';
import { isVersionId } from '#shared/core/ids.ts';
import type { BotDefinition } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import { loadItemValue, storeValue, VALUE } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { type Item, prefixQuery, queryPage, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  botVersionContentKey,
  botVersionKey,
  botVersionPrefix,
  botVersionsPk,
} from '#shared/storage/dynamodb/keys/workspace.ts';

/** Parts of the definition that a version contains. Secrets and configured values are not among them. */
export const VERSIONED = [
  'states',
  'events',
  'recurringEvents',
  'actions',
  'tagDefinitions',
  'subscriptions',
  'medias',
  'maxExecutionTime',
  'alwaysAlive',
  'authentication',
  'layers',
] as const satisfies readonly (keyof BotDefinition)[];

export interface VersionContent extends Pick<BotDefinition, (typeof VERSIONED)[number]> {
  tags: Record<string, string>;
  configurationSchema: Record<string, unknown>;
  /** Without their configurations. */
  plugins: BotDefinition['plugins'];
  integrations: { alias: string; integrationId: string; name?: string | undefined }[];
}

const Version = z.object({
  id: z.string(),
  name: z.string(),
  description: z.optional(z.string()),
  /** True for the version of a deployment, false for one that a member named. */
  isAutomatic: z.boolean(),
  url: z.optional(z.string()),
  /** Key of the code's object. The attribute is that of large values, whose objects are deleted with their item. */
  [VALUE.object]: z.optional(z.string()),
  /** Account that created the version. */
  createdBy: z.optional(z.string()),
  /** Accounts that supplied the code. */
  deployedBy: z.optional(z.array(z.string())),
  createdAtMs: z.number(),
});
type StoredVersion = z.infer<typeof Version>;

export interface Version extends Omit<StoredVersion, typeof VALUE.object> {
  codeKey?: string | undefined;
}

/** Ignores the content of a version, which has a key of its own. */
export function parseVersion(item: Item): Version {
  const { [VALUE.object]: codeKey, ...version } = Version.parse(item);
  return { ...version, codeKey };
}

export const isVersionItem = ({ sk }: Item): boolean => String(sk).startsWith(botVersionPrefix);

/** The oldest automatic versions are removed beyond it, then the oldest named ones. */
export const VERSIONS_LIMIT = 50;
/** Concurrent deployments exceed the limit for a moment. */
const READ_LIMIT = 2 * VERSIONS_LIMIT;

/** Lists the versions of a bot, newest first. */
export async function listVersions(botId: string): Promise<Version[]> {
  const { items } = await queryPage({
    ...prefixQuery(botVersionsPk(botId), botVersionPrefix),
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: READ_LIMIT,
  });
  return items.map(parseVersion);
}

export async function findVersion(
  botId: string,
  id: string,
): Promise<{ version: Version; content: VersionContent } | undefined> {
  if (!isVersionId(id)) return undefined;
  const [version, content] = await readItems([botVersionKey(botId, id), botVersionContentKey(botId, id)]);
  if (!version || !content) return undefined;
  return { version: parseVersion(version), content: (await loadItemValue(content)) as VersionContent };
}

/** Removes at most so many versions per write, which has a limited number of parts. */
const REMOVED_AT_ONCE = 3;

/**
 * Returns the writes of a new version, including the removal of versions beyond the limit.
 * @param activeId version that is never removed
 */
export async function putVersion(
  botId: string,
  { codeKey, ...version }: Version,
  content: VersionContent,
  activeId: string | undefined,
): Promise<Write[]> {
  const ended = endedVersions(await listVersions(botId), activeId);
  return [
    {
      put: {
        Item: { ...botVersionKey(botId, version.id), ...version, ...(codeKey ? { [VALUE.object]: codeKey } : {}) },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
      onRefused: () => new WriteConflict(),
    },
    {
      put: { Item: { ...botVersionContentKey(botId, version.id), ...(await storeValue(botId, content)) } },
      onRefused: unconditional,
    },
    ...ended
      .flatMap(({ id }) => [botVersionKey(botId, id), botVersionContentKey(botId, id)])
      .map(key => ({ remove: { Key: key }, onRefused: unconditional })),
  ];
}

/** Returns the versions to remove before another one is added. @param versions newest first */
function endedVersions(versions: readonly Version[], activeId: string | undefined): Version[] {
  const excess = Math.min(versions.length - (VERSIONS_LIMIT - 1), REMOVED_AT_ONCE);
  if (excess <= 0) return [];
  const removable = versions.filter(({ id }) => id !== activeId).toReversed();
  const [automatic, named] = [
    removable.filter(({ isAutomatic }) => isAutomatic),
    removable.filter(({ isAutomatic }) => !isAutomatic),
  ];
  const inOrder = [...automatic, ...named];
  return inOrder.slice(0, excess);
}

/** Fails if the version was removed, whose code object is then deleted. */
export const versionMustExist = (botId: string, id: string): Write => ({
  check: { Key: botVersionKey(botId, id), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => new WriteConflict(),
});
