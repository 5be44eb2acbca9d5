import { hasQuota, USAGE_TYPES, type UsageType } from '#shared/storage/dynamodb/workspace/usage.ts';
import { parsePairs } from './parsePairs.ts';

export const QUOTA_TYPES = USAGE_TYPES.filter(hasQuota);

export const parseQuotas = (text: string): Partial<Record<UsageType, number>> =>
  parsePairs(text, { kind: 'a quota', form: 'type=number, where the type', names: QUOTA_TYPES, maxDigits: 15 });
