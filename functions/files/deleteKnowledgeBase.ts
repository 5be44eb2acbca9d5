import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { removableScopes, withCurrentBot } from '#shared/domain/fileRecords/scope.ts';
import { removeKnowledgeBase, scopeOfKnowledgeBase } from '#shared/storage/dynamodb/files/knowledgeBases.ts';

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
    const { id } = call.input;
    const scopeFor = (each: typeof call) => scopeOfKnowledgeBase(each.botId, removableScopes(each), id);
    const scope = (await scopeFor(call)) ?? (await scopeFor(await withCurrentBot(call)));
    if (scope === undefined) throw notFound(`The knowledge base ${startOf(id, 200)}`);
    return call.commit(ok({}), [removeKnowledgeBase(call.botId, scope, id)]);
  },
});
