/**
 * Call budgets of the files group: the DynamoDB calls of each operation when it is warm. An operation without a budget
 * does not compile.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { FILES_REQUESTS, type FilesOperation } from '#test/support/requests/files.ts';
import { callAsBot } from './callOperation.ts';
import { counted } from './counter.ts';

useSharedPlatform();

const LIST = 1;

const BUDGETS: Record<FilesOperation, number> = {
  // Reads the existing file and writes once. Tags cost another read.
  upsertFile: 2,
  deleteFile: 2,
  // Reads the list's entries, all files in one call, and again those with a pending upload.
  listFiles: LIST + 2,
  // Reads again, because the upload is pending.
  getFile: 2,
  updateFileMetadata: 3,
  // Reads the source, the destination, the quota and the bot's totals, stages the object, and writes once.
  copyFile: 6,
  // Looks up the query's one word and the number of passages, without a match.
  searchFiles: 2,
  listFilePassages: 1,
  // Reads the file, its passages and the mark of an earlier indexing, and writes once.
  setFilePassages: 4,
  listFileTags: 1,
  listFileTagValues: LIST,
  createKnowledgeBase: 1,
  deleteKnowledgeBase: 2,
  updateKnowledgeBase: 2,
  listKnowledgeBases: 1,
};

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const operationNamed = (name: FilesOperation) =>
  (platformApi.operations as PlatformOperation[]).find(each => each.group === 'files' && each.name === name)!;

describe('a warm call', () => {
  it.each(Object.keys(BUDGETS) as FilesOperation[])('stays within the budget of %s', async name => {
    const { path, body } = await FILES_REQUESTS[name]({ client: bot.client });
    const warm = await FILES_REQUESTS.getFile({ client: bot.client });
    await callAsBot(operationNamed('getFile'), bot, { path: `/files${warm.path}` });

    const { calls, writes } = await counted(() =>
      callAsBot(operationNamed(name), bot, { path: `/files${path}`, body }),
    );

    expect(calls).toBeLessThanOrEqual(BUDGETS[name]);
    if (operationNamed(name).table !== 'writes') expect(writes).toBe(0);
  });
});
