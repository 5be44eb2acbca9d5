/** Reads quotas as an operator writes them: `bot_count=10,storage_count=1000000000`. */
import { hasQuota, USAGE_TYPES, type UsageType } from '#shared/dynamodb/workspace/usage.ts';

/** The types that can have a quota. */
export const QUOTA_TYPES = USAGE_TYPES.filter(hasQuota);

/** @throws Error that names the part that is wrong */
export function parseQuotas(text: string): Partial<Record<UsageType, number>> {
  const pairs = text.split(',').map(part => {
    const [, type, value] = /^\s*(\w+)\s*=\s*(\d{1,15})\s*$/.exec(part) ?? [];
    if (!QUOTA_TYPES.includes(type as UsageType)) {
      throw new Error(
        `"${part}" is not a quota. Write type=number, where the type is one of ${QUOTA_TYPES.join(', ')}.`,
      );
    }
    return [type, Number(value)];
  });
  return Object.fromEntries(pairs);
}
