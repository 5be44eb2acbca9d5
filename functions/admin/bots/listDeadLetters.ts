import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { ParkedView, viewParked } from '#shared/domain/admin/deadLetters.ts';
import { pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';
import { listParkedOf } from '#shared/storage/dynamodb/maintenance/deadLetters.ts';

export const listParkedWork = adminOperation({
  name: 'listParkedWork',
  summary: 'Lists the dead letters of a bot: work that failed after several attempts, oldest first.',
  method: 'GET',
  path: '/admin/bots/{id}/parked',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['parked'] },
  query: z.object(pageQuery),
  output: z.object({ parked: z.array(ParkedView), meta }),
  statuses: [200],

  handle: async ({ input, workspaceId, pageStart, nextToken }) => {
    const { id } = await requireBot(workspaceId, input.id);
    const { records, next } = await pageOfList(listParkedOf(id, pageStart), input.pageSize ?? DEFAULT_PAGE_SIZE);
    return ok({ parked: records.map(viewParked), meta: next === undefined ? {} : { nextToken: nextToken(next) } });
  },
});
