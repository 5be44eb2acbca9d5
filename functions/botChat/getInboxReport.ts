import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { oneOrMore } from '#shared/api/platform/queryInputs.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { text } from '#shared/core/text.ts';
import { inboxBots } from '#shared/domain/botChat/handoffs/queryInbox.ts';
import { isTimeZone } from '#shared/domain/botChat/reports/localHours.ts';
import { daysOf, ReportView, readReport } from '#shared/domain/botChat/reports/readReport.ts';

const MAX_DAYS = 92;
const [FIRST_DATE, LAST_DATE] = ['2000-01-01', '2080-12-31'];

const date = () =>
  z.iso
    .date({ error: 'Must be a date, for example 2026-01-31' })
    .check(
      z.refine(day => day >= FIRST_DATE && day <= LAST_DATE, { error: `Must be from ${FIRST_DATE} to ${LAST_DATE}` }),
    );

export const getInboxReport = botChatOperation({
  name: 'getInboxReport',
  summary:
    'Reports on conversations, handoffs, response times and ratings of up to 100 bots of the workspace, on up to 92 days.',
  scope: 'account',
  method: 'GET',
  path: '/chat/inbox/report',
  table: 'reads',
  partitions: { reads: ['reports', 'workspaces', 'workspaceLists'] },
  query: z.object({
    botIds: z.optional(oneOrMore(text(200))),
    from: date(),
    to: date(),
    timeZone: z._default(
      z
        .string()
        .check(z.refine(isTimeZone, { error: 'Must be a time zone of the IANA database, for example Europe/Berlin' })),
      'UTC',
    ),
  }),
  output: z.object({ report: ReportView, isPartial: z.boolean() }),
  statuses: [200],

  handle: async call => {
    const { botIds: wanted, from, to, timeZone } = call.input;
    if (to < from) throw invalidPayload('Must not be before from.', 'to');
    if (daysOf({ from, to }) > MAX_DAYS) throw invalidPayload(`The range may have at most ${MAX_DAYS} days.`, 'to');
    const { botIds, isPartial } = await inboxBots(call, wanted);
    return ok({ report: await readReport(botIds, { from, to }, timeZone), isPartial });
  },
});
