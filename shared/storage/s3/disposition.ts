import { create } from 'content-disposition';
import { startOf } from '#shared/core/excerpt.ts';
import { isInvisible } from '#shared/core/text.ts';
import { isShownInline } from './inlineTypes.ts';

/** Encoded three times over in a URL of at most 8 KB. */
const NAME_LENGTH = 150;

/** Control characters, and marks that reverse the text, as in `exe.gpj`. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
/** Operating systems do not permit these in names. */
const RESERVED = /[\\/:*?"<>|]/g;

/** @returns a Content-Disposition with the name under which browsers save the content */
export const dispositionOf = (contentType: string, name: string): string =>
  create(safeName(name), { type: isShownInline(contentType) ? 'inline' : 'attachment' });

function safeName(name: string): string {
  const safe = name
    .replace(HIDDEN, '')
    .replace(RESERVED, '_')
    .replace(/[. ]+$/, '');
  if (safe === '' || isInvisible(safe)) return 'file';
  const extension = /\.[^.]{1,20}$/.exec(safe)?.[0] ?? '';
  return startOf(safe.slice(0, safe.length - extension.length), NAME_LENGTH - extension.length) + extension;
}
