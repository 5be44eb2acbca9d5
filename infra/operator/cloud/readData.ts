import { clock } from '#shared/core/clock.ts';
import { fileIdOf, hashText, randomText } from '#shared/core/ids.ts';
import { indexingRequested } from '#shared/domain/fileRecords/status.ts';
import { defineTable } from '#shared/domain/tables/defineTable.ts';
import { checkRow } from '#shared/domain/tables/rows/checkRow.ts';
import { newRow } from '#shared/domain/tables/rows/newRow.ts';
import type { File } from '#shared/storage/dynamodb/files/file.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { definitionItems, fileItems, rowItems, tableItems } from '#shared/storage/dynamodb/tenants/foreign.ts';
import { filePrefix } from '#shared/storage/s3/prefixes.ts';
import { download } from './cloudClient.ts';
import { tableIdOf } from './cloudIds.ts';
import type { BotReading } from './reading.ts';

const ROWS_A_PAGE = 500;
/** Scope of the bot's own files. Files of integrations are not imported. */
const SCOPE = 'bot';
const SECRET_LENGTH = 24;

export async function readTables(bot: BotReading): Promise<void> {
  const { tables } = await bot.client.listTables({});
  const all: Table[] = [];
  for (const each of tables) {
    const createdAtMs = each.createdAt === undefined ? bot.createdAtMs : Date.parse(each.createdAt);
    const { name, factor, frozen, keyColumn, schema, tags, isComputeEnabled } = each;
    const definition = { factor, frozen, keyColumn, schema, tags, isComputeEnabled };
    const table = { ...defineTable(name, definition, createdAtMs), id: tableIdOf(each.id, createdAtMs) };
    all.push(table);
    const sums = { rows: 0, lastId: 0, stale: 0, indexing: 0 };
    for (let offset: string | undefined = '0'; offset !== undefined; ) {
      const page = await readRows(bot, each.id, table, Number(offset));
      const { lastId, rows, stale, indexing } = page.noted as typeof sums;
      sums.lastId = Math.max(sums.lastId, lastId);
      sums.rows += rows;
      sums.stale += stale;
      sums.indexing += indexing;
      offset = page.next;
    }
    await bot.unit(`table ${each.id}`, async part => {
      part.map('table', each.id, table.id);
      const { lastId, ...counts } = sums;
      part.add(...tableItems(bot.id, table, lastId, counts));
      bot.say(`table ${name}: ${sums.rows} rows`);
      return { sums: { [`rows ${bot.id}`]: sums.rows * table.factor } };
    });
  }
  await bot.unit('tables', async part => {
    if (all.length > 0) part.add(...definitionItems(bot.id, all));
    return {};
  });
}

function readRows(bot: BotReading, cloudId: string, table: Table, offset: number) {
  return bot.unit(`rows ${cloudId} ${offset}`, async part => {
    const { rows, hasMore } = await bot.client.findTableRows({
      table: cloudId,
      limit: ROWS_A_PAGE,
      offset,
      orderBy: 'id',
    });
    const noted = { lastId: 0, rows: rows.length, stale: 0, indexing: 0 };
    for (const { id, createdAt, updatedAt, computed: _, stale: __, similarity: ___, ...values } of rows) {
      // Rows may predate the schema. Values of the column's type are kept even if the schema rejects them.
      const { set } = checkRow(table.columns, values, { isNew: false });
      const createdAtMs = Date.parse(createdAt ?? new Date(bot.createdAtMs).toISOString());
      const row = { ...newRow(table, set, id, createdAtMs), updatedAtMs: Date.parse(updatedAt ?? '') || createdAtMs };
      noted.lastId = Math.max(noted.lastId, id);
      noted.stale += Number(row.pending.length > 0);
      noted.indexing += Number(row.isUnindexed);
      part.add(...rowItems(bot.id, table, row));
    }
    return { next: hasMore ? String(offset + rows.length) : undefined, noted };
  });
}

type CloudFile = Awaited<ReturnType<BotReading['client']['listFiles']>>['files'][number];

export async function readFiles(bot: BotReading): Promise<void> {
  let nextToken: string | undefined;
  do {
    const page = await bot.unit(`files ${nextToken ?? ''}`, async part => {
      const { files, meta } = await bot.client.listFiles({ nextToken });
      let bytes = 0;
      for (const each of files) {
        const isThere =
          each.owner.type === 'bot' && !each.status.startsWith('upload_p') && each.status !== 'upload_failed';
        if (!isThere) continue;
        const content = await download({ url: each.url, size: each.size ?? undefined }, bot.access);
        const file = toFile(bot, each, content.length);
        await part.putObject(file.content!.object, content);
        part.map('file', each.id, file.id);
        part.add(...fileItems(bot.id, file));
        bytes += content.length;
      }
      bot.say(`${files.length} files`);
      return { next: meta.nextToken, sums: { [`bytes ${bot.id}`]: bytes } };
    });
    nextToken = page.next;
  } while (nextToken);
}

function toFile(bot: BotReading, each: CloudFile, size: number): File {
  const { key, tags, metadata, contentType, accessPolicies, index, createdAt, updatedAt, expiresAt } = each;
  const id = fileIdOf(bot.id, SCOPE, key);
  const object = `${filePrefix(bot.id)}${id}/${hashText('content', each.id, updatedAt).slice(0, 22)}`;
  const draft = {
    id,
    key,
    scope: SCOPE,
    owner: { type: 'bot' as const, id: bot.id },
    tags,
    metadata: JSON.stringify(metadata),
    policies: accessPolicies,
    index,
    contentType,
    status: 'upload_completed' as const,
    content: { object, size, contentType },
    secret: randomText(SECRET_LENGTH),
    createdAtMs: Date.parse(createdAt),
    ...(expiresAt === undefined ? {} : { expiresAtMs: Date.parse(expiresAt) }),
  };
  // The import starts indexing.
  const requested = index ? indexingRequested(draft, clock.now()) : draft;
  return { ...requested, updatedAtMs: Date.parse(updatedAt), version: 1 };
}
