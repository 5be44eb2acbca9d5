import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getAuditRecords } from './getAuditRecords.ts';

export default reference<typeof getAuditRecords>({
  parameters: {
    actorId: 'Account that made the changes.',
    kind: 'Action, or the first word of the value of an `UNKNOWN` action, such as `CREATE_BOT_API_KEY`.',
    since: 'Earliest time.',
    until: 'Latest time, inclusive.',
  },
  example: { path: { id: EXAMPLE.workspace }, query: { pageSize: '2' } },
  budget: { calls: 1 },
});
