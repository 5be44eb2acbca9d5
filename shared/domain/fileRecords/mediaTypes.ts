/** Imported lazily: 40 KB, only needed for uploads without a content type. */
export { default as mediaTypes } from 'mime';
