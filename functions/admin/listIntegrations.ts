import * as z from 'zod/mini';
import { requireBot } from '#shared/admin/bots/requireBot.ts';
import { IntegrationListItem, viewIntegrationListItem } from '#shared/admin/integrations/view.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { DEFAULT_PAGE_SIZE, pageQuery, queryBoolean } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { type Integration, listIntegrations as readAll } from '#shared/dynamodb/workspace/integrations.ts';
import { findWorkspace } from '#shared/dynamodb/workspace/workspaces.ts';

const SORTS = ['createdAt', 'updatedAt', 'name', 'popularity', 'installCount'] as const;

const query = z.object({
  ...pageQuery,
  limit: pageQuery.pageSize,
  name: z.optional(z.string()),
  version: z.optional(z.string()),
  interfaceId: z.optional(z.string()),
  interfaceName: z.optional(z.string()),
  installedByBotId: z.optional(z.string()),
  verificationStatus: z.optional(z.enum(['pending', 'unapproved', 'approved', 'rejected'])),
  search: z.optional(z.string().check(z.maxLength(500))),
  sortBy: z.optional(z.enum(SORTS)),
  direction: z.optional(z.enum(['asc', 'desc'])),
  visibility: z.optional(z.enum(['public', 'private'])),
  dev: z.optional(queryBoolean()),
});
type Query = z.infer<typeof query>;

export const listIntegrations = adminOperation({
  name: 'listIntegrations',
  summary: 'Lists the integrations of the workspace, newest first by default.',
  method: 'GET',
  path: '/admin/integrations',
  scope: 'account',
  table: 'reads',
  objects: 'readsAssets',
  query,
  output: z.object({ integrations: z.array(IntegrationListItem), meta }),
  statuses: [200],

  // Reads and sorts all of them: a workspace builds few, and an index for each order would cost more than it saves.
  handle: async ({ input, workspaceId, pageStart, nextToken }) => {
    const pageSize = input.pageSize ?? input.limit ?? DEFAULT_PAGE_SIZE;
    const [workspace, all, installed] = await Promise.all([
      findWorkspace(workspaceId),
      readAll(workspaceId),
      input.installedByBotId === undefined ? undefined : installedOn(workspaceId, input.installedByBotId),
    ]);
    const found = all.filter(each => isMatch(each, input) && (!installed || installed.has(each.id)));
    const inOrder = found.sort(orderOf(input));
    // The token carries all that the order depends on, so it works even after that integration was deleted.
    const last: Integration | undefined = pageStart === undefined ? undefined : JSON.parse(pageStart);
    const rest = last ? inOrder.filter(each => orderOf(input)(last, each) < 0) : inOrder;
    const page = rest.slice(0, pageSize);
    const end = page.at(-1);
    const views = page.map(async each => ({
      ...(await viewIntegrationListItem(each)),
      matchedOn: input.search === undefined ? undefined : matchOf(each, input.search),
      ownerWorkspace: workspace && { id: workspace.id, handle: workspace.handle ?? null, name: workspace.name },
    }));
    return ok({
      integrations: await Promise.all(views),
      meta: end && rest.length > pageSize ? { nextToken: nextToken(JSON.stringify(positionOf(end))) } : {},
    });
  },
});

async function installedOn(workspaceId: string, botId: string): Promise<Set<string>> {
  const { installations } = await requireBot(workspaceId, botId);
  return new Set(installations.map(({ integrationId }) => integrationId));
}

const isMatch = (integration: Integration, filters: Query) =>
  (filters.name === undefined || integration.name === filters.name) &&
  (filters.version === undefined || integration.version === filters.version) &&
  (filters.dev === undefined || integration.isDev === filters.dev) &&
  (filters.visibility === undefined || (integration.visibility === 'public') === (filters.visibility === 'public')) &&
  // Integrations are never verified here.
  (filters.verificationStatus === undefined || filters.verificationStatus === 'unapproved') &&
  (filters.interfaceId === undefined || integration.interfaces.some(({ id }) => id === filters.interfaceId)) &&
  (filters.interfaceName === undefined || integration.interfaces.some(({ name }) => name === filters.interfaceName)) &&
  (filters.search === undefined || matchOf(integration, filters.search) !== undefined);

/** The fields that a search matched; undefined for no match. */
function matchOf({ name, title, description, actionNames, interfaces }: Integration, search: string) {
  const needle = search.toLowerCase();
  const has = (text: string) => text.toLowerCase().includes(needle);
  const actions = actionNames.filter(has);
  const interfaceNames = interfaces.map(each => each.name).filter(has);
  const match = {
    ...(has(name) && { name: true }),
    ...(has(title) && { title: true }),
    ...(has(description) && { description: true }),
    ...(actions.length > 0 && { actions }),
    ...(interfaceNames.length > 0 && { interfaces: interfaceNames }),
  };
  return Object.keys(match).length > 0 ? match : undefined;
}

/** Everything that an order can depend on. */
const positionOf = ({ id, name, createdAtMs, updatedAtMs, installCount }: Integration) => ({
  id,
  name,
  createdAtMs,
  updatedAtMs,
  installCount,
});

/** Names sort ascending and everything else descending by default; the id breaks ties. */
function orderOf({ sortBy = 'createdAt', direction = sortBy === 'name' ? 'asc' : 'desc' }: Query) {
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (a: Integration, b: Integration) => {
    if (sortBy === 'name') return a.name < b.name ? -1 : Number(a.name > b.name);
    const field = { createdAt: 'createdAtMs', updatedAt: 'updatedAtMs' } as const;
    const key = sortBy === 'createdAt' || sortBy === 'updatedAt' ? field[sortBy] : 'installCount';
    return a[key] - b[key];
  };
  return (a: Integration, b: Integration) => sign * (compare(a, b) || (a.id < b.id ? -1 : Number(a.id > b.id)));
}
