/** Email: subject, addresses, text, and the attachments that can be read. Also web pages saved as one file (.mht). */
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { startOf } from '#shared/core/excerpt.ts';
import type { Block } from '#shared/core/passage.ts';
import { below, lowered, type ReadEmbedded } from './readEmbedded.ts';
import { readHtml } from './readHtml.ts';
import { readText } from './readText.ts';
import type { Unread } from './unread.ts';

/** Parts in parts. Real emails have three to five. */
const NESTING_LIMIT = 50;
const HEADERS_LIMIT_BYTES = 1024 * 1024;
const ADDRESSES_LIMIT = 100;
const NAME_CHARS = 200;
/** The text of an email is below its subject. */
const SUBJECT_LEVEL = 1;
const ATTACHMENT_LEVEL = 2;

export async function* readEmail(bytes: Uint8Array, readEmbedded: ReadEmbedded): AsyncGenerator<Block | Unread> {
  const email = await PostalMime.parse(bytes, {
    // Attached emails are files with a depth limit.
    forceRfc822Attachments: true,
    maxNestingDepth: NESTING_LIMIT,
    maxHeadersSize: HEADERS_LIMIT_BYTES,
  });
  if (email.subject?.trim()) yield { type: 'title', text: email.subject, level: SUBJECT_LEVEL };
  const header = headerOf(email);
  if (header) yield { type: 'paragraph', text: header };
  for (const block of bodyOf(email)) yield block;
  for (const attachment of email.attachments) yield* readAttachment(attachment, readEmbedded);
}

function headerOf({ from, to, cc, date }: Email): string {
  const lines = [
    ['From', from ? [from] : []],
    ['To', to ?? []],
    ['Cc', cc ?? []],
  ] as const;
  const addresses = lines.flatMap(([name, people]) => {
    const texts = people.map(addressOf).filter(Boolean).slice(0, ADDRESSES_LIMIT);
    return texts.length > 0 ? [`${name}: ${texts.join(', ')}`] : [];
  });
  return [...addresses, ...(date ? [`Date: ${date}`] : [])].join('\n');
}

function addressOf({ name, address }: Address): string {
  return name && address ? `${name} <${address}>` : (address ?? name ?? '');
}

function bodyOf({ html, text }: Email): Block[] {
  const blocks = html ? readHtml(html).map(block => lowered(block, SUBJECT_LEVEL)) : [];
  return blocks.length > 0 ? blocks : [...readText((text ?? '').trim())];
}

async function* readAttachment(
  { filename, mimeType, content, related }: Attachment,
  readEmbedded: ReadEmbedded,
): AsyncGenerator<Block | Unread> {
  const isPictureOfText = related === true && mimeType.startsWith('image/');
  if (isPictureOfText) return;
  const isEmail = mimeType === 'message/rfc822';
  const name = startOf(filename?.trim() || (isEmail ? 'email.eml' : 'attachment'), NAME_CHARS);
  yield { type: 'subtitle', text: name, level: ATTACHMENT_LEVEL };
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  if (bytes.length > 0) yield* below(ATTACHMENT_LEVEL, readEmbedded(bytes, { contentType: mimeType, key: name }));
}
