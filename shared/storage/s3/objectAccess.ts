/** Access of an operation or consumer to the object store, by prefix. Its role grants no other objects. */
export type ObjectPrefix =
  | 'values'
  | 'assets'
  | 'bodies'
  | 'files'
  | 'uploads'
  | 'deadLetters'
  | 'snapshots'
  | 'exports';

export interface ObjectAccess {
  reads?: readonly ObjectPrefix[];
  /** A presigned upload has the permissions of its signer. */
  writes?: readonly ObjectPrefix[];
  /** Writes after a stage, so that a sweep removes objects without a record (`stagedObjects.ts`). */
  stages?: readonly ObjectPrefix[];
  /** Writes large objects in parts. */
  inParts?: true;
  deletes?: readonly ObjectPrefix[];
}
