/**
 * Keys of files and their search index.
 *
 * | access pattern                       | index      | pk                               | sk                              |
 * |--------------------------------------|------------|----------------------------------|---------------------------------|
 * | file by id                           | table      | <bot>#<file>                     | file                            |
 * | listing of a shared file             | table      | <bot>#<file>                     | shared                          |
 * | files by creation; by update         | gsi1; gsi2 | <bot>#files@<scope>#<shard>      | <time>#<file>                   |
 * | files by key                         | table      | <bot>#fileOrders@<scope>#<shard> | <key>#<file>                    |
 * | files by size; by status             | gsi1; gsi2 | <bot>#fileOrders@<scope>#<shard> | <size|status>#<file>            |
 * | passages of one indexing of a file   | table      | <bot>#<file>                     | passage#<indexing>#<number>     |
 * | integrations with files on a bot     | table      | <bot>#fileScopes                 | <scope>                         |
 * | knowledge bases by creation          | table      | <bot>#knowledgeBases@<scope>     | <knowledge base>                |
 * | postings of a term                   | table      | <bot>#term#<term>                | <file>#<indexing>               |
 */
import { botListPkOf, botListPksOf, timedSk } from './lists.ts';
import { startOfBytes } from './startOfBytes.ts';
import { ANY_BOT, type Key, type Partitions } from './table.ts';

export const filePartitions = {
  files: [`${ANY_BOT}#file_*`, `${ANY_BOT}#files@*`, `${ANY_BOT}#fileOrders@*`, `${ANY_BOT}#fileScopes`],
  knowledgeBases: [`${ANY_BOT}#knowledgeBases@*`],
  postings: [`${ANY_BOT}#term#*`],
} as const satisfies Partitions;

export const fileSk = 'file';

export const filePk = (botId: string, fileId: string) => `${botId}#${fileId}`;

export const fileKey = (botId: string, fileId: string): Key => ({ pk: filePk(botId, fileId), sk: fileSk });

/** The timers of a file's upload and indexing deadlines are keyed by these; no item has them itself. */
export const fileUploadSk = 'upload';

export const fileUploadKey = (botId: string, fileId: string): Key => ({ pk: filePk(botId, fileId), sk: fileUploadSk });

export const fileIndexingSk = 'indexing';

export const fileIndexingKey = (botId: string, fileId: string): Key => ({
  pk: filePk(botId, fileId),
  sk: fileIndexingSk,
});

/** Lies beside a file that integrations may see, and lists it for them. */
export const sharedFileKey = (botId: string, fileId: string): Key => ({ pk: filePk(botId, fileId), sk: 'shared' });

/** The index attributes of a file: by creation in gsi1, by update in gsi2. @param scope the owner of the files (`fileRecords/scope.ts`) */
export const fileListing = (
  botId: string,
  scope: string,
  { id, createdAtMs, updatedAtMs }: { id: string; createdAtMs: number; updatedAtMs: number },
) => ({
  gsiPk: botListPkOf(botId, `files@${scope}`, id),
  gsi1Sk: timedSk(createdAtMs, id),
  gsi2Sk: timedSk(updatedAtMs, id),
});

const SIZE_DIGITS = 13;

/** A key of 1,000 bytes does not fit whole: files whose keys share this many bytes sort by id. */
const KEY_START_BYTES = 900;

/** A file's sort keys in the lists by key, by size and by status. */
export const fileSortKeys = ({ id, key, size, status }: { id: string; key: string; size: number; status: string }) => ({
  key: `${startOfBytes(key, KEY_START_BYTES)}#${id}`,
  size: `${String(size).padStart(SIZE_DIGITS, '0')}#${id}`,
  status: `${status}#${id}`,
});

/** The item that lists a file by key, size and status. */
export const fileOrderItem = (botId: string, scope: string, id: string, places: ReturnType<typeof fileSortKeys>) => {
  const pk = botListPkOf(botId, `fileOrders@${scope}`, id);
  return { pk, sk: places.key, gsiPk: pk, gsi1Sk: places.size, gsi2Sk: places.status };
};

/** Wherever that item may lie. */
export const fileOrderKeys = (
  botId: string,
  scope: string,
  id: string,
  places: ReturnType<typeof fileSortKeys>,
): Key[] => botListPksOf(botId, `fileOrders@${scope}`, id).map(pk => ({ pk, sk: places.key }));

/** The file id at the end of a sort key in any list of files. */
export const fileIdOfSortKey = (sortKey: string) => sortKey.slice(sortKey.lastIndexOf('#') + 1);

export const passagesPrefix = 'passage#';

export const passagePrefix = (indexingId: string) => `${passagesPrefix}${indexingId}#`;

const passageSk = (indexingId: string, number: number) =>
  `${passagePrefix(indexingId)}${String(number).padStart(6, '0')}`;

export const passageKey = (botId: string, fileId: string, indexingId: string, number: number): Key => ({
  pk: filePk(botId, fileId),
  sk: passageSk(indexingId, number),
});

export const fileScopesPk = (botId: string) => `${botId}#fileScopes`;

export const fileScopeKey = (botId: string, scope: string): Key => ({ pk: fileScopesPk(botId), sk: scope });

export const knowledgeBasesPk = (botId: string, scope: string) => `${botId}#knowledgeBases@${scope}`;

export const knowledgeBaseKey = (botId: string, scope: string, id: string): Key => ({
  pk: knowledgeBasesPk(botId, scope),
  sk: id,
});

/** The postings of a term: one item per file and indexing. @param term at most 40 characters */
export const termPk = (botId: string, term: string) => `${botId}#term#${term}`;

export const termKey = (botId: string, term: string, fileId: string, indexingId: string): Key => ({
  pk: termPk(botId, term),
  sk: `${fileId}#${indexingId}`,
});

export const splitTermSk = (sk: string) => {
  const [fileId, indexingId] = sk.split('#') as [string, string];
  return { fileId, indexingId };
};
