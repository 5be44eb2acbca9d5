/** State transitions of a file, as pure functions: docs/api/files.md#files. */

import { randomText } from '#shared/core/ids.ts';
import { INDEXABLE_LIMIT_MB } from '#shared/core/passage.ts';
import type { File, FileDraft } from '#shared/storage/dynamodb/files/file.ts';
import { SECRET_LENGTH } from './publicUrl.ts';

/** S3 checks the lifetime when the upload starts, so the upload may take as long again. */
export const UPLOAD_SECONDS = 3600;
const UPLOAD_MS = 2 * UPLOAD_SECONDS * 1000;
/** A file of 50,000 long passages may take the local embedder more than an hour. */
const INDEXING_MS = 4 * 3600_000;

/** @param linkUntilMs expiry of the link that readers get before the upload is accepted */
export const uploadAnnounced = (
  file: FileDraft,
  pending: Omit<NonNullable<File['pending']>, 'untilMs' | 'early'>,
  nowMs: number,
  linkUntilMs = nowMs + UPLOAD_MS + UPLOAD_SECONDS * 1000,
): FileDraft => ({
  ...file,
  status: 'upload_pending',
  reason: undefined,
  contentType: pending.contentType,
  pending: {
    ...pending,
    untilMs: nowMs + UPLOAD_MS,
    early: { secret: randomText(SECRET_LENGTH), untilMs: linkUntilMs },
  },
});

/** @param object the copy of the upload, or the upload itself until it is copied */
export const uploadArrived = (file: File, object: string, nowMs: number): FileDraft => {
  const { size, contentType, early } = file.pending!;
  const uploaded: FileDraft = {
    ...file,
    content: { object, size, contentType, early },
    pending: undefined,
    reason: undefined,
  };
  return file.index ? indexingRequested(uploaded, nowMs) : { ...uploaded, status: 'upload_completed' };
};

/** The previous content stays readable. */
export const uploadFailed = (file: File, reason: string): FileDraft => ({
  ...file,
  status: 'upload_failed',
  reason,
  pending: undefined,
});

/** @param given the indexing of the caller's passages */
export const indexingRequested = (file: FileDraft, nowMs: number, given?: { id: string }): FileDraft => {
  if (!given && file.content!.size > INDEXABLE_LIMIT_MB * 1024 * 1024) {
    const reason = `Files over ${INDEXABLE_LIMIT_MB} MB are not indexed. Split it into smaller files.`;
    return indexingFailed({ ...file, index: true, status: pendingStatus(file) }, reason);
  }
  return {
    ...file,
    index: true,
    status: pendingStatus(file),
    reason: undefined,
    indexing: {
      id: given?.id ?? newIndexingId(),
      untilMs: nowMs + INDEXING_MS,
      ...(given ? { isGiven: true } : {}),
    },
  };
};
/** A pending upload determines the status, regardless of the indexing of earlier content. */
const pendingStatus = (file: FileDraft) => (file.pending ? file.status : 'indexing_pending');
export const newIndexingId = () => randomText(16);

export const indexingDisabled = (file: FileDraft): FileDraft => ({
  ...file,
  index: false,
  indexing: undefined,
  indexed: undefined,
  status: file.status.startsWith('indexing') ? 'upload_completed' : file.status,
  reason: file.status === 'indexing_failed' ? undefined : file.reason,
});

export const indexingCompleted = (file: File, indexed: NonNullable<File['indexed']>): FileDraft => ({
  ...file,
  indexed,
  indexing: undefined,
  ...(file.status === 'indexing_pending' ? { status: 'indexing_completed' as const, reason: undefined } : {}),
});

/** Drops the previous index too, because it no longer matches the content. */
export const indexingFailed = (file: FileDraft, reason: string): FileDraft => ({
  ...file,
  indexing: undefined,
  indexed: undefined,
  ...(file.status === 'indexing_pending' ? { status: 'indexing_failed' as const, reason } : {}),
});
