/** Compares every count with the records. */
import { type Dump, type Item, keyText, tenantOf } from './dump.ts';

const sum = (items: readonly Item[], of: (item: Item) => number) => items.reduce((total, item) => total + of(item), 0);

export function totalFaults({ items, select, at }: Dump): string[] {
  const faults: string[] = [];
  const expect = (actual: unknown, expected: unknown, what: string) => {
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      faults.push(`${what} is ${JSON.stringify(actual)} where ${JSON.stringify(expected)} is there`);
  };

  const rowsOf = new Map<string, number>();
  for (const { pk } of select(/#table_.*#rows#/, /^row#/)) {
    const table = pk.split('#', 2).join('#');
    rowsOf.set(table, (rowsOf.get(table) ?? 0) + 1);
  }
  for (const counts of select(/#table_[^#]*$/, /^counts$/)) {
    expect(counts.rows, rowsOf.get(counts.pk) ?? 0, `The count of rows of ${counts.pk}`);
    expect(counts.stale + counts.indexing, 0, `The rows in work of ${counts.pk}`);
  }

  const bots = select(/#bot$/, /^bot$/).filter(({ deletedAtMs }) => deletedAtMs === undefined);
  const usedBy = bots.map(bot => {
    const botId = tenantOf(bot);
    const files = items.filter(({ pk, sk }) => sk === 'file' && pk.startsWith(`${botId}#`));
    const tables = items.filter(({ pk, sk }) => sk === 'table' && pk.startsWith(`${botId}#`));
    return {
      botId,
      workspaceId: String(bot.workspaceId),
      used: {
        bytes: sum(files, ({ content }) => content?.size ?? 0),
        vectorBytes: sum(files, ({ indexed }) => indexed?.vectorBytes ?? 0),
        indexedFiles: files.filter(({ indexed }) => indexed).length,
        n: sum(files, ({ indexed }) => indexed?.passages ?? 0),
        rows: sum(tables, ({ pk, factor }) => (rowsOf.get(pk) ?? 0) * factor),
      },
    };
  });
  for (const { botId, used } of usedBy) {
    const totals = at(`${botId}#totals`, 'totals');
    const counted = Object.fromEntries(Object.keys(used).map(name => [name, totals?.[name] ?? 0]));
    expect(counted, used, `The totals of ${botId}`);
  }

  for (const workspace of select(/^wkspace_.*#workspace$/, /^workspace$/).filter(each => !each.deletedAtMs)) {
    const id = tenantOf(workspace);
    const own = usedBy.filter(({ workspaceId }) => workspaceId === id).map(({ used }) => used);
    const integrations = select(/^intver_.*#integration$/, /^integration$/);
    const levels = {
      bot_count: own.length,
      workspace_member_count: items.filter(({ pk, sk }) => pk === workspace.pk && sk.startsWith('member#')).length,
      integrations_owned_count: integrations.filter(each => each.workspaceId === id && !each.deletedAtMs).length,
      storage_count: own.reduce((total, { bytes }) => total + bytes, 0),
      knowledgebase_vector_storage: own.reduce((total, { vectorBytes }) => total + vectorBytes, 0),
      indexed_file_count: own.reduce((total, { indexedFiles }) => total + indexedFiles, 0),
      table_row_count: own.reduce((total, { rows }) => total + rows, 0),
    };
    for (const [type, value] of Object.entries(levels)) {
      expect(at(`${id}#levels`, type)?.value ?? 0, value, `The level of ${type} of ${id}`);
      const changes = items.filter(({ pk, sk }) => pk === `${id}#usage` && sk.startsWith(`${type}#`));
      expect(
        sum(changes, ({ n }) => n),
        value,
        `The sum of the changes of ${type} of ${id}`,
      );
    }
  }

  for (const conversation of select(/#convo_/, /^conversation$/).filter(({ deletedAtMs }) => !deletedAtMs)) {
    const entries = items.filter(({ pk, sk }) => pk === conversation.pk && sk.startsWith('t#'));
    const ofThisLife = entries.filter(({ k, g = 0 }) => k === 'm' && g === conversation.generation);
    expect(conversation.messageCount, ofThisLife.length, `The count of messages of ${keyText(conversation)}`);
  }
  return faults;
}
