import { Button, FileInput, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { useBotClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { tables } from '../../messages/en/tables.ts';
import { translator } from '../../messages/translate.ts';
import { FormModal } from '../../parts/FormDialog.tsx';
import { useUnsaved } from '../../parts/unsaved.ts';
import { KINDS, type Kind, type NewColumn, readColumns } from './readColumns.ts';

const t = translator('tables', tables);

const kindOptions = () => KINDS.map(value => ({ value, label: t(`kind_${value}`) }));
/** The platform's limit. */
const MAX_COLUMNS = 20;

const schemaOf = (columns: NewColumn[]) => ({
  type: 'object',
  properties: Object.fromEntries(
    columns
      .filter(({ name }) => name.trim())
      .map(({ name, kind }) => [
        name.trim(),
        kind === 'date' ? { type: 'string', format: 'date-time' } : { type: kind },
      ]),
  ),
});

interface NewTableProps {
  botId: string;
  isOpen: boolean;
  onClose: () => void;
}

export const NewTable = ({ botId, isOpen, onClose }: NewTableProps) => (
  <FormModal opened={isOpen} onClose={onClose} title={t('newTable')} size="lg">
    <NewTableForm botId={botId} />
  </FormModal>
);

function NewTableForm({ botId }: { botId: string }) {
  const client = useBotClient(botId);
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const ids = useRef(1);
  const [columns, setColumns] = useState<(NewColumn & { id: number })[]>([{ id: 0, name: '', kind: 'string' }]);
  useUnsaved(name !== '' || columns.length > 1 || columns[0]!.name !== '');
  const numbered = (column: NewColumn) => ({ ...column, id: ids.current++ });
  const create = useAction(() => client.createTable({ name: name.trim(), schema: schemaOf(columns) }), {
    done: t('created'),
    changes: [['tables', botId]],
    onDone: ({ table }) => void navigate({ to: `/bots/${botId}/tables/${table.id}` as string }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  const change = (id: number, to: Partial<NewColumn>) =>
    setColumns(columns.map(each => (each.id === id ? { ...each, ...to } : each)));
  const takeColumns = async (file: File | null) => {
    if (file) setColumns((await readColumns(file)).slice(0, MAX_COLUMNS).map(numbered));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('name')}
          description={t('nameAbout')}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          required
          data-autofocus
        />
        <FileInput
          label={t('fromCsv')}
          description={t('fromCsvAbout')}
          placeholder={t('chooseFile')}
          accept=".csv,text/csv"
          onChange={file => void takeColumns(file)}
        />
        <Text size="sm" fw={500}>
          {t('columns')}
        </Text>
        {columns.map(({ id, name: columnName, kind }, i) => (
          <Group key={id} wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={t('columnName', { place: i + 1 })}
              value={columnName}
              onChange={event => change(id, { name: event.currentTarget.value })}
            />
            <NativeSelect
              aria-label={t('columnType', { place: i + 1 })}
              data={kindOptions()}
              value={kind}
              onChange={event => change(id, { kind: event.currentTarget.value as Kind })}
            />
          </Group>
        ))}
        <Group justify="space-between">
          <Button
            variant="default"
            disabled={columns.length >= MAX_COLUMNS}
            onClick={() => setColumns([...columns, numbered({ name: '', kind: 'string' })])}
          >
            {t('addColumn')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('createTable')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
