import * as z from 'zod/mini';
import { monthOf } from '#shared/core/calendar.ts';
import { notFound } from '#shared/core/errors.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import {
  findQuotas,
  listChanges,
  type MonthlyChange,
  UNLIMITED,
  USAGE_TYPES,
  type UsageType,
  valueIn,
} from '#shared/storage/dynamodb/workspace/usage.ts';

export const usageType = () => z.enum(USAGE_TYPES);
export const period = () =>
  z.optional(z.string().check(z.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, { error: 'Must be a month like 2026-11' })));
export const UsageView = z.object({
  id: z.string(),
  period: z.string(),
  value: z.number(),
  /** {@link UNLIMITED} without a quota. */
  quota: z.number(),
  type: usageType(),
});
export const QuotaView = z.object({ period: z.string(), value: z.number(), type: usageType() });

/** See docs/api/files.md#files. */
const FILE_MAX_SIZE_BYTES = 1024 ** 3;

export const quotaOf = (type: UsageType, quotas: Map<string, number>) =>
  quotas.get(type) ?? (type === 'file_max_size_bytes' ? FILE_MAX_SIZE_BYTES : UNLIMITED);

export type Subject = { id: string; botId?: string };

/** Resolves the id of the workspace or of one of its bots. @throws ApiError ResourceNotFound */
export async function requireSubject(
  { workspaceId, botLimit }: { workspaceId: string; botLimit?: readonly string[] | undefined },
  id: string,
): Promise<Subject> {
  if (id === workspaceId) return { id };
  const isVisible = botLimit?.includes(id) ?? true;
  const bot = isVisible ? await findBot(id) : undefined;
  if (bot?.workspaceId !== workspaceId) throw notFound(`The usage of ${id}`);
  return { id, botId: id };
}

const changesOf = ({ botId }: Subject, changes: MonthlyChange[]) =>
  botId === undefined ? changes : changes.filter(each => each.botId === botId);

export async function showUsages(
  workspaceId: string,
  { subjects, types, months }: { subjects: readonly Subject[]; types: readonly UsageType[]; months: readonly string[] },
) {
  const [quotas, ...changes] = await Promise.all([
    findQuotas(workspaceId),
    ...types.map(type => listChanges(workspaceId, type, months)),
  ]);
  return subjects.flatMap(subject =>
    types.flatMap((type, i) => {
      const own = changesOf(subject, changes[i]!);
      return months.map(month => ({
        id: subject.id,
        period: month,
        value: valueIn(type, month, own),
        quota: quotaOf(type, quotas),
        type,
      }));
    }),
  );
}

/** Returns the months between two times, latest first. */
export function monthsBetween(firstMs: number, lastMs: number): string[] {
  const months: string[] = [];
  const date = new Date(lastMs);
  date.setUTCDate(1);
  for (; monthOf(date.getTime()) >= monthOf(firstMs); date.setUTCMonth(date.getUTCMonth() - 1)) {
    months.push(monthOf(date.getTime()));
  }
  return months;
}
