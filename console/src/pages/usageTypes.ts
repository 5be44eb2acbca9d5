/** The types of usage that the platform measures. */
export const USAGE_TYPES = [
  'invocation_calls',
  'storage_count',
  'bot_count',
  'table_row_count',
  'indexed_file_count',
  'knowledgebase_vector_storage',
  'workspace_member_count',
  'integrations_owned_count',
  'ai_spend',
] as const;
export type UsageType = (typeof USAGE_TYPES)[number];

export const isKnown = (type: string): type is UsageType => USAGE_TYPES.some(each => each === type);

const IN_BYTES = new Set(['storage_count', 'knowledgebase_vector_storage']);
export const inBytes = (type: string): boolean => IN_BYTES.has(type);
