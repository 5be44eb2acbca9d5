/** Reads quotas as an operator writes them: `bot_count=10,storage_count=1000000000`. */
import { hasQuota, USAGE_TYPES, type UsageType } from '#shared/storage/dynamodb/workspace/usage.ts';
import { parsePairs } from './parsePairs.ts';

/** The types that can have a quota. */
export const QUOTA_TYPES = USAGE_TYPES.filter(hasQuota);

/** @throws Error that names the part that is wrong */
export const parseQuotas = (text: string): Partial<Record<UsageType, number>> =>
  parsePairs(text, { kind: 'a quota', form: 'type=number, where the type', names: QUOTA_TYPES, maxDigits: 15 });
