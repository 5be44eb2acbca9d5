/**
 * Every key of the one table. Nothing else in the repository spells a key.
 *
 * | access pattern                                    | index   | pk                       | sk                        |
 * |---------------------------------------------------|---------|--------------------------|---------------------------|
 * | webhook by id (URL → tenant)                      | table   | webhook#<webhookId>      | webhook                   |
 * | user by id                                        | table   | <bot>#<userId>           | user                      |
 * | conversation by id                                | table   | <bot>#<conversationId>   | conversation              |
 * | one participant; participants of a conversation   | table   | <bot>#<conversationId>   | participant#<userId>      |
 * | one message or event; timeline of a conversation  | table   | <bot>#<conversationId>   | t#<position>              |
 * | conversations of a user, newest activity first    | lists   | <bot>#<userId>           | <activity>#<conversationId> |
 * | the kept answer of an Idempotency-Key             | table   | <bot>#once#<hash>        | once                      |
 *
 * Keys start with the tenant (the bot), so reaching across tenants is not a missing check but a missing item.
 * The webhook is the one exception: it is how a URL finds its tenant.
 */

/** The table's shape; the CDK table and the local table are both built from it. */
export const TABLE_SHAPE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Seconds since 1970; DynamoDB removes the item some time after. */
  timeToLive: 'ttl',
  indexes: {
    /** Sparse: only items that carry both attributes. Whatever is listed in an order other than its own key's. */
    lists: { partitionKey: 'listPk', sortKey: 'listSk' },
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

export const onceKey = (botId: string, hash: string): Key => ({ pk: `${botId}#once#${hash}`, sk: 'once' });

/** Splits the partition of a conversation or user back into tenant and id. */
export function splitPk(pk: string): { botId: string; id: string } {
  const at = pk.indexOf('#');
  return { botId: pk.slice(0, at), id: pk.slice(at + 1) };
}
