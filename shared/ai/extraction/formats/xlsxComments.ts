/** Comments of Excel: notes, and threads of replies. */
import type { Archive } from './openArchive.ts';
import { type Relation, readXml } from './xml.ts';

/** Excel stores a thread also as a note for older programs, which begins with an explanation. */
const COPY_OF_THREAD = /^[A-Z]+\d+: \[[^\]]+\]\s/;

/** @param related the relations of a sheet */
export async function readComments(archive: Archive, related: Relation[]): Promise<string[]> {
  const partsOf = (wanted: string) => related.filter(({ type }) => type === wanted).map(({ part }) => part);
  const threads: string[] = [];
  for (const part of partsOf('threadedComment')) threads.push(...(await readTexts(archive, part, 'threadedComment')));
  const notes: string[] = [];
  for (const part of partsOf('comments')) notes.push(...(await readTexts(archive, part, 'comment')));
  return [...(threads.length > 0 ? notes.filter(note => !COPY_OF_THREAD.test(note)) : notes), ...threads];
}

/** Returns the comments of a part, each with its cell: `B2: Wrong since May`. */
async function readTexts(archive: Archive, part: string, element: string): Promise<string[]> {
  const comments: { cell: string; text: string }[] = [];
  let isText = false;
  let isPhonetic = false;
  await readXml(archive, part, {
    open(name, { ref = '' }) {
      if (name === element) comments.push({ cell: ref, text: '' });
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 't' || (name === 'text' && element === 'threadedComment')) isText = !isPhonetic;
    },
    close(name) {
      if (name === 't' || name === 'text') isText = false;
      else if (name === 'rPh') isPhonetic = false;
    },
    text(chunk) {
      const comment = comments.at(-1);
      if (isText && comment) comment.text += chunk;
    },
  });
  return comments.filter(({ text }) => text.trim() !== '').map(({ cell, text }) => `${cell}: ${text.trim()}`);
}
