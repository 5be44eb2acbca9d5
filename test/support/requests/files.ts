/**
 * A request for each operation of the files group with a bot that succeeds for an authorised caller. An operation
 * without one does not compile.
 */
import { randomUUID } from 'node:crypto';
import type * as fileOperations from '#functions/files/index.ts';
import { untilStatus } from '#test/support/files.ts';
import type { AdminClient } from '#test/support/platform.ts';

export type FilesOperation = Exclude<keyof typeof fileOperations, 'readPublicContent'>;

/** The path is relative to `/v1/files`. */
export interface FilesRequest {
  path: string;
  body?: unknown;
}

/** The target of a request. */
interface RequestScope {
  client: AdminClient;
}

const unique = () => `${randomUUID()}.txt`;
const announced = async ({ client }: RequestScope) => (await client.upsertFile({ key: unique(), size: 5 })).file.id;
/** Uploads a file and waits for its event, so that a measured call does not complete the upload. */
const uploaded = async ({ client }: RequestScope): Promise<string> => {
  const { file } = await client.uploadFile({ key: unique(), content: 'hello' });
  return (await untilStatus(client, file.id, 'upload_completed')).id;
};
const knowledgeBase = async ({ client }: RequestScope) =>
  (await client.createKnowledgeBase({ name: 'Manuals' })).knowledgeBase.id;

export const FILES_REQUESTS: Record<FilesOperation, (scope: RequestScope) => Promise<FilesRequest> | FilesRequest> = {
  upsertFile: () => ({ path: '', body: { key: unique(), size: 5 } }),
  deleteFile: async scope => ({ path: `/${await announced(scope)}` }),
  listFiles: () => ({ path: '' }),
  getFile: async scope => ({ path: `/${await announced(scope)}` }),
  updateFileMetadata: async scope => ({ path: `/${await announced(scope)}`, body: { metadata: { a: 1 } } }),
  copyFile: async scope => ({ path: `/${await uploaded(scope)}/${unique()}`, body: {} }),
  searchFiles: () => ({ path: '/search?query=hello' }),
  listFilePassages: async scope => ({ path: `/${await announced(scope)}/passages` }),
  setFilePassages: async scope => ({
    path: `/${await uploaded(scope)}/passages`,
    body: { passages: [{ content: 'hello' }] },
  }),
  listFileTags: () => ({ path: '/tags' }),
  listFileTagValues: () => ({ path: '/tags/a/values' }),
  createKnowledgeBase: () => ({ path: '/knowledge-bases', body: { name: 'Manuals' } }),
  deleteKnowledgeBase: async scope => ({ path: `/knowledge-bases/${await knowledgeBase(scope)}` }),
  updateKnowledgeBase: async scope => ({
    path: `/knowledge-bases/${await knowledgeBase(scope)}`,
    body: { name: 'Guides' },
  }),
  listKnowledgeBases: () => ({ path: '/knowledge-bases' }),
};
