import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { isTagName } from '#shared/api/platform/tagInputs.ts';
import { meta } from '#shared/api/views.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { type CallerScope, storedName } from '#shared/domain/messaging/callerScope.ts';
import { hasPredecessor } from '#shared/storage/dynamodb/bots/bots.ts';
import { pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';
import { listTagValues as findTagValues } from '#shared/storage/dynamodb/tags/tagValues.ts';

/** Excludes values of former installations with the same alias. */
const sinceOf = ({ bot, installation }: CallerScope) =>
  installation && hasPredecessor(bot, installation) ? installation.createdAtMs : undefined;

export const listTagValues = botChatOperation({
  name: 'listTagValues',
  summary: 'Lists the values of a tag among the conversations, messages or users of a bot, sorted.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/tags/{key}/values',
  table: 'reads',
  query: z.object({ ...pageQuery, type: z.enum(['conversation', 'message', 'user']) }),
  output: z.object({ tags: z.array(z.object({ value: z.string() })), meta }),
  statuses: [200],

  handle: async call => {
    const { botId, input, pageStart, nextToken } = call;
    const { key, type, pageSize = DEFAULT_PAGE_SIZE } = input;
    if (!isTagName(key)) throw invalidPayload('Must be a valid tag name.', 'key');
    const values = findTagValues(botId, type, storedName(call, key), {
      direction: 'asc',
      after: pageStart,
      usedSinceMs: sinceOf(call),
    });
    const { records, next } = await pageOfList(values, pageSize);
    return ok({ tags: records.map(value => ({ value })), meta: next ? { nextToken: nextToken(next) } : {} });
  },
});
