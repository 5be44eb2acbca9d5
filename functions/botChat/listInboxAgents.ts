import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta, pageOf } from '#shared/api/views.ts';
import { text } from '#shared/core/text.ts';
import { AgentView, viewAgents } from '#shared/domain/botChat/agents/agentView.ts';
import { listMembers } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const listInboxAgents = botChatOperation({
  name: 'listInboxAgents',
  summary:
    'Lists the members who may be assigned to conversations, with their availability and the number of their open conversations.',
  scope: 'account',
  method: 'GET',
  path: '/chat/inbox/agents',
  table: 'reads',
  partitions: { reads: ['agents', 'connections', 'workspaces'] },
  query: z.object({ ...pageQuery, accountId: z.optional(text(200)) }),
  output: z.object({ agents: z.array(AgentView), meta }),
  statuses: [200],

  handle: async ({ input, workspaceId, pageStart, nextToken, nowMs }) => {
    const { pageSize = DEFAULT_PAGE_SIZE, accountId } = input;
    if (accountId !== undefined) return ok({ agents: await viewAgents(workspaceId, [accountId], nowMs), meta: {} });
    const found = await listMembers(workspaceId, { after: pageStart, limit: pageSize + 1 });
    const { records, last } = pageOf(found, pageSize);
    const accountIds = records.flatMap(each => each.accountId ?? []);
    const agents = await viewAgents(workspaceId, accountIds, nowMs);
    return ok({ agents, meta: last ? { nextToken: nextToken(last.id) } : {} });
  },
});
