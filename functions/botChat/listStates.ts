import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { ListedState, listStatesOf } from '#shared/domain/botChat/states/listStates.ts';
import { STATE_TYPES } from '#shared/storage/dynamodb/chat/states.ts';
import { pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';

export const listStates = botChatOperation({
  name: 'listStates',
  summary:
    'Lists the states of the bot and of its integrations, uninstalled ones included, or of one conversation, user or workflow (`type` and `ownerId`). Payloads are omitted. `ownerId` in the response is the id by which the other operations on states take them. An integration sees its own.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/states',
  table: 'reads',
  partitions: { reads: ['states'] },
  query: z.object({ ...pageQuery, type: z.optional(z.enum(STATE_TYPES)), ownerId: z.optional(z.string()) }),
  output: z.object({ states: z.array(ListedState), meta }),
  statuses: [200],

  handle: async call => {
    const { pageSize = DEFAULT_PAGE_SIZE, ...filter } = call.input;
    const { records, next } = await pageOfList(await listStatesOf(call, filter), pageSize);
    return ok({ states: records, meta: next ? { nextToken: call.nextToken(next) } : {} });
  },
});
