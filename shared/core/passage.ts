/** The text of a file on its way into the search index: blocks as extracted, then passages as stored. */

/** The contract's types of passages. */
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

/** A piece of a file's text, as its format marks it. */
export interface Block {
  type: PassageType;
  text: string;
  /** The level of a title or subtitle, 1 being the highest. */
  level?: number;
  /** From 1, where the format has pages. */
  pageNumber?: number;
}

/** The unit that a search finds. */
export interface Passage {
  content: string;
  type: PassageType;
  pageNumber?: number;
  /** The titles above it, the highest first. */
  breadcrumb: string[];
}

/** The part of the contract's indexing configuration that has an effect here (docs/compatibility.md#indexing). */
export interface IndexingSettings {
  /** In characters; a shorter paragraph is joined with the next. */
  minimumParagraphLength: number;
  /** In characters. */
  maximumChunkLength: number;
}

/** The file has no text to index. The message tells its owner why, in `failedStatusReason`. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

/** The contract's limit: a larger file can be stored but not indexed. */
export const INDEXABLE_LIMIT_MB = 95;
