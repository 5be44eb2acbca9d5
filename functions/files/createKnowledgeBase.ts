import * as z from 'zod/mini';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { present } from '#shared/api/platform/tagInputs.ts';
import { newKnowledgeBaseId } from '#shared/core/ids.ts';
import { fileTags } from '#shared/domain/fileRecords/fileRecordInputs.ts';
import { scopeOf } from '#shared/domain/fileRecords/scope.ts';
import { KnowledgeBaseView, knowledgeBaseName, viewKnowledgeBase } from '#shared/domain/files/knowledgeBase.ts';
import { recordScope } from '#shared/storage/dynamodb/files/fileScopes.ts';
import { putKnowledgeBase } from '#shared/storage/dynamodb/files/knowledgeBases.ts';

export const createKnowledgeBase = filesOperation({
  name: 'createKnowledgeBase',
  summary: 'Creates a knowledge base. Files link to it by their tag `kbId`.',
  scope: 'bot',
  method: 'POST',
  path: '/files/knowledge-bases',
  table: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object({ name: knowledgeBaseName(), tags: z.optional(fileTags()) }),
  output: z.object({ knowledgeBase: KnowledgeBaseView }),
  statuses: [201],

  handle: async call => {
    const { botId, input, nowMs, commit } = call;
    const knowledgeBase = {
      id: newKnowledgeBaseId(nowMs),
      name: input.name,
      tags: present(input.tags),
      createdAtMs: nowMs,
      version: 0,
    };
    const scope = scopeOf(call);
    await recordScope(botId, scope);
    return commit(created({ knowledgeBase: viewKnowledgeBase(knowledgeBase) }), [
      putKnowledgeBase(botId, scope, undefined, knowledgeBase),
    ]);
  },
});
