import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireAssignee, requireInstallation } from '#shared/domain/botChat/handoffs/reply.ts';
import { announceUpload, requireUploadSize, UploadedFileView } from '#shared/domain/fileRecords/conversationFiles.ts';
import { contentType, fileKey } from '#shared/domain/fileRecords/fileRecordInputs.ts';
import { takeMemberUpload } from '#shared/domain/fileRecords/takeUpload.ts';
import { userMustExist } from '#shared/storage/dynamodb/chat/users.ts';

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
    const { file, writes } = await announceUpload(place, member.userId, input, { nowMs, tagging: undefined });
    return call.commit(created({ file }), [userMustExist(place, { id: member.userId }, member.userId), ...writes]);
  },
});
