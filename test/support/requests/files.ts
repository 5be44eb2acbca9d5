/**
 * For every files operation that names a bot, a request that succeeds with the right caller. An operation without one does not
 * compile.
 */
import { randomUUID } from 'node:crypto';
import type * as fileOperations from '#functions/files/index.ts';
import { untilStatus } from '#test/support/files.ts';
import type { AdminClient } from '#test/support/platform.ts';

export type FilesOperation = Exclude<keyof typeof fileOperations, 'readPublicContent'>;

/** Behind `/v1/files`. */
export interface FilesRequest {
  path: string;
  body?: unknown;
}

/** Creates the records that the request needs. */
interface Scene {
  client: AdminClient;
}

const unique = () => `${randomUUID()}.txt`;
const announced = async ({ client }: Scene) => (await client.upsertFile({ key: unique(), size: 5 })).file.id;
/** With content, its event processed: a call on it is measured without completing the upload. */
const uploaded = async ({ client }: Scene): Promise<string> => {
  const { file } = await client.uploadFile({ key: unique(), content: 'hello' });
  return (await untilStatus(client, file.id, 'upload_completed')).id;
};
const knowledgeBase = async ({ client }: Scene) =>
  (await client.createKnowledgeBase({ name: 'Manuals' })).knowledgeBase.id;

export const FILES_REQUESTS: Record<FilesOperation, (scene: Scene) => Promise<FilesRequest> | FilesRequest> = {
  upsertFile: () => ({ path: '', body: { key: unique(), size: 5 } }),
  deleteFile: async scene => ({ path: `/${await announced(scene)}` }),
  listFiles: () => ({ path: '' }),
  getFile: async scene => ({ path: `/${await announced(scene)}` }),
  updateFileMetadata: async scene => ({ path: `/${await announced(scene)}`, body: { metadata: { a: 1 } } }),
  copyFile: async scene => ({ path: `/${await uploaded(scene)}/${unique()}`, body: {} }),
  searchFiles: () => ({ path: '/search?query=hello' }),
  listFilePassages: async scene => ({ path: `/${await announced(scene)}/passages` }),
  setFilePassages: async scene => ({
    path: `/${await uploaded(scene)}/passages`,
    body: { passages: [{ content: 'hello' }] },
  }),
  listFileTags: () => ({ path: '/tags' }),
  listFileTagValues: () => ({ path: '/tags/a/values' }),
  createKnowledgeBase: () => ({ path: '/knowledge-bases', body: { name: 'Manuals' } }),
  deleteKnowledgeBase: async scene => ({ path: `/knowledge-bases/${await knowledgeBase(scene)}` }),
  updateKnowledgeBase: async scene => ({
    path: `/knowledge-bases/${await knowledgeBase(scene)}`,
    body: { name: 'Guides' },
  }),
  listKnowledgeBases: () => ({ path: '/knowledge-bases' }),
};
