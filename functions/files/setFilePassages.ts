import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { PASSAGE_TYPES } from '#shared/core/passage.ts';
import { text } from '#shared/core/text.ts';
import { finalizeUpload } from '#shared/domain/fileRecords/awaitUpload.ts';
import { requireOwnFile } from '#shared/domain/fileRecords/scope.ts';
import { indexingRequested, newIndexingId } from '#shared/domain/fileRecords/status.ts';
import { changeFile } from '#shared/storage/dynamodb/files/files.ts';
import { putPassages } from '#shared/storage/dynamodb/files/passages.ts';

/** Leaves room in the item for its other attributes. */
const CONTENT_LENGTH = 20_000;
const MAX_PASSAGES = 10_000;

export const setFilePassages = filesOperation({
  name: 'setFilePassages',
  summary: 'Replaces the passages that were extracted from a file. Search finds them once they are indexed.',
  scope: 'bot',
  method: 'PUT',
  path: '/files/{id}/passages',
  table: 'writes',
  objects: { reads: ['files', 'uploads'], writes: ['files'] },
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    passages: z
      .array(
        z.object({
          content: text(CONTENT_LENGTH).check(z.minLength(1)),
          type: z.optional(z.enum(PASSAGE_TYPES)),
          pageNumber: z.optional(z.int().check(z.minimum(1))),
        }),
      )
      .check(z.minLength(1), z.maxLength(MAX_PASSAGES)),
  }),
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { botId, bot, input, nowMs, commit } = call;
    const before = await finalizeUpload(bot, await requireOwnFile(call, input.id), nowMs);
    if (!before.content) throw invalidPayload('The file has no content yet. Upload it to its uploadUrl first.', 'id');
    const id = newIndexingId();
    const passages = input.passages.map(({ content, type = 'paragraph' as const, pageNumber }) => ({
      content,
      type,
      breadcrumb: [],
      ...(pageNumber === undefined ? {} : { pageNumber }),
    }));
    // Search finds them once the file refers to them. If that write fails, they are deleted with the file.
    await putPassages(botId, before.id, id, passages);
    const { writes } = await changeFile(bot, before, indexingRequested(before, nowMs, { id }), nowMs);
    return commit(ok({}), writes);
  },
});
