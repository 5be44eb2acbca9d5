import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { dateTime, iso, meta, pageOf } from '#shared/api/views.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { AUDIT_ACTIONS, type AuditRecord, kindOf, listAudit } from '#shared/storage/dynamodb/workspace/audit.ts';

const RECORDS_A_QUERY = 200;
/** Bounds the reads of a page with a selective filter. The page then ends early, with a token. */
const QUERIES_A_PAGE = 5;

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

const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

export const getAuditRecords = adminOperation({
  name: 'getAuditRecords',
  summary: 'Lists the audit records of a workspace, newest first.',
  method: 'GET',
  path: '/admin/workspaces/{id}/audit-records',
  scope: 'account',
  workspaceIn: 'id',
  table: 'reads',
  partitions: { reads: ['audit'] },
  query: z.object({
    ...pageQuery,
    actorId: z.optional(z.string().check(z.maxLength(100))),
    kind: z.optional(z.string().check(z.maxLength(100))),
    since: z.optional(z.iso.datetime({ offset: true })),
    until: z.optional(z.iso.datetime({ offset: true })),
  }),
  output: z.object({ records: z.array(AuditRecordView), meta }),
  statuses: [200],

  handle: async ({ input, workspaceId, pageStart, nextToken }) => {
    const { pageSize = DEFAULT_PAGE_SIZE, actorId, kind, since, until } = input;
    const isFiltered = actorId !== undefined || kind !== undefined;
    const limit = isFiltered ? RECORDS_A_QUERY : pageSize + 1;
    const range = { sinceMs: timeOf(since), untilMs: timeOf(until) };
    if ((range.sinceMs ?? 0) > (range.untilMs ?? Number.POSITIVE_INFINITY)) {
      throw invalidPayload('Must not be before since.', 'until');
    }
    const found: AuditRecord[] = [];
    let before = pageStart;
    let isEnd = false;
    for (let queries = 0; !isEnd && found.length <= pageSize && queries < QUERIES_A_PAGE; queries++) {
      const read = await listAudit(workspaceId, { before, limit, ...range });
      found.push(
        ...read.filter(
          each => (actorId === undefined || each.userId === actorId) && (kind === undefined || kindOf(each) === kind),
        ),
      );
      before = read.at(-1)?.sk ?? before;
      isEnd = read.length < limit;
    }
    const { records, last } = pageOf(found, pageSize);
    const next = last ? last.sk : isEnd ? undefined : before;
    return ok({ records: records.map(view), meta: next === undefined ? {} : { nextToken: nextToken(next) } });
  },
});
