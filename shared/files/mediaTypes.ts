/** Media types by the ending of a key. A table of 40 KB: a function loads this only for an upload that does not say its type. */
export { default as mediaTypes } from 'mime';
