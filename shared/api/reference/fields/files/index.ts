import type { FieldTexts } from '#shared/api/reference/fieldTexts.ts';
import { knowledgeBases, files as records } from './files.ts';
import { indexing, passages } from './passages.ts';

export const files: readonly FieldTexts[] = [...indexing, ...knowledgeBases, ...passages, ...records];
