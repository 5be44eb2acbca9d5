/** Renames, adds and deletes columns. Their types can change while the table is empty, because values would be lost. */
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useBotClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { IconTrash } from '../../icons/tabler.ts';
import { tables } from '../../messages/en/tables.ts';
import { translator } from '../../messages/translate.ts';
import { FormModal } from '../../parts/FormDialog.tsx';
import { Confirm } from '../../parts/Small.tsx';
import { useUnsaved } from '../../parts/unsaved.ts';
import { type Column, columnsOf, kindOf, type Table } from './cellValues.ts';
import { KINDS, type Kind } from './readColumns.ts';

const t = translator('tables', tables);

const kindOptions = () => KINDS.map(value => ({ value, label: t(`kind_${value}`) }));
const typeOf = (kind: Kind) => (kind === 'date' ? { type: 'string', format: 'date-time' } : { type: kind });

interface ColumnsProps {
  botId: string;
  table: Table;
  isEmpty: boolean;
  onChanged: () => void;
}

export function Columns({ botId, table, isEmpty, onChanged }: ColumnsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('editColumns')}
      </Button>
      <FormModal opened={isOpen} onClose={() => setOpen(false)} title={t('editColumns')} size="lg">
        <Stack>
          {columnsOf(table).map(({ name, column }) => (
            <OneColumn
              key={name}
              {...{ botId, table, isEmpty, onChanged, name, column }}
              isLast={columnsOf(table).length === 1}
            />
          ))}
          <NewColumn botId={botId} table={table} onChanged={onChanged} />
        </Stack>
      </FormModal>
    </>
  );
}

type Properties = Record<string, { type: string; format?: string } | null>;

function useChange(botId: string, table: Table, onChanged: () => void) {
  const client = useBotClient(botId);
  const options = {
    done: t('columnsChanged'),
    changes: [
      ['table', botId],
      ['rows', botId, table.id],
    ],
    onDone: onChanged,
  };
  const change = useAction(
    (properties: Properties) =>
      client.updateTable({ table: table.id, schema: { type: 'object', properties } } as Parameters<
        typeof client.updateTable
      >[0]),
    options,
  );
  const rename = useAction(
    ({ name, newName }: { name: string; newName: string }) =>
      client.renameTableColumn({ table: table.id, name, newName }),
    options,
  );
  return { change, rename };
}

interface OneColumnProps extends ColumnsProps {
  name: string;
  column: Column;
  isLast: boolean;
}

function OneColumn({ botId, table, isEmpty, onChanged, name, column, isLast }: OneColumnProps) {
  const [newName, setNewName] = useState(name);
  const { change, rename } = useChange(botId, table, onChanged);
  useUnsaved(newName !== name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ name, newName: newName.trim() });
  };
  return (
    <form onSubmit={submit}>
      <Group wrap="nowrap" gap="xs">
        <TextInput
          flex={1}
          aria-label={t('nameOfColumn', { name })}
          value={newName}
          onChange={event => setNewName(event.currentTarget.value)}
          required
        />
        <NativeSelect
          aria-label={t('typeOfColumn', { name })}
          data={kindOptions()}
          value={kindOf(column)}
          disabled={!isEmpty}
          title={isEmpty ? undefined : t('typeIsKept')}
          onChange={event => change.mutate({ [name]: typeOf(event.currentTarget.value as Kind) })}
        />
        <Button
          type="submit"
          variant="default"
          disabled={newName.trim() === '' || newName === name}
          loading={rename.isPending}
        >
          {t('rename')}
        </Button>
        {!isLast && (
          <Confirm
            label={t('deleteColumn', { name })}
            Icon={IconTrash}
            title={t('deleteTitle', { name })}
            isBusy={change.isPending}
            onConfirm={() => change.mutate({ [name]: null })}
          >
            {t('deleteColumnAbout')}
          </Confirm>
        )}
      </Group>
    </form>
  );
}

function NewColumn({ botId, table, onChanged }: Omit<ColumnsProps, 'isEmpty'>) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('string');
  const { change } = useChange(botId, table, () => {
    setName('');
    onChanged();
  });
  useUnsaved(name !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ [name.trim()]: typeOf(kind) });
  };
  const isTaken = Object.hasOwn(table.schema.properties, name.trim());
  return (
    <form onSubmit={submit}>
      <Text size="sm" fw={500} mb={4}>
        {t('addColumn')}
      </Text>
      <Group wrap="nowrap" gap="xs" align="flex-start">
        <TextInput
          flex={1}
          aria-label={t('newColumnName')}
          value={name}
          error={isTaken ? t('columnTaken') : undefined}
          onChange={event => setName(event.currentTarget.value)}
          required
        />
        <NativeSelect
          aria-label={t('newColumnType')}
          data={kindOptions()}
          value={kind}
          onChange={event => setKind(event.currentTarget.value as Kind)}
        />
        <Button type="submit" disabled={name.trim() === '' || isTaken} loading={change.isPending}>
          {t('addColumn')}
        </Button>
      </Group>
    </form>
  );
}
