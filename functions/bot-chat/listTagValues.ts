import * as z from 'zod/mini';
import { storedName } from '../../shared/bot-chat/context.ts';
import { isTagName } from '../../shared/bot-chat/inputs.ts';
import { invalidPayload } from '../../shared/http/errors.ts';
import { ok } from '../../shared/operation.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '../../shared/platform/input.ts';
import { botChatOperation } from '../../shared/platform/operation.ts';
import { pageOfList } from '../../shared/table/lists.ts';
import { listTagValues as list } from '../../shared/table/tags.ts';
import { meta } from '../../shared/views.ts';

export const listTagValues = botChatOperation({
  name: 'listTagValues',
  summary: 'The values that a tag has among the conversations, messages or users of a bot, sorted.',
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
    if (!isTagName(key)) throw invalidPayload('This is no name of a tag.', 'key');
    const values = list(botId, type, storedName(call, key), { direction: 'asc', after: pageStart });
    const { records, next } = await pageOfList(values, pageSize);
    return ok({ tags: records.map(value => ({ value })), meta: next ? { nextToken: nextToken(next) } : {} });
  },
});
