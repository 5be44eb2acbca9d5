/**
 * Every key of the one table. Nothing else in the repository spells a key.
 *
 * | access pattern                                     | index   | pk                          | sk                          |
 * |----------------------------------------------------|---------|-----------------------------|-----------------------------|
 * | webhook by id (URL → tenant)                       | table   | webhook#<webhookId>         | webhook                     |
 * | user by id                                         | table   | <bot>#<userId>              | user                        |
 * | conversation by id                                 | table   | <bot>#<conversationId>      | conversation                |
 * | one participant; participants of a conversation    | table   | <bot>#<conversationId>      | participant#<userId>        |
 * | one message or event; timeline of a conversation   | table   | <bot>#<conversationId>      | t#<position>                |
 * | conversations of a user by activity, by creation   | lists, updates | <bot>#<userId>       | <time>#<conversationId>     |
 * | who once took part in a conversation               | table   | <bot>#<conversationId>      | former#<userId>             |
 * | who types in a conversation, and has read how far  | table   | <bot>#<conversationId>      | signals                     |
 * | conversations, users, workflows by creation, update | lists, updates | <bot>#users#<shard> | <time>#<id>                 |
 * | workflow by id; children of one, workflows of a conversation or user | table | <bot>#<id>  | workflow; workflow#<id>     |
 * | workflows by status                                | updates | <bot>#workflows#<shard>     | <status>#<time>#<id>        |
 * | event by id; events of a conversation              | table   | <bot>#<conversationId>      | event#<position>            |
 * | events of a bot by type; by status                 | lists, updates | <bot>#events#<shard> | <type or status>#<position>#<id> |
 * | state of a conversation, user or workflow          | table   | <bot>#<id>                  | state#<name>                |
 * | state of the bot, or an integration on it          | table   | <bot>#states                | state#<id>#<name>           |
 * | message to be said later                           | table   | <bot>#<conversationId>      | later#<position>            |
 * | records with a tag, by creation                    | table   | <bot>#tag#<hash>#<shard>    | <time>#<id>                 |
 * | whether a tag's value was ever used; values of a tag | table; lists | <bot>#tag#<hash>; <bot>#tagValues#<shard> | value; <kind>#<key> <value> |
 * | the message that get-or-create made                | table   | <bot>#<conversationId>      | claim#<hash>                |
 * | the workflow that get-or-create made               | table   | <bot>#workflowClaims#<shard> | claim#<hash>               |
 * | file by id, its listing among shared ones          | table   | <bot>#<fileId>              | file; shared                |
 * | passages of a file, as of one indexing             | table   | <bot>#<fileId>              | passage#<indexing>#<number> |
 * | files by creation, by update                       | lists, updates | <bot>#files@<scope>#<shard> | <time>#<id>          |
 * | files by key; by size, by status                   | table; lists, updates | <bot>#fileOrders@<scope>#<shard> | <key, size or status>#<id> |
 * | names of the tags of files                         | table   | <bot>#tagNames#<kind>       | name#<name>                 |
 * | what a bot's files and rows come to                | table   | <bot>#totals            | totals                      |
 * | the integrations that ever had files on a bot      | table   | <bot>#fileScopes            | <scope>                     |
 * | knowledge bases by creation                        | table   | <bot>#knowledgeBases@<scope> | <id>                       |
 * | the files in which a term stands                   | table   | <bot>#term#<term>           | <fileId>#<indexing>         |
 * | table by id; the last row id it gave; how many rows it has; its jobs | table | <bot>#<tableId> | table; ids; counts; job#<position> |
 * | tables of a bot by name                            | table   | <bot>#tables                | <name>                      |
 * | row by id; rows of a table in parts                | table   | <bot>#<tableId>#rows#<part> | row#<id>                    |
 * | row by the value of a column                       | table   | <bot>#<tableId>#keys#<shard> | <column>#<hash>            |
 * | what is due, soonest first                         | lists   | due#<shard>                 | <time>#<pk>#<sk>            |
 * | the kept answer of an Idempotency-Key              | table   | <tenant>#once#<shard>       | <hash>                      |
 * | bot by id; its definition                          | table   | <bot>#bot                   | bot; definition             |
 * | bots of a workspace by creation, by update         | lists, updates | <workspace>#bots     | <time>#<bot>                |
 * | bots of a workspace that are being deleted         | lists   | <workspace>#endingBots      | <time>#<bot>                |
 * | analytics of a bot, a day at a time                | table   | <bot>#analytics             | <day>#<shard>               |
 * | log of a bot or integration, a day at a time       | table   | <bot>#log#<day>             | <position>                  |
 * | integration by id; its definition                  | table   | <integration>#integration   | integration; definition     |
 * | integrations of a workspace by creation, by update | lists, updates | <workspace>#integrations | <time>#<integration>    |
 * | integration by name and version                    | table   | <workspace>#names           | <name>#<version>            |
 * | token by value; tokens of an account, bot or integration | table | as their owner's       | token#<hash>                |
 * | account by id                                      | table   | account#<account>           | account                     |
 * | preference of an account or a workspace            | table   | as their owner's            | preference#<key>            |
 * | workspace by id                                    | table   | <workspace>#workspace       | workspace                   |
 * | one member; members of a workspace                 | table   | <workspace>#workspace       | member#<memberId>           |
 * | what a workspace has of something, and its quota   | table   | <workspace>#workspace       | level#<type>                |
 * | how that changed, by month and bot                 | table   | <workspace>#usage           | <type>#<month>#<bot>#<shard> |
 * | audit records, newest first                        | table   | <workspace>#audit           | <position>                  |
 * | workspace by handle                                | table   | handle#<handle>             | handle                      |
 * | what `npm run bootstrap` made for an email         | table   | bootstrap#<email>           | account; workspace#<name>   |
 *
 * Keys start with the tenant (the bot, the integration, the workspace, the account), so reaching across tenants is not a
 * missing check but a missing item. The exceptions are what leads to a tenant: webhooks, handles, the bootstrap.
 */

import { encodeTime, shardOf } from '#shared/ids.ts';

/** The table's shape; the CDK table and the local table are both built from it. */
export const TABLE_SHAPE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Seconds since 1970; DynamoDB removes the item some time after. */
  timeToLive: 'ttl',
  indexes: {
    /** Sparse: only items that carry both attributes. Whatever is listed in an order other than its own key's. */
    lists: { partitionKey: 'listPk', sortKey: 'listSk' },
    /** The same lists, by another order. */
    updates: { partitionKey: 'listPk', sortKey: 'updateSk' },
  },
} as const;

export type Key = { pk: string; sk: string };

const TIMELINE = 't#';
const PARTICIPANT = 'participant#';

export const webhookKey = (webhookId: string): Key => ({ pk: `webhook#${webhookId}`, sk: 'webhook' });

export const userSk = 'user';
export const userKey = (botId: string, userId: string): Key => ({ pk: `${botId}#${userId}`, sk: userSk });

export const conversationPk = (botId: string, conversationId: string) => `${botId}#${conversationId}`;

export const conversationSk = 'conversation';
export const conversationKey = (botId: string, conversationId: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: conversationSk,
});

export const participantKey = (botId: string, conversationId: string, userId: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: `${PARTICIPANT}${userId}`,
});
export const participantPrefix = PARTICIPANT;
export const isParticipantKey = (sk: string) => sk.startsWith(PARTICIPANT);

/** @param position the time-ordered part of a message's or event's id, see `ids.ts` */
export const timelineKey = (botId: string, conversationId: string, position: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: `${TIMELINE}${position}`,
});
export const timelinePrefix = TIMELINE;
/** Behind every position. */
export const timelineEnd = `${TIMELINE}~`;
export const isTimelineKey = (sk: string) => sk.startsWith(TIMELINE);
/** Also of a message that is to be said later, or an event. */
export const positionOf = (sk: string) => sk.slice(sk.indexOf('#') + 1);

/** A user's conversations: in index `lists` by their last activity, in `updates` by their creation. */
export const userConversationsPk = (botId: string, userId: string) => `${botId}#${userId}`;
/** A place in a list in order of time, of which there is only one. */
export const timedSk = (ms: number, id: string) => `${encodeTime(ms)}#${id}`;
export const activityOf = (sk: string) => sk.slice(0, sk.indexOf('#'));

export const formerPrefix = 'former#';
/** Left behind by a participant who is none any more. */
export const formerKey = (botId: string, conversationId: string, userId: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: `${formerPrefix}${userId}`,
});

/** What the participants of a conversation show each other right now. */
export const presenceKey = (botId: string, conversationId: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: 'signals',
});

/**
 * Lists of a whole bot are split by a hash of the id, because an index partition takes 1,000 write units a second. A bot
 * that creates 5,000 conversations a second, each an item of up to 1 KB, writes 5,000 / 16 = 313 of them a second to each
 * partition of `lists`, and as many to each of `updates`; the first activity moves each in `updates` once, which is a
 * removal and an insertion: 3 × 313 = 939. `test/shared/shards.test.ts` measures how evenly the ids spread.
 */
export const LIST_SHARDS = 16;
export type BotList =
  | 'conversations'
  | 'users'
  | 'workflows'
  | 'events'
  | 'tagValues'
  | `files@${string}`
  | `fileOrders@${string}`;
export const botListPk = (botId: string, list: BotList, shard: number) => `${botId}#${list}#${shard}`;
/** The list's part in which an item with this id stands. */
const botListPkOf = (botId: string, list: BotList, id: string) => botListPk(botId, list, shardOf(id, LIST_SHARDS));
/** What an item of a list in order of creation and of update carries. */
export const botListing = (
  botId: string,
  list: 'conversations' | 'users',
  { id, createdAtMs, updatedAtMs }: { id: string; createdAtMs: number; updatedAtMs: number },
) => ({
  listPk: botListPkOf(botId, list, id),
  listSk: timedSk(createdAtMs, id),
  updateSk: timedSk(updatedAtMs, id),
});

export const workflowKey = (botId: string, workflowId: string): Key => ({
  pk: `${botId}#${workflowId}`,
  sk: workflowSk,
});
export const workflowSk = 'workflow';
/** The list of workflows is sorted by status in the second index. */
export const workflowListing = (
  botId: string,
  { id, createdAtMs, status }: { id: string; createdAtMs: number; status: string },
) => ({
  listPk: botListPkOf(botId, 'workflows', id),
  listSk: timedSk(createdAtMs, id),
  updateSk: `${status}#${timedSk(createdAtMs, id)}`,
});
export const workflowOfPrefix = 'workflow#';
/** Stands with the conversation, user or parent that a workflow belongs to. */
export const workflowOfKey = (botId: string, ownerId: string, createdAtMs: number, workflowId: string): Key => ({
  pk: `${botId}#${ownerId}`,
  sk: `${workflowOfPrefix}${timedSk(createdAtMs, workflowId)}`,
});

export const eventPrefix = 'event#';
/**
 * @param conversationId of the event's id: it may be of no conversation, and then it has the partition to itself
 * @param isSaid it has the position of the entry of the timeline that it is about
 */
export const eventKey = (botId: string, conversationId: string, position: string, isSaid: boolean): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: `${eventPrefix}${position}${isSaid ? 't' : ''}`,
});
export const isEventKey = (sk: string) => sk.startsWith(eventPrefix);
/** The list of events is sorted by type in the first index, and by status in the second. */
export const eventListing = (
  botId: string,
  { id, position, status, type }: { id: string; position: string; status: string; type: string },
) => ({
  listPk: botListPkOf(botId, 'events', id),
  listSk: `${type}#${position}#${id}`,
  updateSk: `${status}#${position}#${id}`,
});

/** @param ownerId the conversation, user or workflow that the state is of; the bot itself, or an installation */
export const stateKey = (botId: string, type: string, ownerId: string, name: string): Key => {
  const isBots = type === 'bot' || type === 'integration';
  return {
    pk: isBots ? statesPk(botId) : `${botId}#${ownerId}`,
    sk: `${statePrefix}${isBots ? `${ownerId}#` : ''}${name}`,
  };
};
export const statePrefix = 'state#';
export const statesPk = (botId: string) => `${botId}#states`;

/** A message that is to be said at the time of its position. */
export const laterKey = (botId: string, conversationId: string, position: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: `${laterPrefix}${position}`,
});
export const laterPrefix = 'later#';

export const TAG_SHARDS = 16;
/** Records with a tag are split like the lists of a bot: a value may be that of all of them. */
export const tagListPk = (botId: string, hash: string, shard: number) => `${botId}#tag#${hash}#${shard}`;
export const tagEntryKey = (botId: string, hash: string, shardBy: string, sortKey: string): Key => ({
  pk: tagListPk(botId, hash, shardOf(shardBy, TAG_SHARDS)),
  sk: sortKey,
});
export const tagValueKey = (botId: string, hash: string): Key => ({ pk: `${botId}#tag#${hash}`, sk: 'value' });
/** A tag's name may have anything in it but a space. */
export const tagValuesSk = (kind: string, key: string, valueStart: string) => `${kind}#${key} ${valueStart}`;
/** @param valueStart of the value, as much as fits into a key, so that values are in order */
export const tagValueListing = (botId: string, hash: string, kind: string, key: string, valueStart: string) => ({
  listPk: botListPkOf(botId, 'tagValues', hash),
  listSk: `${tagValuesSk(kind, key, valueStart)}#${hash}`,
});

/** What get-or-create made for some tags, where an id cannot be computed from them. */
export const messageClaimKey = (botId: string, conversationId: string, hash: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: `claim#${hash}`,
});
const CLAIM_SHARDS = 64;
const workflowClaimPk = (botId: string, shard: number) => `${botId}#workflowClaims#${shard}`;
export const workflowClaimKey = (botId: string, hash: string): Key => ({
  pk: workflowClaimPk(botId, shardOf(hash, CLAIM_SHARDS)),
  sk: `claim#${hash}`,
});
/** So that they can be found when their bot goes. */
export const workflowClaimPartitions = (botId: string) =>
  Array.from({ length: CLAIM_SHARDS }, (_, shard) => workflowClaimPk(botId, shard));

export const fileSk = 'file';
export const filePk = (botId: string, fileId: string) => `${botId}#${fileId}`;
export const fileKey = (botId: string, fileId: string): Key => ({ pk: filePk(botId, fileId), sk: fileSk });
/** Under these a file's upload and indexing are due to have come to an end: there are no such items, only their due ones. */
export const fileUploadSk = 'upload';
export const fileUploadKey = (botId: string, fileId: string): Key => ({ pk: filePk(botId, fileId), sk: fileUploadSk });
export const fileIndexingSk = 'indexing';
export const fileIndexingKey = (botId: string, fileId: string): Key => ({
  pk: filePk(botId, fileId),
  sk: fileIndexingSk,
});
/** Stands beside a file that integrations may see, so that it is in their list too. */
export const sharedFileKey = (botId: string, fileId: string): Key => ({ pk: filePk(botId, fileId), sk: 'shared' });
/** What an item in a list of files carries. @param scope whose files they are: see `files/scope.ts` */
export const fileListing = (
  botId: string,
  scope: string,
  { id, createdAtMs, updatedAtMs }: { id: string; createdAtMs: number; updatedAtMs: number },
) => ({
  listPk: botListPkOf(botId, `files@${scope}`, id),
  listSk: timedSk(createdAtMs, id),
  updateSk: timedSk(updatedAtMs, id),
});
const SIZE_DIGITS = 13;
/** A key of a thousand bytes does not fit whole: files whose keys start alike for so long are in order of their ids. */
const KEY_START_BYTES = 900;
/** Where a file stands in the lists by key, by size and by status. */
export const filePlaces = ({ id, key, size, status }: { id: string; key: string; size: number; status: string }) => ({
  key: `${startOfBytes(key, KEY_START_BYTES)}#${id}`,
  size: `${String(size).padStart(SIZE_DIGITS, '0')}#${id}`,
  status: `${status}#${id}`,
});
/** The whole item that has a file in these lists. */
export const fileOrderItem = (botId: string, scope: string, id: string, places: ReturnType<typeof filePlaces>) => {
  const pk = botListPkOf(botId, `fileOrders@${scope}`, id);
  return { pk, sk: places.key, listPk: pk, listSk: places.size, updateSk: places.status };
};
/** The id at the end of a place in any list of files. */
export const fileIdOfPlace = (sortKey: string) => sortKey.slice(sortKey.lastIndexOf('#') + 1);
/** As much of a text as so many bytes of UTF-8 hold, and no half characters. */
const startOfBytes = (text: string, bytes: number) => {
  if (text.length * 3 <= bytes) return text;
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
};
export const passagesPrefix = 'passage#';
export const passagePrefix = (indexingId: string) => `${passagesPrefix}${indexingId}#`;
const passageSk = (indexingId: string, number: number) =>
  `${passagePrefix(indexingId)}${String(number).padStart(6, '0')}`;
export const passageKey = (botId: string, fileId: string, indexingId: string, number: number): Key => ({
  pk: filePk(botId, fileId),
  sk: passageSk(indexingId, number),
});
export const tagNamesPk = (botId: string, kind: string) => `${botId}#tagNames#${kind}`;
/** A prefix, so that no tag is called like the key of a record. */
export const tagNamePrefix = 'name#';
export const tagNameKey = (botId: string, kind: string, name: string): Key => ({
  pk: tagNamesPk(botId, kind),
  sk: `${tagNamePrefix}${name}`,
});
export const botTotalsPk = (botId: string) => `${botId}#totals`;
/** Also how many passages there are: `n`. */
export const botTotalsKey = (botId: string): Key => ({ pk: botTotalsPk(botId), sk: 'totals' });
export const fileScopesPk = (botId: string) => `${botId}#fileScopes`;
export const fileScopeKey = (botId: string, scope: string): Key => ({ pk: fileScopesPk(botId), sk: scope });
export const knowledgeBasesPk = (botId: string, scope: string) => `${botId}#knowledgeBases@${scope}`;
export const knowledgeBaseKey = (botId: string, scope: string, id: string): Key => ({
  pk: knowledgeBasesPk(botId, scope),
  sk: id,
});

/** Where a term stands in the passages of a file, as of one indexing of it. @param term at most 40 characters */
export const termPk = (botId: string, term: string) => `${botId}#term#${term}`;
export const termKey = (botId: string, term: string, fileId: string, indexingId: string): Key => ({
  pk: termPk(botId, term),
  sk: `${fileId}#${indexingId}`,
});
/** @returns which file's, and of which indexing */
export const splitTermSk = (sk: string) => {
  const [fileId, indexingId] = sk.split('#') as [string, string];
  return { fileId, indexingId };
};

/** What is due has no tenant's list, because one look is for all. Split, since an index partition takes 1,000 writes a second. */
/** A table that a bot keeps, not the one of this file. */
export const tableSk = 'table';
export const tablePk = (botId: string, tableId: string) => `${botId}#${tableId}`;
export const tableKey = (botId: string, tableId: string): Key => ({ pk: tablePk(botId, tableId), sk: tableSk });
export const tableIdsKey = (botId: string, tableId: string): Key => ({ pk: tablePk(botId, tableId), sk: 'ids' });
export const tableCountsKey = (botId: string, tableId: string): Key => ({ pk: tablePk(botId, tableId), sk: 'counts' });
export const tableJobPrefix = 'job#';
export const tableJobKey = (botId: string, tableId: string, position: string): Key => ({
  pk: tablePk(botId, tableId),
  sk: `${tableJobPrefix}${position}`,
});
export const tableNamesPk = (botId: string) => `${botId}#tables`;
export const tableNameKey = (botId: string, name: string): Key => ({ pk: tableNamesPk(botId), sk: name });

/**
 * Rows stand in parts, so that a large table is read and written in parallel: the first thousand ids in one, which is all
 * that a small table has, and the others in turn, 64 at a time. A part takes 1,000 writes a second.
 */
export const ROW_PARTS = 16;
const FIRST_PART_IDS = 1024;
export const PART_RUN = 64;
export const rowPartOf = (id: number) => (id < FIRST_PART_IDS ? 0 : 1 + (Math.floor(id / PART_RUN) % (ROW_PARTS - 1)));
/** The ids from and to which a part has rows. */
export const idsOfPart = (part: number) =>
  part === 0 ? { first: 1, last: FIRST_PART_IDS - 1 } : { first: FIRST_PART_IDS, last: Number.POSITIVE_INFINITY };
/** The parts in which rows up to an id stand. */
export const rowPartsUpTo = (lastId: number) =>
  Array.from({ length: lastId < FIRST_PART_IDS ? 1 : ROW_PARTS }, (_, part) => part);
export const rowsPk = (botId: string, tableId: string, part: number) => `${botId}#${tableId}#rows#${part}`;
export const rowPrefix = 'row#';
export const rowSk = (id: number) => `${rowPrefix}${String(id).padStart(10, '0')}`;
export const rowKey = (botId: string, tableId: string, id: number): Key => ({
  pk: rowsPk(botId, tableId, rowPartOf(id)),
  sk: rowSk(id),
});
export const idOfRowSk = (sk: string) => Number(sk.slice(rowPrefix.length));
/** Takes the partition of a row apart. */
export const splitRowsPk = (pk: string) => {
  const [botId, tableId, , part] = pk.split('#') as [string, string, string, string];
  return { botId, tableId, part: Number(part) };
};

const UNIQUE_KEY_SHARDS = 16;
const uniqueKeysPk = (botId: string, tableId: string, shard: number) => `${botId}#${tableId}#keys#${shard}`;
/** @param column the id of the column @param hash of the value */
export const uniqueKeyKey = (botId: string, tableId: string, column: string, hash: string): Key => ({
  pk: uniqueKeysPk(botId, tableId, shardOf(hash, UNIQUE_KEY_SHARDS)),
  sk: `${column}#${hash}`,
});
export const uniqueKeyPartitions = (botId: string, tableId: string) =>
  Array.from({ length: UNIQUE_KEY_SHARDS }, (_, shard) => uniqueKeysPk(botId, tableId, shard));

export const TIMER_SHARDS = 16;
export const timerListPk = (shard: number) => `due#${shard}`;
/** What the item that waits for its time carries; it is `later#…` or `due#…`, beside what it is about. */
export const timerListing = (dueMs: number, { pk, sk }: Key) => ({
  listPk: timerListPk(shardOf(pk, TIMER_SHARDS)),
  listSk: `${encodeTime(dueMs)}#${pk}#${sk}`,
});
export const timerPrefix = 'due#';
/** The marker that something with this key is due some time. */
export const timerKey = ({ pk, sk }: Key): Key => ({ pk, sk: `${timerPrefix}${sk}` });

/** Kept answers are split likewise, so that they can be found when their tenant goes. */
export const oncePk = (tenant: string, shard: number) => `${tenant}#once#${shard}`;
export const ONCE_SHARDS = 64;
export const onceKey = (tenant: string, hash: string): Key => ({
  pk: oncePk(tenant, shardOf(hash, ONCE_SHARDS)),
  sk: hash,
});

export const botPk = (botId: string) => `${botId}#bot`;
export const botSk = 'bot';
export const botKey = (botId: string): Key => ({ pk: botPk(botId), sk: botSk });
export const integrationPk = (integrationId: string) => `${integrationId}#integration`;
export const integrationSk = 'integration';
export const integrationKey = (integrationId: string): Key => ({
  pk: integrationPk(integrationId),
  sk: integrationSk,
});
/** What a bot or integration declares, beside what is read of it all the time. */
export const definitionKey = (pk: string): Key => ({ pk, sk: 'definition' });
export const integrationNameKey = (workspaceId: string, name: string, version: string): Key => ({
  pk: `${workspaceId}#names`,
  sk: `${name}#${version}`,
});

export type WorkspaceList = 'bots' | 'endingBots' | 'integrations';
export const workspaceListPk = (workspaceId: string, list: WorkspaceList) => `${workspaceId}#${list}`;
/** What an item of a workspace's list carries. */
export const workspaceListing = (
  workspaceId: string,
  list: WorkspaceList,
  { id, createdAtMs, updatedAtMs }: { id: string; createdAtMs: number; updatedAtMs: number },
) => ({
  listPk: workspaceListPk(workspaceId, list),
  listSk: `${encodeTime(createdAtMs)}#${id}`,
  updateSk: `${encodeTime(updatedAtMs)}#${id}`,
});

const ANALYTICS_SHARDS = 16;
export const analyticsPk = (botId: string) => `${botId}#analytics`;
/** @param of what the count is about: it says which of the day's counters is used */
export const analyticsKey = (botId: string, day: string, of: string): Key => ({
  pk: analyticsPk(botId),
  sk: `${day}#${shardOf(of, ANALYTICS_SHARDS)}`,
});
/** The last key of a day. */
export const analyticsEnd = (day: string) => `${day}#~`;
/** `2026-11-20` */
export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
export const dayOfAnalytics = (sk: string) => sk.slice(0, 10);

/** @param tenant a bot or an integration */
export const logPk = (tenant: string, day: string) => `${tenant}#log#${day}`;

export const accountPk = (accountId: string) => `account#${accountId}`;
export const accountKey = (accountId: string): Key => ({ pk: accountPk(accountId), sk: 'account' });

/** @param pk the owner's partition */
export const tokenKey = (pk: string, hash: string): Key => ({ pk, sk: `${tokenPrefix}${hash.slice(0, 16)}` });
export const tokenPrefix = 'token#';
export const preferenceKey = (pk: string, key: string): Key => ({ pk, sk: `preference#${key}` });

export const workspacePk = (workspaceId: string) => `${workspaceId}#workspace`;
export const workspaceSk = 'workspace';
export const workspaceKey = (workspaceId: string): Key => ({ pk: workspacePk(workspaceId), sk: workspaceSk });
export const memberPrefix = 'member#';
export const memberKey = (workspaceId: string, memberId: string): Key => ({
  pk: workspacePk(workspaceId),
  sk: `${memberPrefix}${memberId}`,
});
export const levelPrefix = 'level#';
export const levelKey = (workspaceId: string, type: string): Key => ({
  pk: workspacePk(workspaceId),
  sk: `${levelPrefix}${type}`,
});

const USAGE_SHARDS = 8;
export const usagePk = (workspaceId: string) => `${workspaceId}#usage`;
/** @param botId whose change it is, or `-` for the workspace's own; @param of like {@link analyticsKey} */
export const usageKey = (workspaceId: string, type: string, month: string, botId: string, of: string): Key => ({
  pk: usagePk(workspaceId),
  sk: `${type}#${month}#${botId}#${shardOf(of, USAGE_SHARDS)}`,
});
export const usagePrefix = (type: string) => `${type}#`;
export const splitUsageSk = (sk: string) => {
  const [type, month, botId] = sk.split('#') as [string, string, string];
  return { type, month, botId };
};
/** `2026-11` */
export const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);

export const auditPk = (workspaceId: string) => `${workspaceId}#audit`;
export const auditKey = (workspaceId: string, position: string): Key => ({ pk: auditPk(workspaceId), sk: position });
export const handleKey = (handle: string): Key => ({ pk: `handle#${handle}`, sk: 'handle' });
export const bootstrapKey = (email: string, workspaceName?: string): Key => ({
  pk: `bootstrap#${email.toLowerCase()}`,
  sk: workspaceName === undefined ? 'account' : `workspace#${workspaceName}`,
});

/** Splits the partition of a conversation or user back into tenant and id. */
export function splitPk(pk: string): { botId: string; id: string } {
  const at = pk.indexOf('#');
  return { botId: pk.slice(0, at), id: pk.slice(at + 1) };
}
