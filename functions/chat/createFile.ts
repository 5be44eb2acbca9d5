import * as z from 'zod/mini';
import { userOf } from '#shared/api/caller.ts';
import { created } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { ApiError } from '#shared/core/errors.ts';
import { announceUpload, requireUploadSize, UploadedFileView } from '#shared/domain/fileRecords/conversationFiles.ts';
import { contentType, expiresAt, fileKey, fileTags, LINK_TAG } from '#shared/domain/fileRecords/fileRecordInputs.ts';
import { takeUpload } from '#shared/domain/fileRecords/takeUpload.ts';
import { userMustExist } from '#shared/storage/dynamodb/chat/users.ts';

export const createFile = chatOperation({
  name: 'createFile',
  summary:
    'Announces an upload of the calling user: PUT exactly `size` bytes to `uploadUrl`, with the `Content-Type` of the response and `x-amz-tagging: public=true`.',
  method: 'POST',
  path: '/files',
  access: { who: 'user' },
  table: 'writes',
  // Creates only the file's record. Totals change when the content arrives.
  partitions: { writes: ['tags'], appends: ['files'] },
  largeValues: 'writes',
  objects: { writes: ['uploads'] },
  body: z.object({
    key: fileKey(),
    size: z.int().check(z.minimum(0)),
    /** Ignored, but sent by the webchat client. */
    accessPolicies: z.optional(
      z
        .array(z.literal('public_content', { error: 'Must be omitted: chat users cannot set policies' }))
        .check(z.maxLength(10)),
    ),
    index: z.optional(z.literal(false, { error: 'Must be false or omitted: files of chat users are not indexed' })),
    contentType: z.optional(contentType()),
    tags: z.optional(
      fileTags().check(
        z.refine(tags => !(LINK_TAG in tags), {
          error: `Must not have the tag ${LINK_TAG}, which links a file to a knowledge base`,
        }),
      ),
    ),
    expiresAt: z.optional(expiresAt()),
  }),
  output: z.object({ file: UploadedFileView }),
  statuses: [201],

  handle: async ({ webhook, botId, caller, input, nowMs, commit }) => {
    if (!webhook.takesFiles) {
      throw new ApiError(
        'Forbidden',
        "This installation does not accept files. The bot's owner can set fileUploads to true in its configuration.",
      );
    }
    requireUploadSize(input.size);
    await takeUpload({ botId, webhookId: webhook.webhookId, userId: caller.userId }, input.size, nowMs);
    // The webchat client always sends this tag.
    const { file, writes } = await announceUpload(webhook, caller.userId, input, { nowMs, tagging: 'public=true' });
    return commit(created({ file }), [userMustExist(webhook, userOf(caller), caller.shownId), ...writes]);
  },
});
