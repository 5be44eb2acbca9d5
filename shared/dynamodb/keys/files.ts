import { botListPkOf, timedSk } from './lists.ts';
import type { Key } from './table.ts';

export const fileSk = 'file';

export const filePk = (botId: string, fileId: string) => `${botId}#${fileId}`;

export const fileKey = (botId: string, fileId: string): Key => ({ pk: filePk(botId, fileId), sk: fileSk });

/** Under these a file's upload and indexing are due to have come to an end: there are no such items, only their due ones. */
export const fileUploadSk = 'upload';

export const fileUploadKey = (botId: string, fileId: string): Key => ({ pk: filePk(botId, fileId), sk: fileUploadSk });

export const fileIndexingSk = 'indexing';

export const fileIndexingKey = (botId: string, fileId: string): Key => ({
  pk: filePk(botId, fileId),
  sk: fileIndexingSk,
});

/** Stands beside a file that integrations may see, so that it is in their list too. */
export const sharedFileKey = (botId: string, fileId: string): Key => ({ pk: filePk(botId, fileId), sk: 'shared' });

/** What an item in a list of files carries. @param scope whose files they are: see `files/scope.ts` */
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

/** A key of a thousand bytes does not fit whole: files whose keys start alike for so long are in order of their ids. */
const KEY_START_BYTES = 900;

/** Where a file stands in the lists by key, by size and by status. */
export const filePlaces = ({ id, key, size, status }: { id: string; key: string; size: number; status: string }) => ({
  key: `${startOfBytes(key, KEY_START_BYTES)}#${id}`,
  size: `${String(size).padStart(SIZE_DIGITS, '0')}#${id}`,
  status: `${status}#${id}`,
});

/** The whole item that has a file in these lists. */
export const fileOrderItem = (botId: string, scope: string, id: string, places: ReturnType<typeof filePlaces>) => {
  const pk = botListPkOf(botId, `fileOrders@${scope}`, id);
  return { pk, sk: places.key, gsiPk: pk, gsi1Sk: places.size, gsi2Sk: places.status };
};

/** The id at the end of a place in any list of files. */
export const fileIdOfPlace = (sortKey: string) => sortKey.slice(sortKey.lastIndexOf('#') + 1);

/** As much of a text as so many bytes of UTF-8 hold, and no half characters. */
const startOfBytes = (text: string, bytes: number) => {
  if (text.length * 3 <= bytes) return text;
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
};

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

/** Where a term stands in the passages of a file, as of one indexing of it. @param term at most 40 characters */
export const termPk = (botId: string, term: string) => `${botId}#term#${term}`;

export const termKey = (botId: string, term: string, fileId: string, indexingId: string): Key => ({
  pk: termPk(botId, term),
  sk: `${fileId}#${indexingId}`,
});

/** @returns which file's, and of which indexing */
export const splitTermSk = (sk: string) => {
  const [fileId, indexingId] = sk.split('#') as [string, string];
  return { fileId, indexingId };
};
