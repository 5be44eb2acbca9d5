export const COLUMN_TYPES = ['string', 'number', 'boolean', 'object', 'array', 'null'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

export interface Computed {
  action: 'ai' | 'code' | 'workflow';
  dependencies?: string[];
  prompt?: string;
  code?: string;
  model?: string;
  workflowId?: string;
  enabled?: boolean;
}

export interface Column {
  /** Short key of the values, never reused. Renames write no row, and removals discard all values immediately. */
  id: string;
  name: string;
  type: ColumnType;
  format?: 'date-time';
  description?: string;
  pattern?: string;
  enum?: string[];
  items?: Record<string, unknown>;
  properties?: Record<string, Record<string, unknown>>;
  nullable: boolean;
  searchable?: boolean;
  hidden?: boolean;
  order?: number;
  width?: number;
  schemaId?: string;
  typings?: string;
  computed?: Computed;
}

export const SYSTEM_COLUMNS = ['id', 'createdAt', 'updatedAt', 'computed', 'stale', 'similarity'] as const;
