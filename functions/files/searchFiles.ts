import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { filesOperation } from '#shared/api/operations/platform.ts';
import { queryBoolean, wholeNumber } from '#shared/api/platform/queryInputs.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { PASSAGE_TYPES } from '#shared/core/passage.ts';
import { text } from '#shared/core/text.ts';
import { queryTagFilters } from '#shared/domain/files/fileInputs.ts';
import { Metadata, Tags } from '#shared/domain/files/fileView.ts';
import { consolidate, piecesOf, readSurroundings, textOf } from '#shared/domain/files/passageContext.ts';
import { type FoundPassage, searchFiles as search } from '#shared/domain/files/searchFiles.ts';
import type { File } from '#shared/storage/dynamodb/files/file.ts';

const QUERY_BYTES = 1024;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 50;
const MAX_DEPTH = 10;
const DEFAULT_DEPTH = 1;

const query = () =>
  text(QUERY_BYTES).check(
    z.refine(value => value.trim() !== '', { error: 'Must not be empty' }),
    z.refine(value => Buffer.byteLength(value) <= QUERY_BYTES, { error: `Must have at most ${QUERY_BYTES} bytes` }),
  );

export const searchFiles = filesOperation({
  name: 'searchFiles',
  summary:
    'Searches the files that the caller may see by meaning and keywords. Each passage includes `contextDepth` passages before and after it.',
  scope: 'bot',
  method: 'GET',
  path: '/files/search',
  table: 'reads',
  partitions: { reads: ['postings'] },
  index: 'searches',
  query: z.object({
    query: query(),
    tags: z.optional(queryTagFilters()),
    limit: z.optional(wholeNumber(1, MAX_LIMIT)),
    contextDepth: z.optional(wholeNumber(0, MAX_DEPTH)),
    consolidate: z.optional(queryBoolean()),
    includeBreadcrumb: z.optional(queryBoolean()),
    withContext: z.optional(queryBoolean()),
  }),
  output: z.object({
    passages: z.array(
      z.object({
        content: z.string(),
        score: z.number(),
        meta: z.object({
          type: z.enum(['chunk', 'consolidated']),
          subtype: z.optional(z.enum(PASSAGE_TYPES)),
          pageNumber: z.optional(z.number()),
          position: z.optional(z.number()),
        }),
        file: z.object({
          id: z.string(),
          key: z.string(),
          contentType: z.string(),
          metadata: Metadata,
          tags: Tags,
          createdAt: dateTime(),
          updatedAt: dateTime(),
        }),
        context: z.optional(
          z.array(
            z.object({
              id: z.optional(z.string()),
              text: z.string(),
              offset: z.optional(z.number()),
              type: z.enum(['preceding', 'subsequent', 'current', 'breadcrumb']),
            }),
          ),
        ),
      }),
    ),
  }),
  statuses: [200],

  handle: async call => {
    const { botId, input } = call;
    const { limit = DEFAULT_LIMIT, contextDepth = DEFAULT_DEPTH, tags = {} } = input;
    const found = await search(call, input.query, { tags, limit });
    const surroundings = await readSurroundings(found, botId, contextDepth);
    if (input.consolidate) {
      const passages = byFile(found).map(({ file, score, indexes }) => ({
        content: consolidate(indexes.map(i => surroundings[i]!)),
        score,
        meta: { type: 'consolidated' as const },
        file: viewFound(file),
      }));
      return ok({ passages });
    }
    const withBreadcrumb = input.includeBreadcrumb ?? false;
    return ok({
      passages: found.map((each, i) => ({
        content: textOf(surroundings[i]!, withBreadcrumb),
        score: each.score,
        meta: {
          type: 'chunk' as const,
          subtype: each.passage.type,
          position: each.passage.number,
          ...(each.passage.pageNumber === undefined ? {} : { pageNumber: each.passage.pageNumber }),
        },
        file: viewFound(each.file),
        ...(input.withContext ? { context: piecesOf(surroundings[i]!, each, withBreadcrumb) } : {}),
      })),
    });
  },
});

/** Groups passages by file, in the order of each file's best passage. */
function byFile(found: readonly FoundPassage[]): { file: File; score: number; indexes: number[] }[] {
  const files = new Map<string, { file: File; score: number; indexes: number[] }>();
  found.forEach(({ file, score }, i) => {
    const known = files.get(file.id);
    if (known) known.indexes.push(i);
    else files.set(file.id, { file, score, indexes: [i] });
  });
  return [...files.values()];
}

const viewFound = (file: File) => ({
  id: file.id,
  key: file.key,
  contentType: file.content?.contentType ?? file.contentType,
  metadata: JSON.parse(file.metadata),
  tags: file.tags,
  createdAt: iso(file.createdAtMs),
  updatedAt: iso(file.updatedAtMs),
});
