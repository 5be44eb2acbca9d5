import { type Write, WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';

/** Ignores conflicts: an interrupted attempt has already written the record. Returns true if this call wrote it. */
export async function writeOnce(writes: Write[]): Promise<boolean> {
  try {
    await write(writes);
    return true;
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    return false;
  }
}
