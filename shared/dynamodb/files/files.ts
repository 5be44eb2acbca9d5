/**
 * Files: the record of each, and how it changes. A record changes as a whole, by a version: whoever lost a race computes
 * his change again. With it, in the same transaction, change the lists in which it stands, what is due about it, and what
 * it adds to the workspace's usage.
 *
 * Its id follows from its key, so both lead to it with one read, and of a hundred who put a key at once one creates it.
 */
import * as z from 'zod/mini';
import {
  fileIndexingKey,
  fileKey,
  fileListing,
  fileOrderItem,
  filePlaces,
  fileScopeKey,
  fileScopesPk,
  fileUploadKey,
  sharedFileKey,
} from '#shared/dynamodb/keys/files.ts';
import { timedSk } from '#shared/dynamodb/keys/lists.ts';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import { type Item, queryAll, readItem, readItems } from '#shared/dynamodb/query.ts';
import { type FileKind, type Tagged, Tags, tagWrites } from '#shared/dynamodb/tags.ts';
import { removeTimer, setTimer } from '#shared/dynamodb/timers.ts';
import { unconditional, type Write, WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import type { BotRef } from '#shared/dynamodb/workspace/botRef.ts';
import { changeTotals } from '#shared/dynamodb/workspace/botTotals.ts';

export const FILE_STATUSES = [
  'upload_pending',
  'upload_failed',
  'upload_completed',
  'indexing_pending',
  'indexing_failed',
  'indexing_completed',
] as const;
export const ACCESS_POLICIES = ['public_content', 'integrations'] as const;

const Content = z.object({
  /** The object's key. */
  object: z.string(),
  size: z.number(),
  contentType: z.string(),
});

const File = z.object({
  id: z.string(),
  key: z.string(),
  /** Whose it is: see `files/scope.ts`. */
  scope: z.string(),
  owner: z.object({
    type: z.enum(['bot', 'integration', 'user']),
    id: z.optional(z.string()),
    name: z.optional(z.string()),
    alias: z.optional(z.string()),
  }),
  tags: Tags,
  /** JSON text. */
  metadata: z.string(),
  policies: z.array(z.enum(ACCESS_POLICIES)),
  index: z.boolean(),
  /** The contract's configuration of indexing, as JSON text. */
  configuration: z.optional(z.string()),
  /** Of what was uploaded or is to be, whichever is the latest. */
  contentType: z.string(),
  status: z.enum(FILE_STATUSES),
  /** Why the upload or indexing failed. */
  reason: z.optional(z.string()),
  /** What can be read. */
  content: z.optional(Content),
  /** What is to be put in its place, until when. */
  pending: z.optional(z.extend(Content, { untilMs: z.number(), isImmediatelyPublic: z.optional(z.boolean()) })),
  /** The indexing that is under way; of passages that were given, or else of the content. */
  indexing: z.optional(z.object({ id: z.string(), untilMs: z.number(), isGiven: z.optional(z.boolean()) })),
  /** The indexing that is searched. */
  indexed: z.optional(z.object({ id: z.string(), passages: z.number(), vectorBytes: z.number() })),
  /** The unguessable part of its permanent URL. */
  secret: z.string(),
  expiresAtMs: z.optional(z.number()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  version: z.number(),
});
export type File = z.infer<typeof File>;
export const parseFile = (item: Item): File => File.parse(item);

export async function findFile(botId: string, fileId: string): Promise<File | undefined> {
  const item = await readItem(fileKey(botId, fileId));
  return item && File.parse(item);
}

/** In the order of the ids; undefined where there is none. */
export async function findFiles(botId: string, fileIds: readonly string[]): Promise<(File | undefined)[]> {
  if (fileIds.length === 0) return [];
  const items = await readItems(fileIds.map(id => fileKey(botId, id)));
  return items.map(item => item && File.parse(item));
}

/** The scope of what belongs to the bot itself. */
export const BOT = 'bot';
/** The scope in which stands besides what integrations may see. */
export const SHARED = 'shared';

export const isShared = ({ policies }: Pick<File, 'policies'>) => policies.includes('integrations');
export const isPublic = ({ policies }: Pick<File, 'policies'>) => policies.includes('public_content');

/** The scopes in whose lists a file stands. */
export const scopesOf = (file: Pick<File, 'scope' | 'policies'>): string[] =>
  isShared(file) ? [file.scope, SHARED] : [file.scope];

/** The tag that every indexed file has, under a name that no caller's tag can have: so that they are found. */
export const INDEXED_TAG = ' index';
export const fileKind = (scope: string): FileKind => `file@${scope}`;
export const taggedFile = (scope: string, { id, createdAtMs }: Pick<File, 'id' | 'createdAtMs'>): Tagged => ({
  kind: fileKind(scope),
  id,
  sortKey: timedSk(createdAtMs, id),
  shardBy: id,
});
/** The tags by which a file is found in a scope: none where it does not stand. */
export const tagsIn = (scope: string, file: Pick<File, 'scope' | 'policies' | 'tags' | 'index'> | undefined): Tags =>
  file && scopesOf(file).includes(scope) ? { ...file.tags, ...(file.index ? { [INDEXED_TAG]: 'true' } : {}) } : {};

/** A new file, or the next version of one. @returns all that is written with it, and the file as it then is */
export async function changeFile(
  bot: BotRef,
  before: File | undefined,
  changed: Omit<File, 'version' | 'updatedAtMs'>,
  nowMs: number,
): Promise<{ file: File; writes: Write[] }> {
  const file: File = {
    ...changed,
    updatedAtMs: Math.max(nowMs, (before?.updatedAtMs ?? 0) + 1),
    version: (before?.version ?? 0) + 1,
  };
  const writes = [
    putFile(bot.id, before, file),
    ...putListings(bot.id, before, file),
    ...(await putTags(bot.id, before, file)),
    ...timersOf(bot.id, before, file),
    ...(await changeTotals(bot, difference(before, file), nowMs)),
  ];
  return { file, writes };
}

/** The end of a file. Its objects, passages and entries go when the table's stream tells of it. */
export const removeFile = async (bot: BotRef, file: File, nowMs: number): Promise<Write[]> => [
  {
    remove: {
      Key: fileKey(bot.id, file.id),
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':version': file.version },
    },
    onRefused: () => new WriteConflict(),
  },
  ...removals([orderItems(bot.id, file), sharedItems(bot.id, file)].flat()),
  ...timersOf(bot.id, file, undefined),
  ...(await changeTotals(bot, difference(file, undefined), nowMs)),
];

const putFile = (botId: string, before: File | undefined, file: File): Write => ({
  put: {
    Item: { ...fileKey(botId, file.id), ...file, ...fileListing(botId, file.scope, file) },
    ...(before
      ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } }
      : { ConditionExpression: 'attribute_not_exists(pk)' }),
  },
  onRefused: () => new WriteConflict(),
});

/** Where a file stands in the lists by key, size and status. */
export const placesOf = (file: File) => filePlaces({ ...file, size: file.content?.size ?? 0 });
/** What has it there, for each scope in which it stands. */
const orderItems = (botId: string, file: File) =>
  scopesOf(file).map(scope => fileOrderItem(botId, scope, file.id, placesOf(file)));
/** What has it in the list of shared ones by creation and update; in its own it stands by itself. */
const sharedItems = (botId: string, file: File) =>
  scopesOf(file)
    .slice(1)
    .map(scope => ({ ...sharedFileKey(botId, file.id), ...fileListing(botId, scope, file) }));

function putListings(botId: string, before: File | undefined, file: File): Write[] {
  const items = [...orderItems(botId, file), ...sharedItems(botId, file)];
  const stay = new Set(items.map(nameOf));
  const had = before ? [...orderItems(botId, before), ...sharedItems(botId, before)] : [];
  return [
    ...items.map(Item => ({ put: { Item }, onRefused: unconditional })),
    ...removals(had.filter(item => !stay.has(nameOf(item)))),
  ];
}
const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`;
const removals = (items: Key[]): Write[] =>
  items.map(({ pk, sk }) => ({ remove: { Key: { pk, sk } }, onRefused: unconditional }));

/** The entries of tags that it got; those of tags that it lost go when the stream tells of it. */
async function putTags(botId: string, before: File | undefined, file: File): Promise<Write[]> {
  const writes = await Promise.all(
    scopesOf(file).map(scope => {
      const had = tagsIn(scope, before);
      const added = Object.entries(tagsIn(scope, file)).filter(([key, value]) => had[key] !== value);
      return added.length === 0 ? [] : tagWrites(botId, taggedFile(scope, file), Object.fromEntries(added));
    }),
  );
  return writes.flat();
}

/** When something must have happened about it: its expiry, the end of its upload and of its indexing. */
const timersOf = (botId: string, before: File | undefined, after: File | undefined): Write[] => {
  const id = (after ?? before)!.id;
  return [
    ...changeTimer(fileKey(botId, id), before?.expiresAtMs, after?.expiresAtMs),
    ...changeTimer(fileUploadKey(botId, id), before?.pending?.untilMs, after?.pending?.untilMs),
    ...changeTimer(fileIndexingKey(botId, id), before?.indexing?.untilMs, after?.indexing?.untilMs),
  ];
};
const changeTimer = (about: Key, before: number | undefined, after: number | undefined): Write[] => {
  if (before === after) return [];
  return [after === undefined ? removeTimer(about) : setTimer(about, after)];
};

const difference = (before: File | undefined, after: File | undefined) => ({
  bytes: (after?.content?.size ?? 0) - (before?.content?.size ?? 0),
  vectorBytes: (after?.indexed?.vectorBytes ?? 0) - (before?.indexed?.vectorBytes ?? 0),
  n: (after?.indexed?.passages ?? 0) - (before?.indexed?.passages ?? 0),
  indexedFiles: Number(after?.indexed !== undefined) - Number(before?.indexed !== undefined),
});

/** The objects that a file needs. */
export const objectsOf = (file: Pick<File, 'content' | 'pending'> | undefined): string[] =>
  [file?.content?.object, file?.pending?.object].filter(key => key !== undefined);
/** The indexings that a file needs. */
export const indexingsOf = (file: Pick<File, 'indexed' | 'indexing'> | undefined): string[] =>
  [file?.indexed?.id, file?.indexing?.id].filter(id => id !== undefined);

/** So that the files of integrations are found when their bot goes. Comes before the first file of one. */
export async function noteScope(botId: string, scope: string): Promise<void> {
  if (scope !== BOT) await write([{ put: { Item: fileScopeKey(botId, scope) }, onRefused: unconditional }]);
}

/** Everyone who ever had files on a bot. */
export async function listScopes(botId: string): Promise<string[]> {
  const scopes = [BOT, SHARED];
  const query = {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': fileScopesPk(botId) },
    ConsistentRead: true,
  };
  for await (const { sk } of queryAll(query)) scopes.push(sk);
  return scopes;
}
