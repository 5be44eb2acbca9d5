/** Passages of files, and the settings of their extraction. */
import { shapeIn } from '#shared/api/reference/fieldTexts.ts';

const IGNORED = 'Stored for the contract, without effect, because it needs a language model.';

export const passages = [
  shapeIn('files', ['passages'], {
    content: 'Text of the passage.',
  }),
  shapeIn('files', ['passages.meta'], {
    type: 'Kind of the result: one passage (`chunk`), or one text per file (`consolidated`).',
    subtype: 'Kind of the text in the document, for example `title`, `table` or `code`.',
    position: 'Number of the passage in its file, from 0.',
    pageNumber: 'Page of the document, from 1. Absent for formats without pages.',
  }),
  shapeIn('files', ['listFilePassages.output'], {
    passages: 'Passages of the file in the order of the document.',
    'passages.id': 'Id of the passage within its file.',
    'passages.meta': 'Place of the passage in its file.',
  }),
  shapeIn('files', ['searchFiles.output'], {
    passages: 'Matching passages, best first.',
    'passages.content': 'Text of the passage with its context, or the consolidated text of the file.',
    'passages.score': 'Relevance from 0 to 1. Comparable within one response only.',
    'passages.meta': 'Place of the passage in its file.',
    'passages.file': 'File of the passage.',
    'passages.context': 'Passages before and after, one by one. Only with `withContext=true`.',
    'passages.context.id': 'Id of the passage within its file.',
    'passages.context.text': 'Text of the passage.',
    'passages.context.offset': 'Distance from the found passage: negative before it, positive after it.',
    'passages.context.type': 'Relation to the found passage.',
  }),
  shapeIn('files', ['setFilePassages.body'], {
    passages: 'Passages that replace those of the file, in the order of the document.',
    'passages.content': 'Text of the passage.',
    'passages.type': 'Kind of the text in the document. Default: `paragraph`.',
    'passages.pageNumber': 'Page of the document on which the passage begins.',
  }),
];

export const indexing = [
  shapeIn('files', ['upsertFile.body.indexing'], {
    configuration: 'Settings by step of the indexing. Omitted steps use their defaults.',
  }),
  shapeIn('files', ['upsertFile.body.indexing.configuration'], {
    parsing: 'Extraction of text from the document.',
    'parsing.mode': 'Method of the extraction. Default and only effective value: `standard`.',
    'parsing.minimumParagraphLength': 'Number of characters below which paragraphs are joined. Default: 500.',
    'parsing.smartCleanup': IGNORED,
    chunking: 'Division of the text into passages.',
    'chunking.maximumChunkLength': 'Maximum number of characters of a passage. Default: 1,000.',
    'chunking.embeddedContextLevels': 'Number of neighbors on each side that are indexed with a passage. Default: 0.',
    'chunking.embedBreadcrumb': 'True indexes the headings above a passage with it. Default: true.',
    summarization: IGNORED,
    'summarization.enable': IGNORED,
    'summarization.modelType': IGNORED,
    'summarization.minimumInputLength': IGNORED,
    'summarization.outputTokenLimit': IGNORED,
    'summarization.generateMasterSummary': IGNORED,
    stack: 'Accepted for the contract, without effect.',
    vision: IGNORED,
    'vision.transcribePages': IGNORED,
    'vision.indexPages': IGNORED,
  }),
];
