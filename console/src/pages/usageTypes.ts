/** The kinds of usage that the platform measures, in words. */
export const USAGE_TYPES = [
  { value: 'invocation_calls', label: 'Messages and calls in a month' },
  { value: 'storage_count', label: 'Bytes in files' },
  { value: 'bot_count', label: 'Bots' },
  { value: 'table_row_count', label: 'Rows in tables' },
  { value: 'indexed_file_count', label: 'Files that can be searched' },
  { value: 'knowledgebase_vector_storage', label: 'Bytes for search' },
  { value: 'workspace_member_count', label: 'Members' },
  { value: 'integrations_owned_count', label: 'Integrations' },
  { value: 'ai_spend', label: 'Spent on language models' },
] as const;
export type UsageType = (typeof USAGE_TYPES)[number]['value'];
