/**
 * Positions that messages set on a handoff: the last user message, the last read message and the last withheld message.
 */

import { decodeTime } from '#shared/core/ids.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { memberHandoffSk, unreadHandoffSk } from '#shared/storage/dynamodb/keys/chat.ts';
import { activityOf, asRead, type Handoff, isSnoozed, isUnread, keyOfHandoff, parseHandoff } from './handoffs.ts';

/**
 * Records the last user message, or that none is left. Fails with {@link WriteConflict} if the handoff has changed
 * since the read.
 */
export function recordUserMessage(botId: string, before: Handoff, position: string | undefined): Write {
  const { id, status, member, readTo = '' } = before;
  const { ConditionExpression, ExpressionAttributeValues } = asRead(before, ['version', 'userMessageTo', 'readTo']);
  const isStillUnread = isUnread({ ...before, userMessageTo: position });
  const isListed = member !== undefined && position !== undefined && position > readTo && !isSnoozed(before);
  const ofMember =
    member && !isSnoozed(before) ? memberHandoffSk(member.id, status, activityOf(before, position), id) : undefined;
  const sets = [
    ...(position === undefined ? [] : ['userMessageTo = :position']),
    ...(ofMember === undefined ? [] : ['gsi3Sk = :ofMember']),
    // The entry keeps the position of the first unread message.
    ...(isListed ? ['gsi4Sk = if_not_exists(gsi4Sk, :unread)'] : []),
  ];
  const removals = [...(isStillUnread ? [] : ['gsi4Sk']), ...(position === undefined ? ['userMessageTo'] : [])];
  return {
    update: {
      Key: keyOfHandoff(botId, before),
      UpdateExpression: [
        ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
        ...(removals.length > 0 ? [`REMOVE ${removals.join(', ')}`] : []),
      ].join(' '),
      ConditionExpression,
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ...(position === undefined ? {} : { ':position': position }),
        ...(ofMember === undefined ? {} : { ':ofMember': ofMember }),
        ...(isListed ? { ':unread': unreadHandoffSk(member.id, position, id) } : {}),
      },
    },
    onRefused: () => new WriteConflict(),
  };
}

/** Advances the read mark. Fails with {@link WriteConflict} if the handoff has changed since the read. */
export function recordRead(botId: string, before: Handoff, position: string): Write {
  const { userMessageTo = '' } = before;
  const { ConditionExpression, ExpressionAttributeValues } = asRead(before, ['version', 'userMessageTo', 'readTo']);
  return {
    update: {
      Key: keyOfHandoff(botId, before),
      UpdateExpression: `SET readTo = :position REMOVE isWoken${position < userMessageTo ? '' : ', gsi4Sk'}`,
      ConditionExpression,
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':position': position },
    },
    onRefused: () => new WriteConflict(),
  };
}

/**
 * Records a reply of the assignee, which also marks earlier messages as read. Fails unless the member is the assignee
 * of the conversation, and with {@link WriteConflict} if another reply was the first one.
 */
export const recordReply = (
  botId: string,
  handoff: Handoff,
  position: string,
  { isFirst, refusalOf }: { isFirst: boolean; refusalOf: (existing: Handoff | undefined) => Error | undefined },
): Write => ({
  update: {
    Key: keyOfHandoff(botId, handoff),
    UpdateExpression: `SET readTo = :position${isFirst ? ', firstReplyAtMs = :at' : ''} REMOVE gsi4Sk, isWoken`,
    ConditionExpression: `#status = :served AND #member.id = :member${isFirst ? ' AND attribute_not_exists(firstReplyAtMs)' : ''}`,
    ExpressionAttributeNames: { '#status': 'status', '#member': 'member' },
    ExpressionAttributeValues: {
      ':served': 'served',
      ':member': handoff.member!.id,
      ':position': position,
      ...(isFirst ? { ':at': decodeTime(position) } : {}),
    },
  },
  onRefused: item => {
    const existing = item && parseHandoff(item);
    return refusalOf(existing) ?? new WriteConflict();
  },
});

/** Records the position of a withheld message. Fails with {@link WriteConflict} if the handoff ended since the read. */
export const recordWithheld = (botId: string, handoff: Handoff, position: string): Write => ({
  update: {
    Key: keyOfHandoff(botId, handoff),
    UpdateExpression: 'SET withheldTo = :position',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(endPosition)',
    ExpressionAttributeValues: {
      ':position': handoff.withheldTo !== undefined && handoff.withheldTo > position ? handoff.withheldTo : position,
    },
  },
  onRefused: () => new WriteConflict(),
});
