/** Whether listeners still take part in the conversation they listen to. */
import { isParticipant, type Participant } from '#shared/storage/dynamodb/chat/participants.ts';

/**
 * False also for a user who left and joined again, or was deleted and created again.
 * @param current the record as it is now
 * @param participant the record with which the listener was authorised
 */
export const stillTakesPart = (current: Participant | undefined, participant: Participant): boolean =>
  isParticipant(current, participant, { generation: participant.userGeneration }) &&
  current?.joinedAtMs === participant.joinedAtMs;
