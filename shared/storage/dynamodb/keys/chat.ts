/**
 * Keys of conversations and their records.
 *
 * | access pattern                           | index      | pk                           | sk                         |
 * |------------------------------------------|------------|------------------------------|----------------------------|
 * | webhook by id (URL → tenant)             | table      | webhook#<webhook>            | webhook                    |
 * | user by id                               | table      | <bot>#<user>                 | user                       |
 * | erasure of a user in progress            | table      | <bot>#<user>                 | erasure                    |
 * | the bot's own user                       | table      | <bot>#user_self              | self                       |
 * | conversation by id                       | table      | <bot>#<conversation>         | conversation               |
 * | participants of a conversation           | table      | <bot>#<conversation>         | participant#<user>         |
 * | former participants                      | table      | <bot>#<conversation>         | former#<user>              |
 * | timeline: messages, events, changes      | table      | <bot>#<conversation>         | t#<position>               |
 * | postponed messages                       | table      | <bot>#<conversation>         | later#<position>           |
 * | presence (typing, read marks)            | table      | <bot>#<conversation>         | signals                    |
 * | members who have it open in the inbox    | table      | <bot>#<conversation>         | memberPresence             |
 * | pages that the end user visits           | table      | <bot>#<conversation>         | lastVisit                  |
 * | message of get-or-create                 | table      | <bot>#<conversation>         | claim#<hash>               |
 * | conversations of a user by creation      | gsi2       | <bot>#<user>                 | <time>#<conversation>      |
 * | conversations, users by creation; update | gsi1; gsi2 | <bot>#<list>#<shard>         | <time>#<id>                |
 * | workflow by id                           | table      | <bot>#<workflow>             | workflow                   |
 * | workflows of conversation, user, parent  | table      | <bot>#<owner>                | workflow#<time>#<id>       |
 * | workflows by creation; by status         | gsi1; gsi2 | <bot>#workflows#<shard>      | [<status>#]<time>#<id>     |
 * | workflow of get-or-create                | table      | <bot>#workflowClaims#<shard> | claim#<hash>               |
 * | event by id; events of a conversation    | table      | <bot>#<conversation>         | event#<position>[t]        |
 * | outbound message to the integration      | table      | <bot>#<conversation>         | out#<sequence>             |
 * | failed outbound messages, by time        | gsi2       | <bot>#outgoing#<shard>       | <time>#<id>                |
 * | events by time; by status                | gsi1; gsi2 | <bot>#events#<shard>         | [<status>#]<position>#<id> |
 * | state of a conversation, user, workflow  | table      | <bot>#<owner>                | state#<name>               |
 * | handoff by id; those of a conversation   | table      | <bot>#<conversation>         | handoff#<position>         |
 * | notes of a conversation                  | table      | <bot>#<conversation>         | note#<position>            |
 * | unread handoffs of a member              | gsi4       | <bot>#handoffs               | <account>#<position>#<id>  |
 * | saved replies by creation                | table      | <bot>#savedReplies           | <reply>                    |
 * | saved replies of a workspace             | table      | <workspace>#savedReplies     | <reply>                    |
 * | handoffs by last change                  | gsi1       | <bot>#handoffs               | <change>#<id>              |
 * | handoffs by status, or snoozed           | gsi2       | <bot>#handoffs               | <status>#<time>#<id>       |
 * | handoffs by start                        | gsi5       | <bot>#handoffs               | <start>#<id>               |
 * | handoffs of a member by status           | gsi3       | <bot>#handoffs               | <account>#<status>#…       |
 * | state of the bot or an installation      | table      | <bot>#states                 | state#<owner>#<name>       |
 */
import { shardOf } from '#shared/core/ids.ts';
import { botListPkOf, timedSk } from './lists.ts';
import { ANY_BOT, type Key, type Partitions } from './table.ts';

export const chatPartitions = {
  webhooks: ['webhook#*'],
  conversations: [
    `${ANY_BOT}#convo_*`,
    `${ANY_BOT}#conversations#*`,
    `${ANY_BOT}#events#*`,
    `${ANY_BOT}#outgoing#*`,
    `${ANY_BOT}#handoffs`,
  ],
  users: [`${ANY_BOT}#user_*`, `${ANY_BOT}#users#*`],
  workflows: [`${ANY_BOT}#wf_*`, `${ANY_BOT}#workflows#*`, `${ANY_BOT}#workflowClaims#*`],
  states: [`${ANY_BOT}#states`],
  savedReplies: [`${ANY_BOT}#savedReplies`, 'wkspace_*#savedReplies'],
} as const satisfies Partitions;

const TIMELINE = 't#';

const PARTICIPANT = 'participant#';

export const presenceSk = 'signals';

export const webhookSk = 'webhook';

export const webhookKey = (webhookId: string): Key => ({ pk: `webhook#${webhookId}`, sk: webhookSk });

export const userSk = 'user';

export const userKey = (botId: string, userId: string): Key => ({ pk: `${botId}#${userId}`, sk: userSk });

export const erasureSk = 'erasure';

export const erasureKey = (botId: string, userId: string): Key => ({ pk: `${botId}#${userId}`, sk: erasureSk });

export const botUserKey = (botId: string): Key => ({ pk: `${botId}#user_self`, sk: 'self' });

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

/** @param position the time-ordered part of a message's or event's id (`ids.ts`) */
export const timelineKey = (botId: string, conversationId: string, position: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: `${TIMELINE}${position}`,
});

export const timelinePrefix = TIMELINE;

export const timelineEnd = `${TIMELINE}~`;

/** Returns the position in the sort key of a timeline entry, a postponed message, an event or a table job. */
export const positionOf = (sk: string) => sk.slice(sk.indexOf('#') + 1);

/** In gsi2, by creation. The order by activity is computed on read. */
export const userConversationsPk = (botId: string, userId: string) => `${botId}#${userId}`;

export const formerPrefix = 'former#';

export const formerKey = (botId: string, conversationId: string, userId: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: `${formerPrefix}${userId}`,
});

export const presenceKey = (botId: string, conversationId: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: presenceSk,
});

export const memberPresenceSk = 'memberPresence';

export const memberPresenceKey = (botId: string, conversationId: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: memberPresenceSk,
});

/** Sorts before the timeline, up to whose end the sweep of a conversation deletes. */
export const visitSk = 'lastVisit';

export const visitKey = (botId: string, conversationId: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: visitSk,
});

export const isSignalKey = (sk: string) => sk.startsWith(TIMELINE) || sk === presenceSk;

export const workflowKey = (botId: string, workflowId: string): Key => ({
  pk: `${botId}#${workflowId}`,
  sk: workflowSk,
});

export const workflowSk = 'workflow';

export const workflowListing = (
  botId: string,
  { id, createdAtMs, status }: { id: string; createdAtMs: number; status: string },
) => ({
  gsiPk: botListPkOf(botId, 'workflows', id),
  gsi1Sk: timedSk(createdAtMs, id),
  gsi2Sk: `${status}#${timedSk(createdAtMs, id)}`,
});

export const workflowOfPrefix = 'workflow#';

export const workflowOfKey = (botId: string, ownerId: string, createdAtMs: number, workflowId: string): Key => ({
  pk: `${botId}#${ownerId}`,
  sk: `${workflowOfPrefix}${timedSk(createdAtMs, workflowId)}`,
});

export const eventPrefix = 'event#';

/** @param conversationId from the event's id @param isSaid true if the event has the position of a timeline entry */
export const eventKey = (botId: string, conversationId: string, position: string, isSaid: boolean): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: `${eventPrefix}${position}${isSaid ? 't' : ''}`,
});

/** Processed events are not listed by status, because a move within an index costs two writes. */
export const eventListing = (
  botId: string,
  { id, position, status }: { id: string; position: string; status: string },
) => ({
  gsiPk: botListPkOf(botId, 'events', id),
  gsi1Sk: `${position}#${id}`,
  ...(status === LISTED_BY_TIME ? {} : { gsi2Sk: `${status}#${position}#${id}` }),
});

export const outgoingPrefix = 'out#';

export const outgoingKey = (botId: string, conversationId: string, sequence: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: `${outgoingPrefix}${sequence}`,
});

/** Returns index attributes, which only failed records have. */
export const outgoingListing = (botId: string, { id, createdAtMs }: { id: string; createdAtMs: number }) => ({
  gsiPk: botListPkOf(botId, 'outgoing', id),
  gsi2Sk: timedSk(createdAtMs, id),
});

export const LISTED_BY_TIME = 'processed';

export const handoffPrefix = 'handoff#';

export const handoffKey = (botId: string, conversationId: string, position: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: `${handoffPrefix}${position}`,
});

/** @param owner a bot or a workspace */
export const savedRepliesPk = (owner: string) => `${owner}#savedReplies`;

export const savedReplyKey = (owner: string, id: string): Key => ({ pk: savedRepliesPk(owner), sk: id });

export const notePrefix = 'note#';

export const noteKey = (botId: string, conversationId: string, position: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: `${notePrefix}${position}`,
});

/** One partition suffices: it takes 200 changes per second, and people cause the writes. */
export const handoffsPk = (botId: string) => `${botId}#handoffs`;

export const unreadHandoffSk = (memberId: string, position: string, id: string) => `${memberId}#${position}#${id}`;

/** @param position its last change or, while it is assigned, a later message of a user */
export const memberHandoffSk = (memberId: string, status: string, position: string, id: string) =>
  `${memberId}#${status}#${position}#${id}`;

interface ListedHandoff {
  id: string;
  /** `snoozed` instead of the status while the handoff is snoozed. */
  status: string;
  start: string;
  /** Precedes the start in the queue. */
  rank: string;
  /** Time-ordered text of the end of the snooze. */
  snoozedUntil?: string | undefined;
  change: string;
  /** Position of the last change or user message. */
  activity: string;
  memberId?: string | undefined;
  unread?: string | undefined;
}

/**
 * The queue is sorted by priority and start, so that a conversation that returns to it keeps its place. Snoozed
 * handoffs are sorted by the end of the snooze.
 */
export const handoffListing = (
  botId: string,
  { id, status, start, rank, snoozedUntil, change, activity, memberId, unread }: ListedHandoff,
) => ({
  gsiPk: handoffsPk(botId),
  gsi1Sk: `${change}#${id}`,
  gsi5Sk: `${start}#${id}`,
  gsi2Sk: `${status}#${snoozedUntil ?? (status === 'waiting' ? rank + start : change)}#${id}`,
  ...(memberId === undefined
    ? {}
    : {
        gsi3Sk: memberHandoffSk(memberId, status, snoozedUntil ?? (status === 'served' ? activity : change), id),
      }),
  ...(memberId === undefined || unread === undefined ? {} : { gsi4Sk: unreadHandoffSk(memberId, unread, id) }),
});

export const stateKey = (botId: string, type: string, ownerId: string, name: string): Key => {
  const isBots = type === 'bot' || type === 'integration';
  return {
    pk: isBots ? statesPk(botId) : `${botId}#${ownerId}`,
    sk: `${statePrefix}${isBots ? `${ownerId}#` : ''}${name}`,
  };
};

export const statePrefix = 'state#';

export const statesOfPrefix = (ownerId: string) => `${statePrefix}${ownerId && `${ownerId}#`}`;

export const statesPk = (botId: string) => `${botId}#states`;

export const laterKey = (botId: string, conversationId: string, position: string): Key => ({
  pk: conversationPk(botId, conversationId),
  sk: `${laterPrefix}${position}`,
});

export const laterPrefix = 'later#';

/** Points to the message of get-or-create, because its id cannot be derived from the tags. */
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

export const workflowClaimPartitions = (botId: string) =>
  Array.from({ length: CLAIM_SHARDS }, (_, shard) => workflowClaimPk(botId, shard));
