import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { applyChanges, changesOf } from '#shared/core/mapChanges.ts';
import { finalizeUpload } from '#shared/domain/fileRecords/awaitUpload.ts';
import { accessPolicies, expiresAt, expiryMs } from '#shared/domain/fileRecords/fileRecordInputs.ts';
import { requireOwnFile } from '#shared/domain/fileRecords/scope.ts';
import { indexingRequested } from '#shared/domain/fileRecords/status.ts';
import { fileTagChanges, metadata, metadataText } from '#shared/domain/files/fileInputs.ts';
import { FileView, viewFile } from '#shared/domain/files/fileView.ts';
import { shouldIndex } from '#shared/domain/files/linking.ts';
import type { FileDraft } from '#shared/storage/dynamodb/files/file.ts';
import { changeFile } from '#shared/storage/dynamodb/files/files.ts';

export const updateFileMetadata = filesOperation({
  name: 'updateFileMetadata',
  summary:
    'Updates single tags and metadata fields (null removes one), access policies and expiry. Linking the file to a knowledge base by the tag `kbId` enables indexing.',
  scope: 'bot',
  method: 'PUT',
  path: '/files/{id}',
  table: 'writes',
  objects: { reads: ['files', 'uploads'], writes: ['files'] },
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    metadata: z.optional(metadata()),
    tags: z.optional(fileTagChanges()),
    accessPolicies: z.optional(accessPolicies()),
    expiresAt: z.optional(z.nullable(expiresAt())),
  }),
  output: z.object({ file: FileView }),
  statuses: [200],

  handle: async call => {
    const { botId, bot, input, nowMs, commit } = call;
    const before = await finalizeUpload(bot, await requireOwnFile(call, input.id), nowMs);
    const tags = applyChanges(before.tags, changesOf(input.tags ?? {}, before.tags, { name: 'tags' }).changes);
    const index = await shouldIndex({ ...before, botId }, { tags, before: before.tags, requested: undefined });
    const changed: FileDraft = {
      ...before,
      tags,
      ...(input.metadata ? { metadata: metadataText(applyChanges(JSON.parse(before.metadata), input.metadata)) } : {}),
      ...(input.accessPolicies ? { policies: input.accessPolicies } : {}),
      ...(input.expiresAt === undefined
        ? {}
        : { expiresAtMs: input.expiresAt === null ? undefined : expiryMs(input.expiresAt, nowMs) }),
    };
    // Files without content are indexed when the upload arrives.
    const isNewlyIndexed = index === true && !before.index;
    const linked = isNewlyIndexed && before.content ? indexingRequested(changed, nowMs) : changed;
    const { file, writes } = await changeFile(bot, before, { ...linked, index: before.index || isNewlyIndexed }, nowMs);
    return commit(ok({ file: await viewFile(botId, file) }), writes);
  },
});
