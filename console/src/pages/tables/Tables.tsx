import { Button, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useBotClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { IconPlus, IconTable, IconTrash } from '../../icons/tabler.ts';
import { isolate } from '../../messages/bidi.ts';
import { tables } from '../../messages/en/tables.ts';
import { translator } from '../../messages/translate.ts';
import { useDialog } from '../../navigation/useDialog.ts';
import { useBotId } from '../../navigation/useRoute.ts';
import { Page } from '../../parts/Page.tsx';
import { ACTIONS, Confirm, Row, RowActions, RowLink, Rows, Tags, When } from '../../parts/Small.tsx';
import { Empty, Loaded } from '../../parts/States.tsx';
import { columnsOf, kindLabel } from './cellValues.ts';
import { NewTable } from './NewTable.tsx';

const t = translator('tables', tables);

export function Tables() {
  const botId = useBotId();
  const client = useBotClient(botId);
  const { isOpen, open, close } = useDialog('table');
  const query = useQuery({ queryKey: ['tables', botId], queryFn: async () => (await client.listTables({})).tables });
  const remove = useAction((table: string) => client.deleteTable({ table }), {
    done: t('deleted'),
    changes: [['tables', botId]],
  });
  return (
    <Page
      title={t('tables')}
      about={t('about')}
      actions={
        <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={open}>
          {t('newTable')}
        </Button>
      }
    >
      <Loaded query={query}>
        {tables =>
          tables.length === 0 ? (
            <Empty Icon={IconTable} title={t('none')}>
              {t('noneAbout')}
            </Empty>
          ) : (
            <Rows label={t('tables')} heads={[t('name'), t('columns'), t('changed'), t('tags'), ACTIONS]}>
              {tables.map(table => (
                <Row key={table.id}>
                  <Table.Td>
                    <Group gap="sm" wrap="nowrap">
                      <IconTable size={18} stroke={1.5} color="var(--mantine-color-dimmed)" aria-hidden />
                      <RowLink to={`/bots/${botId}/tables/${table.id}`}>{table.name}</RowLink>
                    </Group>
                  </Table.Td>
                  <Table.Td maw={420}>
                    <Text size="sm" c="dimmed" lineClamp={2}>
                      {columnsOf(table)
                        .map(({ name, column }) => `${isolate(name)} (${kindLabel(column)})`)
                        .join(', ')}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <When at={table.updatedAt} />
                  </Table.Td>
                  <Table.Td>
                    <Tags tags={table.tags} />
                  </Table.Td>
                  <RowActions>
                    <Confirm
                      label={t('delete')}
                      title={t('deleteTitle', { name: table.name })}
                      Icon={IconTrash}
                      isBusy={remove.isPending}
                      onConfirm={() => remove.mutate(table.id)}
                    >
                      {t('deleteAbout')}
                    </Confirm>
                  </RowActions>
                </Row>
              ))}
            </Rows>
          )
        }
      </Loaded>
      <NewTable botId={botId} isOpen={isOpen} onClose={close} />
    </Page>
  );
}
