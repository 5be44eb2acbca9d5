/**
 * Searches files by vectors and keywords. The file's record is authoritative, so deletions and revocations apply
 * immediately.
 */
import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
import { keywordScore } from '#shared/ai/search/bm25.ts';
import { findByKeywords } from '#shared/ai/search/keywordIndex.ts';
import { fuseScores, VECTOR_SHARE } from '#shared/ai/search/scoreFusion.ts';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import { chooseVectorStore } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { ApiError } from '#shared/core/errors.ts';
import { type FileCall, mayRead, scopeOf } from '#shared/domain/fileRecords/scope.ts';
import { BOT_SCOPE, type File } from '#shared/storage/dynamodb/files/file.ts';
import { findFiles } from '#shared/storage/dynamodb/files/files.ts';
import {
  findPassages,
  type NumberedPassage,
  type PassageName,
  parsePassageName,
  passageName,
} from '#shared/storage/dynamodb/files/passages.ts';
import { LAST } from '#shared/storage/dynamodb/lists/lists.ts';
import { listIds } from './listFiles.ts';
import { searchIndexOf } from './searchIndex.ts';
import { matchesTags, type TagFilters } from './tagFilters.ts';

export interface FoundPassage {
  file: File;
  indexingId: string;
  passage: NumberedPassage;
  score: number;
}

/** Candidates per method, the maximum of a vector store's query. */
const CANDIDATES = 100;
/** Up to this number of files, the search is restricted to them. Above it, the results are filtered. */
const FILES_LIMIT = 100;

export async function searchFiles(
  call: FileCall,
  query: string,
  options: { tags: TagFilters; limit: number },
): Promise<FoundPassage[]> {
  try {
    return await find(call, query, options);
  } catch (error) {
    if (!(error instanceof ThrottledError)) throw error;
    throw new ApiError('RateLimited', 'Search is overloaded. Try again later.', { cause: error });
  }
}

async function find(
  call: FileCall,
  query: string,
  { tags, limit }: { tags: TagFilters; limit: number },
): Promise<FoundPassage[]> {
  const { botId } = call;
  const [embedder, store, fileIds] = await Promise.all([
    chooseEmbedder(),
    chooseVectorStore(),
    filesToSearch(call, tags),
  ]);
  if (fileIds?.length === 0) return [];
  const index = searchIndexOf(botId, embedder);
  const searched = fileIds && new Set(fileIds);
  const findByVector = async () => {
    const [vector] = await embedder.embed([query], 'query', botId);
    if (!vector) return { vector, matches: [] };
    const matches = await store.query(index, vector, { limit: CANDIDATES, ...(fileIds ? { groups: fileIds } : {}) });
    return { vector, matches };
  };
  const [byVector, byKeywords] = await Promise.all([
    findByVector(),
    findByKeywords(botId, query, { limit: CANDIDATES, isWanted: fileId => searched?.has(fileId) ?? true }),
  ]);

  const similarities = new Map(byVector.matches.map(({ key, similarity }) => [key, similarity]));
  const names = new Map<string, PassageName>();
  for (const { key } of byVector.matches) names.set(key, parsePassageName(key));
  for (const match of byKeywords.matches) names.set(passageName(match), match);
  const keywordOnly = [...names.keys()].filter(name => !similarities.has(name));
  const [current, missing] = await Promise.all([
    loadCurrent(call, [...names.values()], tags),
    byVector.vector && keywordOnly.length > 0
      ? store.similarities(index, byVector.vector, keywordOnly)
      : new Map<string, number>(),
  ]);
  for (const [key, similarity] of missing) similarities.set(key, similarity);

  const share = VECTOR_SHARE[embedder.likeness];
  return current
    .map(found => ({
      ...found,
      score: fuseScores(
        {
          similarity: similarities.get(nameOf(found)),
          keywordScore: keywordScore(byKeywords.weights, found.passage.content),
        },
        share,
      ),
    }))
    .sort((a, b) => b.score - a.score || (nameOf(a) < nameOf(b) ? -1 : 1))
    .slice(0, limit);
}

const nameOf = ({ file, indexingId, passage }: Omit<FoundPassage, 'score'>) =>
  passageName({ fileId: file.id, indexingId, number: passage.number });

/** Returns the ids of files that can match if they are few, as for integrations or tag filters. */
async function filesToSearch(call: FileCall, tags: TagFilters): Promise<string[] | undefined> {
  const narrows = Object.values(tags).some(filter => 'in' in filter);
  if (scopeOf(call) === BOT_SCOPE && !narrows) return undefined;
  const ids: string[] = [];
  for await (const { id } of listIds(call, tags, { direction: 'desc', first: '', last: LAST })) {
    ids.push(id);
    if (ids.length > FILES_LIMIT) return undefined;
  }
  return ids;
}

async function loadCurrent(
  call: FileCall,
  names: readonly PassageName[],
  tags: TagFilters,
): Promise<Omit<FoundPassage, 'score'>[]> {
  const { botId } = call;
  const fileIds = [...new Set(names.map(({ fileId }) => fileId))];
  const files = new Map((await findFiles(botId, fileIds)).flatMap(file => (file ? [[file.id, file]] : [])));
  const shown = names.filter(({ fileId, indexingId }) => {
    const file = files.get(fileId);
    return file?.indexed?.id === indexingId && mayRead(call, file) && matchesTags(file, tags);
  });
  const passages = await findPassages(botId, shown);
  return shown.flatMap(name => {
    const passage = passages.get(passageName(name));
    return passage ? [{ file: files.get(name.fileId)!, indexingId: name.indexingId, passage }] : [];
  });
}
