/** Import lazily: 40 KB, used only for uploads without a content type. */
export { default as mediaTypes } from 'mime';
