import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { dateTime, iso, meta, pageOf } from '#shared/api/views.ts';
import { AUDIT_ACTIONS, type AuditRecord, listAudit } from '#shared/storage/dynamodb/workspace/audit.ts';

const AuditRecordView = z.object({
  id: z.string(),
  recordedAt: dateTime(),
  userId: z.nullable(z.string()),
  userEmail: z.nullable(z.string()),
  resourceId: z.nullable(z.string()),
  resourceName: z.nullable(z.string()),
  value: z.nullable(z.string()),
  action: z.enum(AUDIT_ACTIONS),
});

const view = ({ recordedAtMs, sk: _, ...record }: AuditRecord) => ({ ...record, recordedAt: iso(recordedAtMs) });

export const getAuditRecords = adminOperation({
  name: 'getAuditRecords',
  summary: 'Lists the audit records of a workspace, newest first.',
  method: 'GET',
  path: '/admin/workspaces/{id}/audit-records',
  scope: 'account',
  workspaceIn: 'id',
  table: 'reads',
  partitions: { reads: ['audit'] },
  query: z.object(pageQuery),
  output: z.object({ records: z.array(AuditRecordView), meta }),
  statuses: [200],

  handle: async ({ input: { pageSize = DEFAULT_PAGE_SIZE }, workspaceId, pageStart, nextToken }) => {
    const found = await listAudit(workspaceId, { before: pageStart, limit: pageSize + 1 });
    const { records, last } = pageOf(found, pageSize);
    return ok({ records: records.map(view), meta: last ? { nextToken: nextToken(last.sk) } : {} });
  },
});
