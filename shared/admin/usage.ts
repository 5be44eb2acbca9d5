/** Usage and quotas, as the admin interface shows them. */
import * as z from 'zod/mini';
import { monthOf } from '#shared/dynamodb/keys/workspace.ts';
import { findBot } from '#shared/dynamodb/workspace/bots.ts';
import {
  findQuotas,
  listChanges,
  type MonthlyChange,
  UNLIMITED,
  USAGE_TYPES,
  type UsageType,
  valueIn,
} from '#shared/dynamodb/workspace/usage.ts';
import { notFound } from '#shared/errors.ts';

export const usageType = () => z.enum(USAGE_TYPES);
/** A month; without one, the present. */
export const period = () =>
  z.optional(z.string().check(z.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, { error: 'Must be a month like 2026-11' })));
export const currentPeriod = monthOf;

export const UsageView = z.object({
  /** The workspace or bot. */
  id: z.string(),
  period: z.string(),
  value: z.number(),
  /** {@link UNLIMITED} when there is none. */
  quota: z.number(),
  type: usageType(),
});
export const QuotaView = z.object({ period: z.string(), value: z.number(), type: usageType() });

/** The largest file, as the specification has it. */
const FILE_MAX_SIZE_BYTES = 1024 ** 3;

export const quotaOf = (type: UsageType, quotas: Map<string, number>) =>
  quotas.get(type) ?? (type === 'file_max_size_bytes' ? FILE_MAX_SIZE_BYTES : UNLIMITED);

export type Subject = { id: string; botId?: string };

/** What usage can be asked of: the workspace itself, or a bot of it. @throws ApiError ResourceNotFound */
export async function requireSubject(workspaceId: string, id: string): Promise<Subject> {
  if (id === workspaceId) return { id };
  const bot = await findBot(id);
  if (bot?.workspaceId !== workspaceId) throw notFound(`The usage of ${id}`);
  return { id, botId: id };
}

const ofSubject = ({ botId }: Subject, changes: MonthlyChange[]) =>
  botId === undefined ? changes : changes.filter(each => each.botId === botId);

/** Usage of some types in some months: of each subject in turn, and of each of these its types. */
export async function showUsages(
  workspaceId: string,
  { subjects, types, months }: { subjects: readonly Subject[]; types: readonly UsageType[]; months: readonly string[] },
) {
  const [quotas, ...changesOf] = await Promise.all([
    findQuotas(workspaceId),
    ...types.map(type => listChanges(workspaceId, type)),
  ]);
  return subjects.flatMap(subject =>
    types.flatMap((type, i) => {
      const own = ofSubject(subject, changesOf[i]!);
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

/** The months from one to another, latest first. */
export function monthsBetween(firstMs: number, lastMs: number): string[] {
  const months: string[] = [];
  const date = new Date(lastMs);
  date.setUTCDate(1);
  for (; monthOf(date.getTime()) >= monthOf(firstMs); date.setUTCMonth(date.getUTCMonth() - 1)) {
    months.push(monthOf(date.getTime()));
  }
  return months;
}
