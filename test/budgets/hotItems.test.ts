/**
 * An item accepts 1,000 write units per second. Concurrent calls about different files, rows, conversations or users of
 * a bot must therefore not write the same item (docs/performance.md#hot-items).
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { useModel } from '#test/support/languageModel.ts';
import { newBot, settled, type TestBot, usePlatform } from '#test/support/platform.ts';
import { BOT_CHAT_REQUESTS, type BotChatOperation } from '#test/support/requests/botChat.ts';
import { COGNITIVE_REQUESTS, type CognitiveOperation } from '#test/support/requests/cognitive.ts';
import { isOfMembers } from '#test/support/requests/everyOperation.ts';
import { FILES_REQUESTS, type FilesOperation } from '#test/support/requests/files.ts';
import { newTableName, TABLES_REQUESTS, type TablesOperation } from '#test/support/requests/tables.ts';
import { sampled } from '#test/support/tier.ts';
import { callAsBot, callAsBotOrOwner } from './callOperation.ts';
import { counted } from './counter.ts';

usePlatform();
useModel();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

/** Excluded operations, with the reason. */
const LEFT_OUT: Record<string, string> = {
  callAction: 'The bot has no endpoint.',
  configureIntegration: 'Only an integration may call it, about itself.',
};

/** Changes of definitions are limited to 2.5 MB per bot. Traffic consists of rows and files. */
const DEFINITIONS = / #definitions$/;
/** Items of a bot that two calls share. */
const SHARED: Record<string, RegExp> = {
  createTable: DEFINITIONS,
  getOrCreateTable: DEFINITIONS,
  duplicateTable: DEFINITIONS,
  updateTable: DEFINITIONS,
  renameTableColumn: DEFINITIONS,
  // Joins the member's user to the conversation, which happens a few times a minute.
  assignHandoff: /#user_\w+ user$/,
  // Counts spend: 500 generations per second, more than any model supports
  // (docs/operations/search-and-models.md#spend).
  generateText: / ai_spend$/,
  // Includes a lease, one of fifty per bot (docs/api/conventions.md#open-work).
  generateTextStream: /(?: ai_spend|^open#.* leases)$/,
  // Deletes the rows immediately, with their counts.
  deleteTable: / (?:#definitions|totals|table_row_count.*)$/,
};

const operations = (platformApi.operations as readonly PlatformOperation[]).filter(
  ({ scope, table, name }) => scope === 'bot' && table === 'writes' && !Object.hasOwn(LEFT_OUT, name),
);

function requestOf({ group, name }: PlatformOperation) {
  const { client, id: botId } = bot;
  if (group === 'files') return FILES_REQUESTS[name as FilesOperation]({ client });
  if (group === 'tables') return TABLES_REQUESTS[name as TablesOperation]({ client });
  if (group === 'cognitive') return COGNITIVE_REQUESTS[name as CognitiveOperation]();
  const { accountId, token } = bot.workspace.owner;
  const own = isOfMembers(name) ? bot.clientOf(token) : undefined;
  return BOT_CHAT_REQUESTS[name as BotChatOperation]({ botId, client, accountId, own });
}

/** Returns the items that a warm call writes, or that its transaction depends on. */
async function touchedBy(operation: PlatformOperation): Promise<string[]> {
  const { path, body } = await requestOf(operation);
  // Consumers' writes are shared by a batch of the stream.
  await settled();
  const base = { botChat: '/chat', files: '/files', tables: '/tables', cognitive: '/cognitive', admin: '' };
  const { touched } = await counted(() =>
    callAsBotOrOwner(operation, bot, { path: `${base[operation.group]}${path}`, body }),
  );
  return touched;
}

/** Uses several of a counter's eight shards. */
const CALLS = 8;

describe('calls of one bot', () => {
  it.each(sampled(operations, 3).map(operation => [`${operation.group}.${operation.name}`, operation] as const))(
    'writes no hot item in %s',
    async (_, operation) => {
      // Excludes rare writes of a process.
      await touchedBy(operation);

      const shared = SHARED[operation.name];
      let common = (await touchedBy(operation)).filter(key => !shared?.test(key));
      for (let i = 1; i < CALLS && (i === 1 || common.length > 0); i++) {
        const touched = await touchedBy(operation);
        common = common.filter(key => touched.includes(key));
      }

      expect(common).toEqual([]);
    },
  );

  it('shares only the table item, and no bot item, between row writes to one table', async () => {
    const { client } = bot;
    const { table } = await client.createTable({ name: newTableName(), schema: { name: 'Ada' } });
    const operation = operations.find(({ name }) => name === 'createTableRows')!;
    const write = async (name: string) =>
      (await counted(() => callAsBot(operation, bot, { path: `/tables/${table.id}/rows`, body: { rows: [{ name }] } })))
        .touched;
    await write('warm');

    const [first, second] = [await write('a'), await write('b')];

    expect(first.length).toBeGreaterThan(1);
    expect(first.filter(key => second.includes(key)).every(key => key.startsWith(`${bot.id}#${table.id}`))).toBe(true);
  });
});

it('names only existing operations', () => {
  const unused = Object.keys({ ...LEFT_OUT, ...SHARED }).filter(
    name => !(platformApi.operations as readonly PlatformOperation[]).some(each => each.name === name),
  );

  expect(unused).toEqual([]);
});
