import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { ApiError } from '#shared/core/errors.ts';
import { requireAssignee, requireInstallation } from '#shared/domain/botChat/handoffs/reply.ts';
import {
  draftUpload,
  requireUploadSize,
  UploadedFileView,
  viewUploadedFile,
} from '#shared/domain/fileRecords/conversationFiles.ts';
import { contentType, fileKey } from '#shared/domain/fileRecords/fileRecordInputs.ts';
import { UPLOAD_SECONDS } from '#shared/domain/fileRecords/status.ts';
import { takeMemberUpload } from '#shared/domain/fileRecords/takeUpload.ts';
import { userMustExist } from '#shared/storage/dynamodb/chat/users.ts';
import { recordScope } from '#shared/storage/dynamodb/files/fileScopes.ts';
import { newFile } from '#shared/storage/dynamodb/files/files.ts';
import { setUploadsTimer } from '#shared/storage/dynamodb/timers/uploadTimers.ts';

export const createFileInHandoff = botChatOperation({
  name: 'createFileInHandoff',
  summary:
    'Announces an upload of the assignee of a conversation: PUT exactly `size` bytes to `uploadUrl`, with the `Content-Type` of the response. Send `url` with `replyInHandoff`.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/handoffs/{id}/files',
  table: 'writes',
  // Creates only the file's record. Totals change when the content arrives.
  partitions: { appends: ['files'] },
  largeValues: 'writes',
  objects: { writes: ['uploads'] },
  body: z.object({
    key: fileKey(),
    size: z.int().check(z.minimum(0)),
    contentType: z.optional(contentType()),
  }),
  output: z.object({ file: UploadedFileView }),
  statuses: [201],

  handle: async call => {
    const { botId, input, nowMs } = call;
    requireUploadSize(input.size);
    const { member, conversation } = await requireAssignee(call, input.id);
    const { webhookId } = conversation;
    const { integrationId } = await requireInstallation(call, conversation);
    await takeMemberUpload({ webhookId, userId: member.userId }, input.size, nowMs);
    const place = { botId, webhookId, integrationId, integration: conversation.integration };
    const draft = await draftUpload(place, member.userId, input, nowMs);
    await Promise.all([recordScope(botId, draft.scope), setUploadsTimer(botId, draft.pending!.untilMs)]);
    const { file, writes } = await newFile(botId, draft, {
      nowMs,
      onRefused: () => new ApiError('AlreadyExists', `You have a file with the key ${input.key}. Choose another key.`),
    });
    const { presignUpload } = await import('#shared/storage/s3/presign.ts');
    const { object, size, contentType } = file.pending!;
    const uploadUrl = await presignUpload(object, { size, contentType, tagging: undefined }, UPLOAD_SECONDS);
    return call.commit(created({ file: { ...viewUploadedFile(botId, file), uploadUrl } }), [
      userMustExist(place, { id: member.userId }, member.userId),
      ...writes,
    ]);
  },
});
