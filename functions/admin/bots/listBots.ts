import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { PERMISSIONS } from '#shared/api/permissions.ts';
import { DEFAULT_PAGE_SIZE, oneOrMore, orJson, pageQuery, queryBoolean } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { BotListItem, viewBotListItem } from '#shared/domain/admin/bots/botView.ts';
import { findBotConditions } from '#shared/events/delivery/endpointStatus.ts';
import { type Bot, type ListPosition, listBots as queryBots } from '#shared/storage/dynamodb/bots/bots.ts';
import { findIntegrations } from '#shared/storage/dynamodb/integrations/integrations.ts';

const BOTS_A_QUERY = 100;
/** Bounds the reads of a page with a selective filter. The page then ends early, with a token. */
const QUERIES_A_PAGE = 10;

export const listBots = adminOperation({
  name: 'listBots',
  summary: 'Lists the bots of the workspace, newest first by default.',
  method: 'GET',
  path: '/admin/bots',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['workspaceLists', 'endpoints'] },
  query: z.object({
    ...pageQuery,
    dev: z.optional(queryBoolean()),
    tags: z.optional(orJson(z.record(z.string(), z.string()))),
    integrationNames: z.optional(oneOrMore(z.string())),
    pluginNames: z.optional(oneOrMore(z.string())),
    sortField: z.optional(z.enum(['createdAt', 'updatedAt'])),
    sortDirection: z.optional(z.enum(['asc', 'desc'])),
  }),
  output: z.object({ bots: z.array(BotListItem), meta }),
  statuses: [200],

  handle: async ({ input, workspaceId, role, botLimit, pageStart, nextToken }) => {
    const { pageSize = DEFAULT_PAGE_SIZE, sortField = 'createdAt', sortDirection = 'desc' } = input;
    const found: { bot: Bot; position: ListPosition }[] = [];
    let after: ListPosition | undefined = pageStart === undefined ? undefined : JSON.parse(pageStart);
    let isEnd = false;
    for (let queries = 0; !isEnd && found.length <= pageSize && queries < QUERIES_A_PAGE; queries++) {
      const page = await queryBots(
        workspaceId,
        { field: sortField, direction: sortDirection },
        { after, limit: BOTS_A_QUERY },
      );
      const visible = page.bots.filter(({ bot }) => botLimit?.includes(bot.id) ?? true);
      found.push(...(await matching(visible, input)));
      after = page.bots.at(-1)?.position ?? after;
      isEnd = page.isEnd;
    }
    const isFull = found.length > pageSize;
    const bots = found.slice(0, pageSize);
    const position = isFull ? bots.at(-1)!.position : after;
    // With one call per page, 0.5 read units per bot.
    const conditions =
      role in PERMISSIONS.admin.listBotEndpoints ? await findBotConditions(bots.map(each => each.bot)) : [];
    return ok({
      bots: bots.map(({ bot }, i) => viewBotListItem(bot, conditions[i])),
      meta: isFull || !isEnd ? { nextToken: nextToken(JSON.stringify(position)) } : {},
    });
  },
});

interface Filters {
  dev?: boolean | undefined;
  tags?: Record<string, string> | undefined;
  integrationNames?: string[] | undefined;
  pluginNames?: string[] | undefined;
}

async function matching<T extends { bot: Bot }>(
  listed: T[],
  { dev, tags = {}, integrationNames = [], pluginNames = [] }: Filters,
): Promise<T[]> {
  const candidates = listed.filter(
    ({ bot }) =>
      (dev === undefined || bot.isDev === dev) &&
      Object.entries(tags).every(([key, value]) => bot.tags[key] === value) &&
      pluginNames.every(name => bot.pluginNames.includes(name)),
  );
  if (integrationNames.length === 0) return candidates;
  const integrations = await findIntegrations(
    candidates.flatMap(({ bot }) => bot.installations.map(({ integrationId }) => integrationId)),
  );
  return candidates.filter(({ bot }) => {
    const names = new Set(bot.installations.map(({ integrationId }) => integrations.get(integrationId)?.name));
    return integrationNames.every(name => names.has(name));
  });
}
