import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { DeadLetterView, viewDeadLetter } from '#shared/domain/admin/deadLetterView.ts';
import { pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';
import { listDeadLettersOf } from '#shared/storage/dynamodb/maintenance/deadLetters.ts';

export const listDeadLetters = adminOperation({
  name: 'listDeadLetters',
  summary: 'Lists the dead letters of a bot: work that failed after several attempts, oldest first.',
  method: 'GET',
  path: '/admin/bots/{id}/parked',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['deadLetters'] },
  query: z.object(pageQuery),
  output: z.object({ parked: z.array(DeadLetterView), meta }),
  statuses: [200],

  handle: async ({ input, workspaceId, pageStart, nextToken }) => {
    const { id } = await requireBot(workspaceId, input.id);
    const { records, next } = await pageOfList(listDeadLettersOf(id, pageStart), input.pageSize ?? DEFAULT_PAGE_SIZE);
    return ok({ parked: records.map(viewDeadLetter), meta: next === undefined ? {} : { nextToken: nextToken(next) } });
  },
});
