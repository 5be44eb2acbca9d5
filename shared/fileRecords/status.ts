/** How a file goes from one status to the next: data only, written by whoever asks. */

import type { File } from '#shared/dynamodb/files/files.ts';
import { randomText } from '#shared/ids.ts';
import { INDEXABLE_LIMIT_MB } from '#shared/passage.ts';

/** The file as it is changed: what the record keeps by itself is left out. */
export type Changed = Omit<File, 'version' | 'updatedAtMs'>;

/** A signed URL is checked when an upload begins; so long it may then take. */
export const UPLOAD_SECONDS = 3600;
const UPLOAD_MS = 2 * UPLOAD_SECONDS * 1000;
/** Longer than all attempts together take. */
const INDEXING_MS = 3600_000;

/** A new upload was announced. What can be read stays until it has arrived. */
export const announced = (
  file: Changed,
  pending: Omit<NonNullable<File['pending']>, 'untilMs'>,
  nowMs: number,
): Changed => ({
  ...file,
  status: 'upload_pending',
  reason: undefined,
  contentType: pending.contentType,
  pending: { ...pending, untilMs: nowMs + UPLOAD_MS },
});

/** What was announced has arrived. */
export const arrived = (file: File, nowMs: number): Changed => {
  const { object, size, contentType } = file.pending!;
  const uploaded: Changed = { ...file, content: { object, size, contentType }, pending: undefined, reason: undefined };
  return file.index ? toBeIndexed(uploaded, nowMs) : { ...uploaded, status: 'upload_completed' };
};

/** The upload failed. What could be read before still can. */
export const uploadFailed = (file: File, reason: string): Changed => ({
  ...file,
  status: 'upload_failed',
  reason,
  pending: undefined,
});

/** Its content, or passages that were given, are to be indexed. What is searched stays until that is done. */
export const toBeIndexed = (file: Changed, nowMs: number, given?: { id: string }): Changed => {
  if (!given && file.content!.size > INDEXABLE_LIMIT_MB * 1024 * 1024) {
    const reason = `A file of more than ${INDEXABLE_LIMIT_MB} MB is not indexed. Split it into smaller ones.`;
    return indexingFailed({ ...file, index: true, status: awaits(file) }, reason);
  }
  return {
    ...file,
    index: true,
    status: awaits(file),
    reason: undefined,
    indexing: {
      id: given?.id ?? newIndexingId(),
      untilMs: nowMs + INDEXING_MS,
      ...(given ? { isGiven: true } : {}),
    },
  };
};
/** An upload that was announced meanwhile has the say about the status. */
const awaits = (file: Changed) => (file.pending ? file.status : 'indexing_pending');
export const newIndexingId = () => randomText(16);

/** It is not to be found any more. */
export const notIndexed = (file: Changed): Changed => ({
  ...file,
  index: false,
  indexing: undefined,
  indexed: undefined,
  status: file.status.startsWith('indexing') ? 'upload_completed' : file.status,
  reason: file.status === 'indexing_failed' ? undefined : file.reason,
});

/** An upload that was announced meanwhile has the say about the status. */
export const indexingDone = (file: File, indexed: NonNullable<File['indexed']>): Changed => ({
  ...file,
  indexed,
  indexing: undefined,
  ...(file.status === 'indexing_pending' ? { status: 'indexing_completed' as const, reason: undefined } : {}),
});

/** What was searched before does not say any more what the file says. */
export const indexingFailed = (file: Changed, reason: string): Changed => ({
  ...file,
  indexing: undefined,
  indexed: undefined,
  ...(file.status === 'indexing_pending' ? { status: 'indexing_failed' as const, reason } : {}),
});
