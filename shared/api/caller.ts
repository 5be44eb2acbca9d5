import type { UserRef } from '#shared/storage/dynamodb/chat/users.ts';

export interface Caller {
  userId: string;
  /** The id in the user key and in responses: a foreign or the internal id. */
  shownId: string;
  foreignId: string | undefined;
  generation: string | undefined;
  key: string;
  /** The end of the key's validity, which may be infinite. */
  expiresAtMs: number;
  claims: KeyClaims;
}

/** What decides whether a key with a valid signature is accepted. */
export interface KeyClaims {
  id: string;
  /** True for a key that Parley signed. */
  isDerived: boolean;
  generation?: string | undefined;
  idBy?: string | undefined;
}

export const userOf = ({ userId, generation }: Caller): UserRef => ({ id: userId, generation });

/** Returns false for records of an earlier, deleted user with the same id. */
export const isOfCaller = ({ generation }: Caller, recordGeneration: string): boolean =>
  generation === undefined || generation === recordGeneration;
