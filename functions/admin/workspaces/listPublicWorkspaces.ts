import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, oneOrMore, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta, pageOf } from '#shared/api/views.ts';
import { isWorkspaceId } from '#shared/core/ids.ts';
import {
  isShownInPublic,
  PublicWorkspaceView,
  viewPublicWorkspace,
} from '#shared/domain/admin/workspaces/publicView.ts';
import { filterPublicWorkspaceIds, listPublicWorkspaceIds } from '#shared/storage/dynamodb/integrations/hub.ts';
import { findWorkspaces, type Workspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const listPublicWorkspaces = adminOperation({
  name: 'listPublicWorkspaces',
  summary: 'Lists the workspaces that are public in this installation, oldest first.',
  method: 'GET',
  path: '/admin/workspaces/public',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['hub'] },
  query: z.object({
    ...pageQuery,
    workspaceIds: z.optional(oneOrMore(z.string())),
    search: z.optional(z.string().check(z.maxLength(500))),
  }),
  output: z.object({ workspaces: z.array(PublicWorkspaceView), meta }),
  statuses: [200],

  // Reads all remaining workspaces: a deployment has few, and a search reads each of them.
  handle: async ({ input: { pageSize = DEFAULT_PAGE_SIZE, workspaceIds, search }, pageStart = '', nextToken }) => {
    const ids = workspaceIds
      ? await filterPublicWorkspaceIds([...new Set(workspaceIds.filter(isWorkspaceId))])
      : await listPublicWorkspaceIds(pageStart || undefined);
    const found = (await findWorkspaces(ids.filter(id => id > pageStart).sort())).filter(
      each => isShownInPublic(each) && (search === undefined || isMatch(each, search.toLowerCase())),
    );
    const { records, last } = pageOf(found, pageSize);
    return ok({
      workspaces: records.map(viewPublicWorkspace),
      meta: last ? { nextToken: nextToken(last.id) } : {},
    });
  },
});

const isMatch = ({ name, handle = '', about = '' }: Workspace, needle: string) =>
  [name, handle, about].some(text => text.toLowerCase().includes(needle));
