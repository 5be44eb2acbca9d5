import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, oneOrMore, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { queryTags } from '#shared/api/platform/tagInputs.ts';
import { meta } from '#shared/api/views.ts';
import { text } from '#shared/core/text.ts';
import { typeName } from '#shared/domain/botChat/botChatInputs.ts';
import { loadWorkflow, WorkflowView } from '#shared/domain/messaging/botViews/workflowView.ts';
import { hasTags } from '#shared/domain/messaging/tagMatch.ts';
import * as workflows from '#shared/storage/dynamodb/chat/workflows.ts';
import { sizeOf } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { END, pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';
import { listNarrowest, loadTagged } from '#shared/storage/dynamodb/tags/tagLookup.ts';

const LOAD_BATCH = 25;

export const listWorkflows = botChatOperation({
  name: 'listWorkflows',
  summary:
    'Lists workflows, newest first, optionally of a conversation, user, parent or name, with some tags, or in some statuses.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/workflows',
  table: 'reads',
  largeValues: 'reads',
  query: z.object({
    ...pageQuery,
    tags: z.optional(queryTags()),
    conversationId: z.optional(text(200)),
    userId: z.optional(text(200)),
    parentWorkflowId: z.optional(text(200)),
    statuses: z.optional(oneOrMore(z.enum(workflows.WORKFLOW_STATUSES))),
    name: z.optional(typeName()),
  }),
  output: z.object({ workflows: z.array(WorkflowView), meta }),
  statuses: [200],

  handle: async call => {
    const { botId, input, pageStart, nextToken } = call;
    const { pageSize = DEFAULT_PAGE_SIZE, tags = {}, name, conversationId, userId, parentWorkflowId } = input;
    const statuses = input.statuses as workflows.WorkflowStatus[] | undefined;
    const range = { direction: 'desc' as const, first: '', last: END, after: pageStart };
    const load = (ids: string[]) => workflows.findWorkflows(botId, ids);

    // Read from the most selective index, then filtered.
    const ownerId = parentWorkflowId ?? conversationId ?? userId;
    const source =
      ownerId !== undefined
        ? loadTagged(workflows.listWorkflowsOf(botId, ownerId, range), load, LOAD_BATCH)
        : Object.keys(tags).length > 0
          ? loadTagged(listNarrowest(botId, 'workflow', tags, range), load, LOAD_BATCH)
          : workflows.listWorkflows(botId, statuses, range);
    const fields = Object.entries({ name, conversationId, userId, parentWorkflowId });
    async function* filtered() {
      for await (const { sortKey, record } of source) {
        const matches =
          record !== undefined &&
          fields.every(([field, value]) => value === undefined || record[field as keyof typeof record] === value) &&
          (!statuses || statuses.includes(record.status)) &&
          hasTags(record.tags, tags);
        yield { sortKey, record: matches ? record : undefined };
      }
    }
    const { records, next } = await pageOfList(filtered(), pageSize, sizeOf);
    return ok({
      workflows: await Promise.all(records.map(loadWorkflow)),
      meta: next ? { nextToken: nextToken(next) } : {},
    });
  },
});
