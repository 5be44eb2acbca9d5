/** The types of usage that the platform measures. */
export const USAGE_TYPES = [
  { value: 'invocation_calls', label: 'Messages and calls' },
  { value: 'storage_count', label: 'File storage', isBytes: true },
  { value: 'bot_count', label: 'Bots' },
  { value: 'table_row_count', label: 'Table rows' },
  { value: 'indexed_file_count', label: 'Indexed files' },
  { value: 'knowledgebase_vector_storage', label: 'Search index', isBytes: true },
  { value: 'workspace_member_count', label: 'Members' },
  { value: 'integrations_owned_count', label: 'Integrations' },
  { value: 'ai_spend', label: 'Language model spend' },
] as const satisfies { value: string; label: string; isBytes?: boolean }[];
export type UsageType = (typeof USAGE_TYPES)[number]['value'];
