import * as z from 'zod/mini';
import { chatOperation } from '#shared/api/chat/operation.ts';
import { ok } from '#shared/api/operation.ts';
import type { Entry } from '#shared/dynamodb/chat/entry.ts';
import type { Participant } from '#shared/dynamodb/chat/participants.ts';
import { appendEntry, findEntry, removeEntry } from '#shared/dynamodb/chat/timeline.ts';
import { notFound } from '#shared/errors.ts';
import { decodeTime, newPosition, parseTimelineId } from '#shared/ids.ts';

/** Allows for the difference between the clocks of two writers. */
const CLOCK_SKEW_MS = 2_000;

/** A message of a deleted user whose id the caller has since taken. Imported ones are dated by whoever imports them. */
const isOfEarlierLife = ({ position, isImported }: Entry, { userGeneration }: Participant) =>
  !isImported && decodeTime(position) < decodeTime(userGeneration) - CLOCK_SKEW_MS;

export const deleteMessage = chatOperation({
  name: 'deleteMessage',
  summary: 'Deletes a message of the caller.',
  method: 'DELETE',
  path: '/messages/{id}',
  access: {
    who: 'author',
    of: input => parseTimelineId('msg', input.id)?.conversationId,
    authorOf: (message: Entry, caller) => (isOfEarlierLife(message, caller) ? undefined : message.userId),
  },
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  read: async ({ botId, input, conversationId, participation }) => {
    const { position } = parseTimelineId('msg', input.id)!;
    const [entry, { generation }] = await Promise.all([findEntry(botId, conversationId, position), participation]);
    if (entry?.kind !== 'message' || entry.generation !== generation) throw notFound(`The message ${input.id}`);
    return entry;
  },
  handle: async ({ botId, input, participant, read: message, commit }) =>
    commit(ok({}), [
      removeEntry(botId, participant.conversationId, message.position, `The message ${input.id}`),
      appendEntry(botId, participant.conversationId, {
        kind: 'message_deleted',
        position: newPosition(),
        userId: message.userId,
        foreignUserId: message.foreignUserId,
        generation: participant.generation,
        messageId: input.id,
      }),
    ]),
});
