export const PASSAGE_TYPES = [
  'title',
  'subtitle',
  'paragraph',
  'blockquote',
  'list',
  'table',
  'code',
  'image',
] as const;
export type PassageType = (typeof PASSAGE_TYPES)[number];

export interface Block {
  type: PassageType;
  text: string;
  level?: number;
  pageNumber?: number;
}

/** Maximum number of texts about unread parts of a file. */
export const UNREAD_LIMIT = 10;
/** Maximum length of each. */
export const UNREAD_LIMIT_CHARS = 200;

export interface Passage {
  content: string;
  type: PassageType;
  pageNumber?: number;
  breadcrumb: string[];
}

/** Supported part of the contract's indexing configuration (docs/api/files.md#indexing). */
export interface IndexingSettings {
  minimumParagraphLength: number;
  maximumChunkLength: number;
}

/** The file has no text to index. The message becomes `failedStatusReason`. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

/** The contract's limit. Larger files are stored without an index. */
export const INDEXABLE_LIMIT_MB = 95;
