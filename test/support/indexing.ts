/** Indexes files and searches them. */
import { usageOf } from './fileInternals.ts';
import { untilStatus } from './files.ts';
import type { TestBot } from './platform.ts';

export type UploadOptions = Parameters<TestBot['client']['uploadFile']>[0];

/** Uploads a file and waits until its indexing has failed. */
export async function failIndexing(
  bot: TestBot,
  options: Partial<UploadOptions> & { key: string; content: string | Uint8Array },
) {
  const { file } = await bot.client.uploadFile({ index: true, ...options } as UploadOptions);
  return untilStatus(bot.client, file.id, 'indexing_failed', 25_000);
}

export const contentsOf = async (bot: TestBot, id: string): Promise<string[]> =>
  (await bot.client.listFilePassages({ id, limit: 200 })).passages.map(({ content }) => content);
export const found = async (bot: TestBot, query: string): Promise<string[]> =>
  (await bot.client.searchFiles({ query, contextDepth: 0 })).passages.map(({ content }) => content);
export const usage = ({ workspace }: TestBot) => usageOf(workspace.owner.client, workspace.id);
