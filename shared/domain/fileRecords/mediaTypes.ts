/**
 * Media types by file extension. Import it lazily: a table of 40 KB, needed only for uploads without a content type.
 */
export { default as mediaTypes } from 'mime';
