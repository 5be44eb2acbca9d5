/** The child process that reads one file (see `readPassages.ts`). */

import type { FileFacts } from '#shared/ai/extraction/formats/detectFormat.ts';
import { type IndexingSettings, type Passage, UnreadableFileError } from '#shared/core/passage.ts';
import { cutPassages } from './cutPassages.ts';
import { extract } from './extract.ts';

export interface Task extends FileFacts {
  bytes: Uint8Array;
  settings: IndexingSettings;
  passagesLimit: number;
}

export type Result = { passages: Passage[]; unread: string[] } | { unreadable: string };

async function read({ bytes, settings, passagesLimit, ...facts }: Task): Promise<Result> {
  try {
    const { blocks, unread } = await extract(bytes, facts);
    const passages = cutPassages(blocks, settings);
    if (passages.length <= passagesLimit) return { passages, unread };
    const [found, limit] = [passages.length, passagesLimit].map(count => count.toLocaleString('en'));
    return { unreadable: `The file has ${found} passages, more than ${limit}. Split it into smaller files.` };
  } catch (error) {
    if (error instanceof UnreadableFileError) return { unreadable: error.message };
    throw error;
  }
}

// The parent ends this process after the result.
process.on('message', task => void read(task as Task).then(result => process.send!(result)));
