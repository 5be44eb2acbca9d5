import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/platform/operation.ts';
import { changeFile } from '#shared/dynamodb/files/files.ts';
import { settleUpload } from '#shared/fileRecords/awaitUpload.ts';
import { requireOwnFile } from '#shared/fileRecords/scope.ts';
import { type Changed, toBeIndexed } from '#shared/fileRecords/status.ts';
import { accessPolicies, expiresAt, expiryMs, fileTagChanges, metadata, metadataText } from '#shared/files/inputs.ts';
import { mustIndex } from '#shared/files/linking.ts';
import { FileView, viewFile } from '#shared/files/view.ts';
import { applyChanges, changesOf } from '#shared/mapChanges.ts';

export const updateFileMetadata = filesOperation({
  name: 'updateFileMetadata',
  summary:
    'Changes tags and metadata, each by itself (null takes one away), the access policies as a whole, and when the file expires. A file that is linked to a knowledge base by its tag kbId is indexed.',
  scope: 'bot',
  method: 'PUT',
  path: '/files/{id}',
  table: 'writes',
  objects: 'readsFiles',
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
    const before = await settleUpload(bot, await requireOwnFile(call, input.id), nowMs);
    const tags = applyChanges(before.tags, changesOf(input.tags ?? {}, before.tags, { name: 'tags' }).changes);
    const index = await mustIndex({ ...before, botId }, { tags, before: before.tags, wanted: undefined });
    const changed: Changed = {
      ...before,
      tags,
      ...(input.metadata ? { metadata: metadataText(applyChanges(JSON.parse(before.metadata), input.metadata)) } : {}),
      ...(input.accessPolicies ? { policies: input.accessPolicies } : {}),
      ...(input.expiresAt === undefined
        ? {}
        : { expiresAtMs: input.expiresAt === null ? undefined : expiryMs(input.expiresAt, nowMs) }),
    };
    // What has not arrived yet is indexed when it has.
    const isNewlyIndexed = index === true && !before.index;
    const linked = isNewlyIndexed && before.content ? toBeIndexed(changed, nowMs) : changed;
    const { file, writes } = await changeFile(bot, before, { ...linked, index: before.index || isNewlyIndexed }, nowMs);
    return commit(ok({ file: await viewFile(botId, file) }), writes);
  },
});
