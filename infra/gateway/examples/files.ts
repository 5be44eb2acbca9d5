/** Examples of the group files. The caller is a bot. */
import type * as operations from '#functions/files/index.ts';
import { EXAMPLE, type ExamplesOf } from './example.ts';

export const FILES_EXAMPLES: ExamplesOf<typeof operations> = {
  upsertFile: { body: { key: 'manuals/kettle.pdf', size: 120_455, index: true, tags: { product: 'kettle' } } },
  getFile: { path: { id: EXAMPLE.file } },
  listFiles: { query: { pageSize: '10', sortField: 'updatedAt', sortDirection: 'desc' } },
  updateFileMetadata: { path: { id: EXAMPLE.file }, body: { tags: { product: 'tea' }, metadata: { pages: 1 } } },
  copyFile: { path: { idOrKey: EXAMPLE.file, destinationKey: 'copy.txt' }, body: { overwrite: true } },
  deleteFile: { path: { id: EXAMPLE.file } },
  listFilePassages: { path: { id: EXAMPLE.file } },
  setFilePassages: {
    path: { id: EXAMPLE.file },
    body: { passages: [{ content: 'The kettle boils at dawn.' }] },
  },
  searchFiles: { query: { query: 'When does the kettle boil?' } },
  listFileTags: {},
  listFileTagValues: { path: { tag: 'product' } },
  readPublicContent: { path: { token: EXAMPLE.contentToken } },
  createKnowledgeBase: { body: { name: 'Manuals', tags: { language: 'en' } } },
  listKnowledgeBases: {},
  updateKnowledgeBase: { path: { id: EXAMPLE.knowledgeBase }, body: { name: 'Guides' } },
  deleteKnowledgeBase: { path: { id: EXAMPLE.knowledgeBase } },
};
