import { Anchor, Button, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useBotClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { Page } from '../../parts/Page.tsx';
import { Confirm, Rows, Tags, When } from '../../parts/Small.tsx';
import { Empty, Loaded } from '../../parts/States.tsx';
import { useBotId } from '../../shell/useRoute.ts';
import { NewTable } from './NewTable.tsx';
import { columnsOf, kindOf } from './values.ts';

export function Tables() {
  const botId = useBotId();
  const client = useBotClient(botId);
  const [isOpen, { open, close }] = useDisclosure();
  const query = useQuery({ queryKey: ['tables', botId], queryFn: async () => (await client.listTables({})).tables });
  const remove = useAction((table: string) => client.deleteTable({ table }), {
    done: 'The table is deleted.',
    changes: [['tables', botId]],
  });
  return (
    <Page
      title="Tables"
      about="Data of the bot in rows and columns."
      actions={<Button onClick={open}>New table</Button>}
    >
      <Loaded query={query}>
        {tables =>
          tables.length === 0 ? (
            <Empty>There is no table yet. Make one, or let the bot’s code make it.</Empty>
          ) : (
            <Rows label="Tables" heads={['Name', 'Columns', 'Changed', 'Tags', 'What to do']}>
              {tables.map(table => (
                <Table.Tr key={table.id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/bots/${botId}/tables/${table.id}` as string}>
                      {table.name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>
                    {columnsOf(table)
                      .map(({ name, column }) => `${name} (${kindOf(column)})`)
                      .join(', ')}
                  </Table.Td>
                  <Table.Td>
                    <When at={table.updatedAt} />
                  </Table.Td>
                  <Table.Td>
                    <Tags tags={table.tags} />
                  </Table.Td>
                  <Table.Td>
                    <Confirm
                      label="Delete"
                      title={`Delete ${table.name}?`}
                      isBusy={remove.isPending}
                      onConfirm={() => remove.mutate(table.id)}
                    >
                      Its rows are deleted with it. This cannot be undone.
                    </Confirm>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Rows>
          )
        }
      </Loaded>
      <NewTable botId={botId} isOpen={isOpen} onClose={close} />
    </Page>
  );
}
