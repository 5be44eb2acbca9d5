import * as z from 'zod/mini';
import { AnalyticsView, viewAnalytics } from '#shared/admin/analytics.ts';
import { requireBot } from '#shared/admin/bots.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/platform/operation.ts';
import { dayOf } from '#shared/dynamodb/keys/workspace.ts';
import { listAnalytics } from '#shared/dynamodb/workspace/analytics.ts';
import { invalidPayload } from '#shared/errors.ts';

const DAY_MS = 24 * 3600 * 1000;
const DAYS_LIMIT = 366;

const day = () =>
  z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: 'Must be a date, or a date and time (ISO 8601)',
  });

export const getBotAnalytics = adminOperation({
  name: 'getBotAnalytics',
  summary: 'What a bot was used for, day by day (UTC), days without use included.',
  method: 'GET',
  path: '/admin/bots/{id}/analytics',
  scope: 'account',
  table: 'reads',
  query: z.object({ startDate: day(), endDate: day() }),
  output: z.object({ records: z.array(AnalyticsView) }),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    const { id } = await requireBot(workspaceId, input.id);
    const [first, last] = [input.startDate, input.endDate].map(text => dayOf(Date.parse(text))) as [string, string];
    if (last < first) throw invalidPayload('Must not be before startDate.', 'endDate');
    const days = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
    if (days > DAYS_LIMIT) throw invalidPayload(`At most ${DAYS_LIMIT} days at once.`, 'endDate');
    const counts = await listAnalytics(id, first, last);
    const records = Array.from({ length: days }, (_, i) => dayOf(Date.parse(first) + i * DAY_MS));
    return ok({ records: records.map(each => viewAnalytics(each, counts.get(each))) });
  },
});
