/**
 * Keys of files and their search index.
 *
 * | access pattern                      | index      | pk                           | sk                           |
 * |-------------------------------------|------------|------------------------------|------------------------------|
 * | file by id                          | table      | <bot>#<file>                 | file                         |
 * | listing of a shared file            | table      | <bot>#<file>                 | shared                       |
 * | files by creation; by update        | gsi1; gsi2 | <bot>#files@<scope>#<shard>  | <time>#<file>                |
 * | files by key; by size               | gsi3; gsi4 | <bot>#files@<scope>#<shard>  | <key|size>#<file>            |
 * | files by status                     | gsi5       | <bot>#files@<scope>#<shard>  | <status>#<file>              |
 * | pending uploads by deadline         | gsi5       | <bot>#files@<scope>#<shard>  | upload_pending#<time>#<file> |
 * | timer of the uploads of ten minutes | table      | <bot>#uploads                | due#uploads#<time>           |
 * | passages of one indexing of a file  | table      | <bot>#<file>                 | passage#<indexing>#<number>  |
 * | integrations with files on a bot    | table      | <bot>#fileScopes             | <scope>                      |
 * | knowledge bases by creation         | table      | <bot>#knowledgeBases@<scope> | <knowledge base>             |
 * | postings of a term                  | table      | <bot>#term#<term>            | <file>#<indexing>            |
 */
import { encodeTime } from '#shared/core/ids.ts';
import { botListPkOf, timedSk } from './lists.ts';
import { startOfBytes } from './startOfBytes.ts';
import { ANY_BOT, type Key, type Partitions } from './table.ts';

export const filePartitions = {
  files: [`${ANY_BOT}#file_*`, `${ANY_BOT}#files@*`, `${ANY_BOT}#fileScopes`, `${ANY_BOT}#uploads`],
  knowledgeBases: [`${ANY_BOT}#knowledgeBases@*`],
  postings: [`${ANY_BOT}#term#*`],
} as const satisfies Partitions;

export const fileSk = 'file';

export const filePk = (botId: string, fileId: string) => `${botId}#${fileId}`;

export const fileKey = (botId: string, fileId: string): Key => ({ pk: filePk(botId, fileId), sk: fileSk });

/** Subject of the timer of a file's indexing. No item has this key. */
export const fileIndexingSk = 'indexing';

export const fileIndexingKey = (botId: string, fileId: string): Key => ({
  pk: filePk(botId, fileId),
  sk: fileIndexingSk,
});

export const sharedFileKey = (botId: string, fileId: string): Key => ({ pk: filePk(botId, fileId), sk: 'shared' });

export const uploadsPrefix = 'uploads#';

export const uploadsPk = (botId: string) => `${botId}#uploads`;

/** Subject of the timer of a bot's uploads. No item has this key. */
export const uploadsKey = (botId: string, untilMs: number): Key => ({
  pk: uploadsPk(botId),
  sk: `${uploadsPrefix}${encodeTime(untilMs)}`,
});

export const fileListing = (botId: string, scope: string, file: SortedFile) => {
  const sortKeys = fileSortKeys(file);
  return {
    gsiPk: botListPkOf(botId, `files@${scope}`, file.id),
    gsi1Sk: sortKeys.createdAt,
    gsi2Sk: sortKeys.updatedAt,
    gsi3Sk: sortKeys.key,
    gsi4Sk: sortKeys.size,
    gsi5Sk: sortKeys.status,
  };
};

export interface SortedFile {
  id: string;
  key: string;
  sizeBytes: number;
  status: string;
  pendingUntilMs: number | undefined;
  createdAtMs: number;
  updatedAtMs: number;
}

const SIZE_DIGITS = 13;

/** A file key has up to 1,000 bytes and does not fit. Files with the same prefix of this length sort by id. */
const KEY_START_BYTES = 900;

/** Returns sort keys per list. Pending uploads sort by deadline. */
export const fileSortKeys = (file: SortedFile) => {
  const { id, status, pendingUntilMs } = file;
  return {
    createdAt: timedSk(file.createdAtMs, id),
    updatedAt: timedSk(file.updatedAtMs, id),
    key: `${startOfBytes(file.key, KEY_START_BYTES)}#${id}`,
    size: `${String(file.sizeBytes).padStart(SIZE_DIGITS, '0')}#${id}`,
    status: pendingUntilMs === undefined ? `${status}#${id}` : `${status}#${timedSk(pendingUntilMs, id)}`,
  };
};

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

export const termPk = (botId: string, term: string) => `${botId}#term#${term}`;

export const termKey = (botId: string, term: string, fileId: string, indexingId: string): Key => ({
  pk: termPk(botId, term),
  sk: `${fileId}#${indexingId}`,
});

export const splitTermSk = (sk: string) => {
  const [fileId, indexingId] = sk.split('#') as [string, string];
  return { fileId, indexingId };
};
