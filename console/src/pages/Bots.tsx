import { Anchor, Button, Group, Modal, Stack, Table, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useAdminClient, useWorkspaceId } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { Page } from '../parts/Page.tsx';
import { Rows, Tags, When } from '../parts/Small.tsx';
import { LoadedList } from '../parts/States.tsx';

export function Bots() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const list = useList(['bots', workspaceId], async nextToken => {
    const answer = await client.listBots({
      ...(nextToken ? { nextToken } : {}),
      sortField: 'updatedAt',
      sortDirection: 'desc',
    });
    return pageOf(answer.bots, answer);
  });
  return (
    <Page title="Bots" about="The bots of this workspace, the latest changed first." actions={<NewBot />}>
      <LoadedList list={list} empty="There is no bot yet. Create one, install chat on it, and talk to it here.">
        {bots => (
          <Rows label="Bots" heads={['Name', 'Changed', 'Code deployed', 'Tags']}>
            {bots.map(bot => (
              <Table.Tr key={bot.id}>
                <Table.Td>
                  <Anchor component={Link} to={`/bots/${bot.id}` as string}>
                    {bot.name || bot.id}
                  </Anchor>
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
              </Table.Tr>
            ))}
          </Rows>
        )}
      </LoadedList>
    </Page>
  );
}

function NewBot() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const create = useAction(() => client.createBot({ name, ...(url ? { url } : {}) }), {
    done: 'The bot is created.',
    changes: [['bots', workspaceId]],
    onDone: ({ bot }) => void navigate({ to: `/bots/${bot.id}` as string }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  return (
    <>
      <Button onClick={open}>New bot</Button>
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
              label="Address of its code"
              description="Where the platform sends its events. Leave it empty for a bot that you deploy with bp deploy."
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
    </>
  );
}
