import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { queryTags, typeName } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { DEFAULT_PAGE_SIZE, oneOrMore, pageQuery } from '#shared/api/platform/parsePlatformInput.ts';
import { meta } from '#shared/api/views.ts';
import { loadWorkflow, WorkflowView } from '#shared/botChat/views/workflow.ts';
import {
  findWorkflows,
  listWorkflows as list,
  listWorkflowsOf,
  WORKFLOW_STATUSES,
  type WorkflowStatus,
} from '#shared/dynamodb/chat/workflows.ts';
import { END, pageOfList } from '#shared/dynamodb/lists.ts';
import { listNarrowest, loadTagged } from '#shared/dynamodb/tags.ts';
import { hasTags } from '#shared/messaging/getOrCreate.ts';
import { sizeOf } from '#shared/s3/largeValue.ts';
import { text } from '#shared/text.ts';

const TOGETHER = 25;

export const listWorkflows = botChatOperation({
  name: 'listWorkflows',
  summary:
    'Workflows, newest first: all, or those of a conversation, a user, a parent, a name, with tags or of statuses.',
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
    statuses: z.optional(oneOrMore(z.enum(WORKFLOW_STATUSES))),
    name: z.optional(typeName()),
  }),
  output: z.object({ workflows: z.array(WorkflowView), meta }),
  statuses: [200],

  handle: async call => {
    const { botId, input, pageStart, nextToken } = call;
    const { pageSize = DEFAULT_PAGE_SIZE, tags = {}, name, conversationId, userId, parentWorkflowId } = input;
    const statuses = input.statuses as WorkflowStatus[] | undefined;
    const range = { direction: 'desc' as const, first: '', last: END, after: pageStart };
    const load = (ids: string[]) => findWorkflows(botId, ids);

    // From whichever list leads there most directly; the rest is filtered.
    const ownerId = parentWorkflowId ?? conversationId ?? userId;
    const source =
      ownerId !== undefined
        ? loadTagged(listWorkflowsOf(botId, ownerId, range), load, TOGETHER)
        : Object.keys(tags).length > 0
          ? loadTagged(listNarrowest(botId, 'workflow', tags, range), load, TOGETHER)
          : list(botId, statuses, range);
    const wanted = Object.entries({ name, conversationId, userId, parentWorkflowId });
    async function* workflows() {
      for await (const { sortKey, record } of source) {
        const isWanted =
          record !== undefined &&
          wanted.every(([field, value]) => value === undefined || record[field as keyof typeof record] === value) &&
          (!statuses || statuses.includes(record.status)) &&
          hasTags(record.tags, tags, false);
        yield { sortKey, record: isWanted ? record : undefined };
      }
    }
    const { records, next } = await pageOfList(workflows(), pageSize, sizeOf);
    return ok({
      workflows: await Promise.all(records.map(loadWorkflow)),
      meta: next ? { nextToken: nextToken(next) } : {},
    });
  },
});
