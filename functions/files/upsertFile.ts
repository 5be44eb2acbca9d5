import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { present } from '#shared/api/platform/tagInputs.ts';
import { ApiError } from '#shared/core/errors.ts';
import { fileIdOf } from '#shared/core/ids.ts';
import { finalizeUpload } from '#shared/domain/fileRecords/awaitUpload.ts';
import {
  accessPolicies,
  contentType,
  expiresAt,
  expiryMs,
  fileKey,
  fileTags,
} from '#shared/domain/fileRecords/fileRecordInputs.ts';
import { guessContentType, newUpload } from '#shared/domain/fileRecords/newUpload.ts';
import { ownerOf, scopeOf } from '#shared/domain/fileRecords/scope.ts';
import { indexingDisabled, UPLOAD_SECONDS, uploadAnnounced } from '#shared/domain/fileRecords/status.ts';
import { indexing, metadata, metadataText, SIZE_LIMIT_BYTES } from '#shared/domain/files/fileInputs.ts';
import { UploadView, viewUpload } from '#shared/domain/files/fileView.ts';
import { shouldIndex } from '#shared/domain/files/linking.ts';
import { recordScope } from '#shared/storage/dynamodb/files/fileScopes.ts';
import { changeFile, findFile } from '#shared/storage/dynamodb/files/files.ts';
import { setUploadsTimer } from '#shared/storage/dynamodb/timers/uploadTimers.ts';
import { newUploadObject } from '#shared/storage/s3/prefixes.ts';

export const upsertFile = filesOperation({
  name: 'upsertFile',
  summary:
    'Announces an upload: PUT exactly `size` bytes to `uploadUrl`, with the `Content-Type` of the response. Existing content stays readable until then. Omitted tags, metadata, policies and settings do not change.',
  scope: 'bot',
  method: 'PUT',
  path: '/files',
  table: 'writes',
  objects: { reads: ['files', 'uploads'], writes: ['files', 'uploads'] },
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    key: fileKey(),
    size: z.int().check(z.minimum(0)),
    tags: z.optional(fileTags()),
    index: z.optional(z.boolean()),
    indexing: z.optional(indexing()),
    accessPolicies: z.optional(accessPolicies()),
    contentType: z.optional(contentType()),
    expiresAt: z.optional(expiresAt()),
    publicContentImmediatelyAccessible: z.optional(z.boolean()),
    metadata: z.optional(metadata()),
  }),
  output: z.object({ file: UploadView }),
  statuses: [200],

  handle: async call => {
    const { botId, bot, input, nowMs, commit } = call;
    const { key, size } = input;
    if (size > SIZE_LIMIT_BYTES) {
      throw new ApiError('PayloadTooLarge', `A file can have at most ${SIZE_LIMIT_BYTES} bytes.`, {
        metadata: { limitBytes: SIZE_LIMIT_BYTES },
      });
    }
    const scope = scopeOf(call);
    const id = fileIdOf(botId, scope, key);
    const found = await findFile(botId, id);
    // Skips the check for concurrent calls: an upload announced after this call cannot have arrived before it.
    const before = found && found.updatedAtMs < nowMs ? await finalizeUpload(bot, found, nowMs) : found;
    const tags = input.tags ? present(input.tags) : (before?.tags ?? {});
    const index = await shouldIndex({ botId, scope }, { tags, before: before?.tags, requested: input.index });
    const given = {
      tags,
      ...(input.metadata ? { metadata: metadataText(input.metadata) } : {}),
      ...(input.accessPolicies ? { policies: input.accessPolicies } : {}),
      ...(input.indexing ? { configuration: JSON.stringify(input.indexing.configuration) } : {}),
      ...(input.expiresAt ? { expiresAtMs: expiryMs(input.expiresAt, nowMs) } : {}),
      ...(index === undefined ? {} : { index }),
    };
    const base = { ...(before ?? newUpload({ id, key, scope, owner: ownerOf(call) }, nowMs)), ...given };
    const pending = {
      object: newUploadObject(botId, id),
      size,
      contentType: input.contentType ?? (await guessContentType(key)),
    };
    const changed = uploadAnnounced(index === false ? indexingDisabled(base) : base, pending, nowMs);
    await Promise.all([recordScope(botId, scope), setUploadsTimer(botId, changed.pending!.untilMs)]);
    const { file, writes } = await changeFile(bot, before, changed, nowMs);

    const { presignUpload } = await import('#shared/storage/s3/presign.ts');
    const tagging = input.publicContentImmediatelyAccessible ? 'public=true' : undefined;
    const uploadUrl = await presignUpload(pending.object, { ...pending, tagging }, UPLOAD_SECONDS);
    return commit(ok({ file: { ...(await viewUpload(botId, file)), uploadUrl } }), writes);
  },
});
