import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useBotClient } from '../../api/clients.ts';
import { explain } from '../../api/explain.ts';
import { IconArrowBackUp, IconPlus, IconSparkles } from '../../icons/tabler.ts';
import { tables } from '../../messages/en/tables.ts';
import { translator } from '../../messages/translate.ts';
import { useBotId, useTableName } from '../../navigation/useRoute.ts';
import { saveCsv } from '../../parts/csv.ts';
import { FilterText } from '../../parts/Fields.tsx';
import { Page, Toolbar } from '../../parts/Page.tsx';
import { Confirm } from '../../parts/Small.tsx';
import { Failure, Loaded } from '../../parts/States.tsx';
import { Columns } from './Columns.tsx';
import { type Column, columnsOf, isComputed, parse, type Row, show, type Table } from './cellValues.ts';
import { FilterFields } from './FilterFields.tsx';
import { Grid } from './Grid.tsx';
import { Transfers } from './Transfers.tsx';
import { useRows, type View } from './useRows.ts';
import { useUndo } from './useUndo.ts';
import { useView } from './useView.ts';

const t = translator('tables', tables);

export function TablePage() {
  const botId = useBotId();
  const name = useTableName();
  const client = useBotClient(botId);
  const query = useQuery({ queryKey: ['table', botId, name], queryFn: () => client.getTable({ table: name }) });
  return (
    <Page title={query.data?.table.name ?? t('table')} about={t('tableAbout')} isWide>
      <Loaded query={query}>{({ table }) => <TableView key={table.id} botId={botId} table={table} />}</Loaded>
    </Page>
  );
}

/** Rows per call. */
const BATCH = 1_000;
/** Bounds an export of filtered rows. */
const MAX_EXPORTED = 10_000;

function TableView({ botId, table }: { botId: string; table: Table }) {
  const client = useBotClient(botId);
  const queries = useQueryClient();
  const { condition, filter, fault, setText, search, sort, change } = useView(table);
  const [selected, setSelected] = useState<ReadonlyMap<number, Row>>(new Map());
  const [visible, setVisible] = useState({ first: 0, last: 0 });
  const view: View = { filter, search: search.wanted, ...sort };
  const { total, rows, error, isLoading, reload } = useRows(botId, table.id, view, visible);
  const columns = columnsOf(table);

  const renew = () => queries.invalidateQueries({ queryKey: ['rows', botId, table.id] });
  const attempt = async (change: () => Promise<unknown>) => {
    try {
      await change();
      await renew();
      return true;
    } catch (failure) {
      notifications.show({
        title: t('notSaved'),
        message: explain(failure).message,
        color: 'red',
        autoClose: 12_000,
      });
      return false;
    }
  };
  const undo = useUndo(attempt);
  const update = async (changed: Record<string, unknown>[]) =>
    saved(await client.updateTableRows({ table: table.id, rows: changed as Row[] }));
  const create = async (added: Record<string, unknown>[]) => {
    const answer = await client.createTableRows({ table: table.id, rows: added });
    saved(answer);
    return answer.rows.map(({ id }) => id);
  };
  const remove = (ids: number[]) => client.deleteTableRows({ table: table.id, ids });
  const edit = (row: Row, name: string, column: Column, text: string) =>
    attempt(async () => {
      await update([{ id: row.id, [name]: parse(text, column) }]);
      undo.remember(() => update([{ id: row.id, [name]: row[name] ?? null }]));
    });
  const deleteSelected = () =>
    attempt(async () => {
      const values = [...selected.values()].map(row => valuesIn(row, columns));
      for (let i = 0; i < values.length; i += BATCH) await remove([...selected.keys()].slice(i, i + BATCH));
      setSelected(new Map());
      undo.remember(async () => {
        for (let i = 0; i < values.length; i += BATCH) await create(values.slice(i, i + BATCH));
      });
    });
  const select = (row: Row) =>
    setSelected(before => {
      const after = new Map(before);
      if (!after.delete(row.id)) after.set(row.id, row);
      return after;
    });
  const paste = (start: { row: number; column: number }, cells: string[][]) =>
    attempt(async () => {
      if (cells.length > BATCH) throw new Error(t('pasteLimit', { count: BATCH }));
      const records = cells.map((line, i) => ({
        row: rows.get(start.row + i),
        isNew: start.row + i >= total,
        values: valuesOf(line, columns.slice(start.column)),
      }));
      if (records.some(({ row, isNew }) => !row && !isNew)) throw new Error(t('notLoaded'));
      const changed = records.flatMap(({ row, values }) => (row ? [{ id: row.id, ...values }] : []));
      const added = records.filter(({ isNew }) => isNew).map(({ values }) => values);
      const former = records.flatMap(({ row, values }) =>
        row ? [{ id: row.id, ...Object.fromEntries(Object.keys(values).map(each => [each, row[each] ?? null])) }] : [],
      );
      if (changed.length > 0) await update(changed);
      const addedIds = added.length > 0 ? await create(added) : [];
      undo.remember(async () => {
        if (former.length > 0) await update(former);
        if (addedIds.length > 0) await remove(addedIds);
      });
    });
  const onSort = (name: string) =>
    change({ sort: name, direction: sort.orderBy === name && sort.orderDirection === 'asc' ? 'desc' : '' });
  const addRow = () =>
    attempt(async () => {
      const ids = await create([{}]);
      undo.remember(() => remove(ids));
    });
  /** The API exports whole tables. Filtered rows are read page by page. */
  const exportShown = async () => {
    const found: Row[] = [];
    for (let offset = 0; offset < Math.min(total, MAX_EXPORTED); offset += BATCH) {
      const order = search.wanted ? { search: search.wanted } : sort;
      const answer = await client.findTableRows({
        ...{ table: table.id, offset, limit: BATCH, ...(filter ? { filter } : {}) },
        ...order,
      });
      found.push(...answer.rows);
      if (answer.rows.length < BATCH) break;
    }
    const names = ['id', ...columns.map(each => each.name)];
    saveCsv(`${table.name}.csv`, [names, ...found.map(row => names.map(name => show(row[name])))]);
    const message =
      total > MAX_EXPORTED ? t('exportedSome', { count: MAX_EXPORTED }) : t('exported', { count: found.length });
    notifications.show({ message });
  };

  return (
    <Stack>
      <Group justify="space-between" gap="xs" align="flex-start">
        <Toolbar>
          <FilterFields table={table} condition={condition} onChange={change} onText={setText} fault={fault} />
          <FilterText
            label={t('searchMeaning')}
            Icon={IconSparkles}
            value={search.text}
            onChange={search.setText}
            width={200}
          />
          <Text size="sm" c="dimmed" role="status" className="number" px={4}>
            {isLoading ? t('loading') : t('rows', { count: total })}
          </Text>
        </Toolbar>
        <Transfers
          botId={botId}
          table={table}
          onImported={() => void renew()}
          exportShown={filter || search.wanted ? exportShown : undefined}
        >
          <Columns botId={botId} table={table} isEmpty={total === 0 && !filter} onChanged={undo.forget} />
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={14} aria-hidden />}
            disabled={!undo.canUndo}
            loading={undo.isBusy}
            onClick={() => void undo.undo()}
          >
            {t('undo')}
          </Button>
          <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => void addRow()}>
            {t('addRow')}
          </Button>
        </Transfers>
      </Group>
      {selected.size > 0 && (
        <Group gap="xs" role="status">
          <Text size="sm">{t('selected', { count: selected.size })}</Text>
          <Confirm
            label={t('deleteRows', { count: selected.size })}
            title={t('deleteRowsTitle', { count: selected.size })}
            onConfirm={() => void deleteSelected()}
          >
            {t('deleteRowsAbout')}
          </Confirm>
          <Button size="xs" variant="subtle" onClick={() => setSelected(new Map())}>
            {t('clearSelection')}
          </Button>
        </Group>
      )}
      {error && <Failure error={error} retry={reload} />}
      <Grid
        table={table}
        rows={rows}
        total={total}
        view={view}
        onSort={onSort}
        onVisible={setVisible}
        onEdit={edit}
        selected={new Set(selected.keys())}
        onSelect={select}
        onUndo={() => void undo.undo()}
        onPaste={(start, cells) => void paste(start, cells)}
      />
    </Stack>
  );
}

/** A successful call may reject individual rows. @throws Error with the reasons */
function saved({ errors = [] }: { errors?: string[] | undefined }): void {
  if (errors.length > 0) throw new Error(errors.slice(0, 3).join(' '));
}

/** Values of a deleted row that a new one takes. Its id and computed values are new. */
const valuesIn = (row: Row, columns: { name: string; column: Column }[]) =>
  Object.fromEntries(columns.filter(({ column }) => !isComputed(column)).map(({ name }) => [name, row[name] ?? null]));

const valuesOf = (line: string[], columns: { name: string; column: Column }[]) =>
  Object.fromEntries(
    line.slice(0, columns.length).map((text, i) => [columns[i]!.name, parse(text, columns[i]!.column)]),
  );
