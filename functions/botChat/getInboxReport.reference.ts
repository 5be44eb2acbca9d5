import { reference } from '#shared/api/reference/reference.ts';
import type { getInboxReport } from './getInboxReport.ts';

export default reference<typeof getInboxReport>({
  parameters: {
    botIds:
      'Bots of the workspace, up to 100. Ids of other bots are ignored. By default, the 100 bots that were updated last.',
    from: 'First day of the report, in the time zone.',
    to: 'Last day of the report, at most 92 days including `from`.',
    timeZone: 'Time zone of days and hours, by its name in the IANA database. Default: `UTC`.',
  },
  example: { query: { from: '2026-01-05', to: '2026-01-05', timeZone: 'Europe/Berlin' } },
  // Lists the bots. Queries the counters of each bot and of its members and the starts of handoffs; reads the handoffs.
  budget: { calls: 6 },
});
