import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { ApiError, invalidPayload, notFound } from '#shared/core/errors.ts';
import { fileIdOf } from '#shared/core/ids.ts';
import { text } from '#shared/core/text.ts';
import { finalizeUpload } from '#shared/domain/fileRecords/awaitUpload.ts';
import { requireFile, scopeOf } from '#shared/domain/fileRecords/scope.ts';
import { destinationOf } from '#shared/domain/files/destination.ts';
import { draftCopy } from '#shared/domain/files/draftCopy.ts';
import { requireKey } from '#shared/domain/files/fileInputs.ts';
import { FileView, viewFile } from '#shared/domain/files/fileView.ts';
import { requireStorage } from '#shared/storage/dynamodb/bots/botTotals.ts';
import { stageObject } from '#shared/storage/dynamodb/engine/stagedObjects.ts';
import { recordScope } from '#shared/storage/dynamodb/files/fileScopes.ts';
import { changeFile, findFile } from '#shared/storage/dynamodb/files/files.ts';
import { newFileObject } from '#shared/storage/s3/prefixes.ts';

export const copyFile = filesOperation({
  name: 'copyFile',
  summary:
    'Copies a file with its tags, metadata, policies and settings to another key, or to another bot. Replaces an existing file only with `overwrite`.',
  scope: 'bot',
  method: 'POST',
  path: '/files/{idOrKey}/{destinationKey}',
  table: 'writes',
  objects: { reads: ['files', 'uploads'], writes: ['files'], stages: ['files'] },
  body: z.object({ overwrite: z.optional(z.boolean()) }),
  headers: z.object({ 'x-destination-bot-id': z.optional(text(100)) }),
  output: z.object({ file: FileView }),
  statuses: [201],

  handle: async call => {
    const { input, nowMs, commit } = call;
    const key = requireKey(input.destinationKey, 'destinationKey');
    const source = await finalizeUpload(call.bot, await requireFile(call, input.idOrKey), nowMs);
    if (!source.content)
      throw invalidPayload('The file has no content yet. Upload it to its uploadUrl first.', 'idOrKey');
    const destination = await destinationOf(call, input['x-destination-bot-id']?.trim() || undefined);
    const { botId, bot } = destination;
    const scope = scopeOf(destination);
    const id = fileIdOf(botId, scope, key);
    const before = await findFile(botId, id);
    if (before && id === source.id) throw invalidPayload('A file cannot be copied to itself.', 'destinationKey');
    if (before && !input.overwrite) {
      throw new ApiError('AlreadyExists', 'A file with this key already exists. Send overwrite to replace it.');
    }

    await requireStorage(bot, source.content.size - (before?.content?.size ?? 0));
    const object = newFileObject(botId, id);
    const { copyObject, isMissing } = await import('#shared/storage/s3/objects.ts');
    await stageObject(object);
    try {
      await copyObject(source.content.object, object);
    } catch (error) {
      throw isMissing(error) ? notFound(`The file ${source.id}`) : error;
    }
    const isSameScope = botId === call.botId && scope === source.scope;
    const copy = draftCopy(destination, source, { id, key, object, before, isSameScope }, nowMs);
    await recordScope(botId, scope);
    const { file, writes } = await changeFile(bot, before, copy, nowMs);
    return commit(created({ file: await viewFile(botId, file) }), writes);
  },
});
