/** Tests `npm run reindex` in a process with only the table's name. */
import { afterEach, expect, it, vi } from 'vitest';
import { EMBEDDING_VARIABLES } from '#shared/ai/embedders/embeddingChoice.ts';
import { LOCAL_EMBEDDING_MODEL } from '#shared/ai/embedders/local/embeddingModel.ts';
import { operate } from '#test/support/commands.ts';
import { recordOf } from '#test/support/fileInternals.ts';
import { upload } from '#test/support/files.ts';
import { found } from '#test/support/indexing.ts';
import { newBot, type TestBot, usePlatform } from '#test/support/platform.ts';

usePlatform();
afterEach(() => vi.unstubAllEnvs());

const REFUNDS = 'Refunds are issued within 14 days';

async function botWithFile(): Promise<{ bot: TestBot; fileId: string }> {
  const bot = await newBot();
  const { id: fileId } = await upload(bot.client, { key: 'refunds.txt', content: REFUNDS, index: true });
  return { bot, fileId };
}

it('indexes the files of all workspaces for the current embedder, and shows the progress', async () => {
  vi.stubEnv(EMBEDDING_VARIABLES.embeddings, 'hashing');
  const tenants = [await botWithFile(), await botWithFile()];
  vi.stubEnv(EMBEDDING_VARIABLES.embeddings, undefined);

  const { code, output } = await operate('reindex', []);

  expect(code, output).toBe(0);
  for (const { bot, fileId } of tenants) {
    expect(output).toContain(`${bot.workspace.id}  files: 1 of up to 1, rows: 0, done`);
    expect((await recordOf(bot.id, fileId)).indexed!.space).toBe(LOCAL_EMBEDDING_MODEL.id);
    expect((await found(bot, 'How do I get my money back?'))[0]).toBe(REFUNDS);
  }
});

it('indexes one workspace, without files of the current embedder unless all are requested', async () => {
  vi.stubEnv(EMBEDDING_VARIABLES.embeddings, undefined);
  const { bot } = await botWithFile();
  const { bot: other } = await botWithFile();

  const outdated = await operate('reindex', ['--workspace', bot.workspace.id]);
  const all = await operate('reindex', ['--workspace', bot.workspace.id, '--all']);

  expect(outdated.output).toContain(`${bot.workspace.id}  files: 0 of up to 1, rows: 0, done`);
  expect(all.output).toContain(`${bot.workspace.id}  files: 1 of up to 1, rows: 0, done`);
  expect(outdated.output + all.output).not.toContain(other.workspace.id);
});

it('rejects an unknown workspace', async () => {
  const { code, output } = await operate('reindex', ['--workspace', 'wkspace_none']);

  expect({ code, output }).toEqual({ code: 1, output: 'Workspace wkspace_none was not found. Check --workspace.\n' });
});
