import type { UserRef } from '#shared/storage/dynamodb/chat/users.ts';

/** The end user behind a call, as named by the user key. */
export interface Caller {
  /** Internal id. */
  userId: string;
  /** The id in the user key, which answers show: a foreign id or the internal one. */
  shownId: string;
  /** The foreign id, if the key carries one (docs/api/chat.md#foreign-ids). */
  foreignId: string | undefined;
  /**
   * The life of the user that the key was issued for. Undefined for a key that the bot's owner signed, which stays
   * valid for its id (docs/api/chat.md#user-keys).
   */
  generation: string | undefined;
  /** The key as sent. */
  key: string;
}

/** The caller as a user of the repository. */
export const userOf = ({ userId, generation }: Caller): UserRef => ({ id: userId, generation });

/** Whether a record belongs to the life of the user that the caller's key was issued for. */
export const isOfCaller = ({ generation }: Caller, recordGeneration: string): boolean =>
  generation === undefined || generation === recordGeneration;
