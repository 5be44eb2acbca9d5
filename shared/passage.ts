/** What the text of a file is on its way into the index: blocks as they were found in it, then passages as they are kept. */

/** What a passage can be in its file, as the contract names it. */
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

/** A piece of a file in reading order, as its format marks it. */
export interface Block {
  type: PassageType;
  text: string;
  /** Of a title or subtitle: 1 for the highest. */
  level?: number;
  /** From 1, where the format has pages. */
  pageNumber?: number;
}

/** What is found by a search. */
export interface Passage {
  content: string;
  type: PassageType;
  pageNumber?: number;
  /** The titles above it, the highest first. */
  breadcrumb: string[];
}

/** What the caller chose of the contract's configuration, as far as it changes what is done. */
export interface IndexingSettings {
  /** A paragraph shorter than this is joined with the next. In characters. */
  minimumParagraphLength: number;
  /** In characters. */
  maximumChunkLength: number;
}

/** A file has no text that can be indexed, for a reason that its owner can act on: it goes into `failedStatusReason`. */
export class UnreadableFileError extends Error {
  override readonly name = 'Unreadable';
}

/** The contract's: a bigger file can be stored, and not be indexed. */
export const INDEXABLE_LIMIT_MB = 95;
