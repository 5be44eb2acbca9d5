import { create } from 'content-disposition';
import { isInvisible } from '#shared/core/text.ts';
import { isShownInline } from './inlineTypes.ts';

/**
 * UTF-8 bytes of a name. File systems permit 255, and browsers append a number. A byte takes up to eight characters of
 * the presigned URL, because both forms of the name are encoded again, and CloudFront accepts 8,192 in a URL.
 */
const NAME_BYTES = 200;

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
  const stem = safe.slice(0, safe.length - extension.length);
  return startInBytes(stem, NAME_BYTES - Buffer.byteLength(extension)) + extension.toWellFormed();
}

function startInBytes(text: string, bytes: number): string {
  let [start, left] = ['', bytes];
  for (const character of text.toWellFormed()) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    start += character;
  }
  return start;
}
