import * as z from 'zod/mini';
import { listHandoffStarts, readHandoffs } from '#shared/storage/dynamodb/chat/handoffLists.ts';
import { startedAtMs } from '#shared/storage/dynamodb/chat/handoffs.ts';
import type { Listed } from '#shared/storage/dynamodb/lists/lists.ts';

/** Number of handoffs whose reasons a report reads. Each costs one read unit. */
const MAX_READ_REASONS = 1_000;
const MAX_SHOWN_REASONS = 20;

export const ReasonsView = z.object({
  reasons: z.array(z.object({ text: z.string(), count: z.number() })),
  withoutReason: z.number(),
  isPartial: z.boolean(),
});

/**
 * Groups the reasons of the latest handoffs that started in a range, most frequent first. Texts that differ only in
 * case and white space are one reason, shown as it was written last.
 */
export async function readReasons(
  botIds: readonly string[],
  range: { fromMs: number; toMs: number; isIncluded: (ms: number) => boolean },
): Promise<z.infer<typeof ReasonsView>> {
  const entries: Listed[] = [];
  let isPartial = false;
  for await (const entry of listHandoffStarts(botIds, range)) {
    if (entries.length === MAX_READ_REASONS) {
      isPartial = true;
      break;
    }
    entries.push(entry);
  }
  const handoffs = (await readHandoffs(entries)).filter(each => range.isIncluded(startedAtMs(each)));
  const groups = new Map<string, { text: string; count: number }>();
  for (const { reason = '' } of handoffs) {
    const text = reason.normalize().trim().replaceAll(/\s+/g, ' ');
    const key = text.toLowerCase();
    const group = groups.get(key) ?? { text, count: 0 };
    groups.set(key, { ...group, count: group.count + 1 });
  }
  const withoutReason = groups.get('')?.count ?? 0;
  groups.delete('');
  const reasons = [...groups.values()].sort((a, b) => b.count - a.count).slice(0, MAX_SHOWN_REASONS);
  return { reasons, withoutReason, isPartial };
}
