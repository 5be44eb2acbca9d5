import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { applyChanges, changesOf } from '#shared/core/mapChanges.ts';
import { scopeOf } from '#shared/domain/fileRecords/scope.ts';
import { fileTagChanges } from '#shared/domain/files/fileInputs.ts';
import { KnowledgeBaseView, knowledgeBaseName, viewKnowledgeBase } from '#shared/domain/files/knowledgeBase.ts';
import { putKnowledgeBase, requireKnowledgeBase } from '#shared/storage/dynamodb/files/knowledgeBases.ts';

export const updateKnowledgeBase = filesOperation({
  name: 'updateKnowledgeBase',
  summary: 'Updates the name and single tags of a knowledge base. Null removes a tag.',
  scope: 'bot',
  method: 'PUT',
  path: '/files/knowledge-bases/{id}',
  table: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object({ name: knowledgeBaseName(), tags: z.optional(fileTagChanges()) }),
  output: z.object({ knowledgeBase: KnowledgeBaseView }),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    const scope = scopeOf(call);
    const before = await requireKnowledgeBase(botId, scope, input.id);
    const { changes } = changesOf(input.tags ?? {}, before.tags, { name: 'tags' });
    const after = { ...before, name: input.name, tags: applyChanges(before.tags, changes) };
    return commit(ok({ knowledgeBase: viewKnowledgeBase(after) }), [putKnowledgeBase(botId, scope, before, after)]);
  },
});
