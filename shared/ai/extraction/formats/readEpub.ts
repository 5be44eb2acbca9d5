/** EPUB: the chapters in reading order, below the title of the book. */

import { type Block, UnreadableFileError } from '#shared/core/passage.ts';
import { decodeText } from './decodeText.ts';
import { type Archive, readWhole } from './openArchive.ts';
import { lowered } from './readEmbedded.ts';
import { readHtml } from './readHtml.ts';
import { type Unread, unreadParts } from './unread.ts';
import { attribute, readXml, resolvePart } from './xml.ts';

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
const CHAPTERS_LIMIT = 10_000;
/** HTML ignores that XML closes an element at once, and would read the rest of the page as its content. */
const SELF_CLOSED =
  /<((?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)[a-z][\w:-]*)(\s[^<>]*)?\/>/gi;

interface Book {
  title: string;
  creators: string[];
  chapters: string[];
}

export async function* readEpub(archive: Archive): AsyncGenerator<Block | Unread> {
  const book = await readPackage(archive);
  const encrypted = await listEncrypted(archive);
  const readable = book.chapters.filter(part => !encrypted.has(part.toLowerCase()));
  if (readable.length === 0 && book.chapters.length > 0) {
    throw new UnreadableFileError('The book is protected against copying (DRM). Upload a version without protection.');
  }
  if (book.title) yield { type: 'title', text: book.title, level: 1 };
  if (book.creators.length > 0) yield { type: 'paragraph', text: book.creators.join(', ') };
  for (const part of readable) {
    const text = await decodeText(await readWhole(archive, part), 'application/xhtml+xml');
    const html = text.replace(SELF_CLOSED, '<$1$2></$1>');
    for (const block of readHtml(html)) {
      const isBookTitle = block.type === 'title' && block.text === book.title;
      if (!isBookTitle) yield lowered(block, book.title ? 1 : 0);
    }
  }
  yield unreadParts('chapter', book.chapters.length - readable.length);
}

async function readPackage(archive: Archive): Promise<Book> {
  let packagePart = '';
  await readXml(archive, CONTAINER, {
    open(name, attributes) {
      if (name === 'rootfile') packagePart ||= attribute(attributes, 'full-path') ?? '';
    },
  });
  if (!archive.has(packagePart))
    throw new UnreadableFileError('The file is damaged: the book has no table of contents.');
  const items = new Map<string, string>();
  const chapters = new Set<string>();
  const creators: string[] = [];
  let title = '';
  let text: string | undefined;
  await readXml(archive, packagePart, {
    open(name, { id = '', href = '', idref = '' }) {
      if (name === 'title' || name === 'creator') text = '';
      else if (name === 'item') items.set(id, resolvePart(href, packagePart) ?? '');
      else if (name === 'itemref') {
        const part = items.get(idref);
        if (part && archive.has(part) && chapters.size < CHAPTERS_LIMIT) chapters.add(part);
      }
    },
    close(name) {
      if (text !== undefined && name === 'title') title ||= text.trim();
      if (text !== undefined && name === 'creator' && text.trim()) creators.push(text.trim());
      text = undefined;
    },
    text(chunk) {
      if (text !== undefined) text += chunk;
    },
  });
  return { title, creators, chapters: [...chapters] };
}

/** Returns the encrypted parts in lower case. */
async function listEncrypted(archive: Archive): Promise<Set<string>> {
  const parts = new Set<string>();
  if (!archive.has(ENCRYPTION)) return parts;
  await readXml(archive, ENCRYPTION, {
    open(name, attributes) {
      const part = name === 'CipherReference' && resolvePart(attribute(attributes, 'URI') ?? '', '');
      if (part) parts.add(part.toLowerCase());
    },
  });
  return parts;
}
