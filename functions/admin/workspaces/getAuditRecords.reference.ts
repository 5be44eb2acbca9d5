import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getAuditRecords } from './getAuditRecords.ts';

export default reference<typeof getAuditRecords>({
  example: { path: { id: EXAMPLE.workspace }, query: { pageSize: '2' } },
  budget: { calls: 1 },
});
