import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { DAY_MS } from '#shared/core/calendar.ts';
import { clock } from '#shared/core/clock.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { EXPORT_STATUSES, type Export, findExport, listExports } from '#shared/storage/dynamodb/tenants/exports.ts';

/** Exports per workspace in 24 hours. Each export reads all data of the workspace. */
const EXPORTS_A_DAY = 5;

export const ExportView = z.object({
  id: z.string(),
  status: z.enum(EXPORT_STATUSES),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  lines: z.number(),
  objects: z.number(),
  bytes: z.number(),
  failureReason: z.optional(z.string()),
  expiresAt: dateTime(),
  url: z.optional(z.string()),
});

export const viewExport = ({ id, status, createdAtMs, updatedAtMs, lines, objects, bytes, reason, ttl }: Export) => ({
  id,
  status,
  createdAt: iso(createdAtMs),
  updatedAt: iso(updatedAtMs),
  lines,
  objects,
  bytes,
  ...(reason === undefined ? {} : { failureReason: reason }),
  expiresAt: iso(ttl * 1000),
});

export async function requireExport(workspaceId: string, id: string): Promise<Export> {
  const found = await findExport(workspaceId, id);
  if (!found || found.ttl * 1000 < clock.now()) throw notFound(`The export ${startOf(id, 100)}`);
  return found;
}

export async function requireRoomForExport(workspaceId: string, nowMs: number): Promise<void> {
  const recent = (await listExports(workspaceId)).filter(({ createdAtMs }) => createdAtMs > nowMs - DAY_MS);
  if (recent.length < EXPORTS_A_DAY) return;
  const next = iso(recent.at(-EXPORTS_A_DAY)!.createdAtMs + DAY_MS);
  throw new ApiError(
    'RateLimited',
    `A workspace can be exported ${EXPORTS_A_DAY} times in 24 hours. Retry after ${next}, or export it with npm run export as the operator.`,
  );
}
