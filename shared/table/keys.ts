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
 * | conversations of a user, newest activity first     | lists   | <bot>#<userId>              | <activity>#<conversationId> |
 * | conversations of a bot; users of a bot             | lists   | <bot>#conversations#<shard> | <id>                        |
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

import { encodeTime, shardOf } from './ids.ts';

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
export const positionOf = (sk: string) => sk.slice(TIMELINE.length);

/** Index `lists`: a user's conversations, sorted by their last activity. */
export const userConversationsPk = (botId: string, userId: string) => `${botId}#${userId}`;
export const userConversationsSk = (activity: string, conversationId: string) => `${activity}#${conversationId}`;
export const activityOf = (sk: string) => sk.slice(0, sk.indexOf('#'));

/**
 * Lists of a whole bot are split: an index partition takes 1,000 write units a second, and 16 of them 16,000, which is
 * 5,000 new conversations a second and as many updates of theirs, twice over.
 */
export const LIST_SHARDS = 16;
export type BotList = 'conversations' | 'users';
export const botListPk = (botId: string, list: BotList, shard: number) => `${botId}#${list}#${shard}`;
/** What an item of such a list carries. */
export const botListing = (botId: string, list: BotList, id: string) => ({
  listPk: botListPk(botId, list, shardOf(id, LIST_SHARDS)),
  listSk: id,
});

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
