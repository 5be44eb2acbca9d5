/** A column, as the record of its table stores it. */

export const COLUMN_TYPES = ['string', 'number', 'boolean', 'object', 'array', 'null'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** How the values of a computed column are produced. */
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
  /**
   * The key of its values in rows: short, and never reused for another column. Renaming a column therefore touches no
   * row, and removing it, or changing its type, discards the values of all rows at once.
   */
  id: string;
  name: string;
  type: ColumnType;
  format?: 'date-time';
  description?: string;
  pattern?: string;
  enum?: string[];
  /** JSON Schema of the elements of an array, and of the properties of an object. */
  items?: Record<string, unknown>;
  properties?: Record<string, Record<string, unknown>>;
  /** True by default. */
  nullable: boolean;
  searchable?: boolean;
  hidden?: boolean;
  order?: number;
  width?: number;
  schemaId?: string;
  typings?: string;
  computed?: Computed;
}

/** Present in every row; reserved as column names. */
export const SYSTEM_COLUMNS = ['id', 'createdAt', 'updatedAt', 'computed', 'stale', 'similarity'] as const;
