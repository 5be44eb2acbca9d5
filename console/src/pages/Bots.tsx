import { Button, Code, Group, Modal, Stack, Table, TextInput } from '@mantine/core';
import { IconPlus, IconRobot } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, lazy, useState } from 'react';
import { useAdminClient, useWorkspaceId } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { Monogram } from '../parts/Monogram.tsx';
import { Page } from '../parts/Page.tsx';
import { Row, RowLink, Rows, Tags, When } from '../parts/Small.tsx';
import { Empty, LoadedList } from '../parts/States.tsx';
import { useDialog } from '../shell/useDialog.ts';
import { useIsAgent } from '../shell/usePages.ts';

const Inboxes = lazy(() => import('./inbox/Inboxes.tsx').then(({ Inboxes }) => ({ default: Inboxes })));

/** Agents see inboxes instead. */
export const Bots = () => (useIsAgent() ? <Inboxes /> : <AllBots />);

function AllBots() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const dialog = useDialog('bot');
  const list = useList(['bots', workspaceId], async nextToken => {
    const answer = await client.listBots({
      ...(nextToken ? { nextToken } : {}),
      sortField: 'updatedAt',
      sortDirection: 'desc',
    });
    return pageOf(answer.bots, answer);
  });
  const newBot = (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={dialog.open}>
      New bot
    </Button>
  );
  return (
    <Page title="Bots" about="The bots of this workspace, most recently changed first." actions={newBot}>
      <LoadedList
        list={list}
        empty={
          <Empty Icon={IconRobot} title="No bots yet" action={newBot}>
            Create a bot, install the chat integration, and talk to it here.
          </Empty>
        }
      >
        {bots => (
          <Rows label="Bots" heads={['Name', 'Id', 'Changed', 'Deployed', 'Tags']}>
            {bots.map(bot => (
              <Row key={bot.id}>
                <Table.Td>
                  <Group gap="sm" wrap="nowrap">
                    <Monogram name={bot.name || bot.id} id={bot.id} size={28} isSquare />
                    <RowLink to={`/bots/${bot.id}`}>{bot.name || bot.id}</RowLink>
                  </Group>
                </Table.Td>
                <Table.Td>
                  <Code bg="transparent" p={0} c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                    {bot.id}
                  </Code>
                </Table.Td>
                <Table.Td>
                  <When at={bot.updatedAt} />
                </Table.Td>
                <Table.Td>
                  <When at={bot.deployedAt} />
                </Table.Td>
                <Table.Td>
                  <Tags tags={bot.tags} />
                </Table.Td>
              </Row>
            ))}
          </Rows>
        )}
      </LoadedList>
      <NewBot isOpen={dialog.isOpen} close={dialog.close} />
    </Page>
  );
}

function NewBot({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const create = useAction(() => client.createBot({ name, ...(url ? { url } : {}) }), {
    done: 'The bot was created.',
    changes: [['bots', workspaceId]],
    onDone: ({ bot }) => void navigate({ to: `/bots/${bot.id}` as string }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  return (
    <Modal opened={isOpen} onClose={close} title="New bot">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            value={name}
            onChange={event => setName(event.currentTarget.value)}
            required
            data-autofocus
          />
          <TextInput
            label="Endpoint URL"
            description="Receives the bot's events. Leave it empty for a bot that you deploy with bp deploy."
            placeholder="https://"
            type="url"
            value={url}
            onChange={event => setUrl(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
