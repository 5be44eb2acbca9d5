import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { DAY_MS, dayOf } from '#shared/core/calendar.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { AnalyticsView, viewAnalytics } from '#shared/domain/admin/analyticsView.ts';
import { requireBot } from '#shared/domain/admin/bots/requireBot.ts';
import { listAnalytics } from '#shared/storage/dynamodb/bots/analytics.ts';

const DAYS_LIMIT = 366;

const day = () =>
  z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: 'Must be a date, or a date and time (ISO 8601)',
  });

export const getBotAnalytics = adminOperation({
  name: 'getBotAnalytics',
  summary: 'Gets the analytics of a bot for each day (UTC) in a range, including days without activity.',
  method: 'GET',
  path: '/admin/bots/{id}/analytics',
  scope: 'account',
  table: 'reads',
  partitions: { reads: ['analytics'] },
  query: z.object({ startDate: day(), endDate: day() }),
  output: z.object({ records: z.array(AnalyticsView) }),
  statuses: [200],

  handle: async ({ input, workspaceId }) => {
    const { id } = await requireBot(workspaceId, input.id);
    const [first, last] = [input.startDate, input.endDate].map(text => dayOf(Date.parse(text))) as [string, string];
    if (last < first) throw invalidPayload('Must not be before startDate.', 'endDate');
    const days = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
    if (days > DAYS_LIMIT) throw invalidPayload(`The range may have at most ${DAYS_LIMIT} days.`, 'endDate');
    const counts = await listAnalytics(id, first, last);
    const records = Array.from({ length: days }, (_, i) => dayOf(Date.parse(first) + i * DAY_MS));
    return ok({ records: records.map(each => viewAnalytics(each, counts.get(each))) });
  },
});
