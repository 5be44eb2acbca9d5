import { isParticipant, type Participant } from '#shared/storage/dynamodb/chat/participants.ts';

/** Returns false for a removed listener, including one that joined or was created again. */
export const isStillParticipant = (current: Participant | undefined, participant: Participant): boolean =>
  isParticipant(current, participant, { generation: participant.userGeneration }) &&
  current?.joinedAtMs === participant.joinedAtMs;
