/** A column of a table, as the table's record keeps it. */

export const COLUMN_TYPES = ['string', 'number', 'boolean', 'object', 'array', 'null'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** What fills a column by itself. */
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
   * Under which rows hold its values: short, and never used for another column. So a column is renamed without touching a row, and one that
   * is removed, or becomes of another type, loses the values of all rows at once.
   */
  id: string;
  name: string;
  type: ColumnType;
  format?: 'date-time';
  description?: string;
  pattern?: string;
  enum?: string[];
  /** What the contract lets a column of type array or object declare, as JSON Schema. */
  items?: Record<string, unknown>;
  properties?: Record<string, Record<string, unknown>>;
  /** True unless said otherwise. */
  nullable: boolean;
  searchable?: boolean;
  hidden?: boolean;
  order?: number;
  width?: number;
  schemaId?: string;
  typings?: string;
  computed?: Computed;
}

/** What every row has besides its columns; no column is called so. */
export const SYSTEM_COLUMNS = ['id', 'createdAt', 'updatedAt', 'computed', 'stale', 'similarity'] as const;
