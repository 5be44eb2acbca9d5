import { type Write, WriteConflict, write } from '#shared/storage/dynamodb/transaction.ts';

/** Ignores conflicts: an interrupted attempt has already written the record. */
export async function writeOnce(writes: Write[]): Promise<void> {
  try {
    await write(writes);
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
  }
}
