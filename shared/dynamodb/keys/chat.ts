import { shardOf } from '#shared/ids.ts';
import { botListPkOf, timedSk } from './lists.ts';
import type { Key } from './table.ts';

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
  gsiPk: botListPkOf(botId, 'workflows', id),
  gsi1Sk: timedSk(createdAtMs, id),
  gsi2Sk: `${status}#${timedSk(createdAtMs, id)}`,
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
  gsiPk: botListPkOf(botId, 'events', id),
  gsi1Sk: `${type}#${position}#${id}`,
  gsi2Sk: `${status}#${position}#${id}`,
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
