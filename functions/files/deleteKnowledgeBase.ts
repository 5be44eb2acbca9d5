import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/platform/operation.ts';
import { removeKnowledgeBase, requireKnowledgeBase } from '#shared/dynamodb/files/knowledgeBases.ts';
import { scopeOf } from '#shared/fileRecords/scope.ts';

export const deleteKnowledgeBase = filesOperation({
  name: 'deleteKnowledgeBase',
  summary: 'Deletes a knowledge base. Its files and their tags remain.',
  scope: 'bot',
  method: 'DELETE',
  path: '/files/knowledge-bases/{id}',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const scope = scopeOf(call);
    const { id } = await requireKnowledgeBase(call.botId, scope, call.input.id);
    return call.commit(ok({}), [removeKnowledgeBase(call.botId, scope, id)]);
  },
});
