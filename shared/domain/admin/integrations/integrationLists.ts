/** Lists of a workspace's integrations and of the hub, which are read completely, filtered and sorted. */
import * as z from 'zod/mini';
import { DEFAULT_PAGE_SIZE, pageQuery, queryBoolean } from '#shared/api/platform/queryInputs.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import type { Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { viewIntegrationListItem } from './integrationView.ts';

const SORTS = ['createdAt', 'updatedAt', 'name', 'popularity', 'installCount'] as const;

const fields = {
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
};
export const hubQuery = z.object(fields);
export const workspaceQuery = z.object({
  ...fields,
  visibility: z.optional(z.enum(['public', 'private'])),
  dev: z.optional(queryBoolean()),
});
type Query = z.infer<typeof workspaceQuery>;

interface Page {
  input: Query;
  workspaceId: string;
  pageStart: string | undefined;
  nextToken: (position: string) => string;
}

export async function listPage(all: Integration[], { input, workspaceId, pageStart, nextToken }: Page) {
  const pageSize = input.pageSize ?? input.limit ?? DEFAULT_PAGE_SIZE;
  const installed =
    input.installedByBotId === undefined ? undefined : await installedOn(workspaceId, input.installedByBotId);
  const found = all.filter(each => isMatch(each, input) && (!installed || installed.has(each.id)));
  const inOrder = found.sort(orderOf(input));
  // The token contains all sort keys, so it stays valid after the integration's deletion.
  const last: Integration | undefined = pageStart === undefined ? undefined : JSON.parse(pageStart);
  const rest = last ? inOrder.filter(each => orderOf(input)(last, each) < 0) : inOrder;
  const page = rest.slice(0, pageSize);
  const end = page.at(-1);
  const views = page.map(async each => ({
    integration: each,
    view: {
      ...(await viewIntegrationListItem(each)),
      matchedOn: input.search === undefined ? undefined : matchOf(each, input.search),
    },
  }));
  return {
    page: await Promise.all(views),
    meta: end && rest.length > pageSize ? { nextToken: nextToken(JSON.stringify(positionOf(end))) } : {},
  };
}

async function installedOn(workspaceId: string, botId: string): Promise<Set<string>> {
  const { installations } = await requireBot(workspaceId, botId);
  return new Set(installations.map(({ integrationId }) => integrationId));
}

const isMatch = (integration: Integration, filters: Query) =>
  (filters.name === undefined || integration.name === filters.name) &&
  (filters.version === undefined || integration.version === filters.version) &&
  (filters.dev === undefined || integration.isDev === filters.dev) &&
  (filters.visibility === undefined || (integration.visibility === 'public') === (filters.visibility === 'public')) &&
  (filters.verificationStatus === undefined || filters.verificationStatus === 'unapproved') &&
  (filters.interfaceId === undefined || integration.interfaces.some(({ id }) => id === filters.interfaceId)) &&
  (filters.interfaceName === undefined || integration.interfaces.some(({ name }) => name === filters.interfaceName)) &&
  (filters.search === undefined || matchOf(integration, filters.search) !== undefined);

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

const positionOf = ({ id, name, createdAtMs, updatedAtMs, installCount }: Integration) => ({
  id,
  name,
  createdAtMs,
  updatedAtMs,
  installCount,
});

/** Names sort ascending by default, other fields descending. Ids break ties. */
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
