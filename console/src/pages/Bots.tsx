import { Button, Code, Group, Stack, Table, TextInput } from '@mantine/core';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useAdminClient, useWorkspaceId } from '../api/clients.ts';
import type { ListedBot } from '../api/contract.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { IconPlus, IconRobot } from '../icons/tabler.ts';
import { bots } from '../messages/en/bots.ts';
import { translator } from '../messages/translate.ts';
import { useDialog } from '../navigation/useDialog.ts';
import { useIsAgent } from '../navigation/usePages.ts';
import { endpointStatus } from '../parts/endpointStatus.ts';
import { FormButtons, FormModal } from '../parts/FormDialog.tsx';
import { Monogram } from '../parts/Monogram.tsx';
import { Page } from '../parts/Page.tsx';
import { Row, RowLink, Rows, Status, Tags, When } from '../parts/Small.tsx';
import { Empty, LoadedList } from '../parts/States.tsx';
import { useUnsaved } from '../parts/unsaved.ts';

const t = translator('bots', bots);

/** No notice announces a deployment. The page of 20 bots costs about 25 read units. */
const REFRESH_MS = 15_000;

/** Agents are shown the inbox instead. */
export const Bots = () => (useIsAgent() ? <Navigate to={'/inbox' as string} replace /> : <AllBots />);

function AllBots() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const dialog = useDialog('bot');
  const list = useList(
    ['bots', workspaceId],
    async nextToken => {
      const answer = await client.listBots({
        ...(nextToken ? { nextToken } : {}),
        sortField: 'updatedAt',
        sortDirection: 'desc',
      });
      // The client's type lacks fields of the response.
      return pageOf(answer.bots as ListedBot[], answer);
    },
    { everyMs: REFRESH_MS },
  );
  const newBot = (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={dialog.open}>
      {t('newBot')}
    </Button>
  );
  const heads = [t('name'), t('state'), t('changed'), t('deployed'), t('tags')];
  return (
    <Page title={t('bots')} about={t('botsAbout')} actions={newBot}>
      <LoadedList
        list={list}
        heads={heads}
        empty={
          <Empty Icon={IconRobot} title={t('noBots')} action={newBot}>
            {t('noBotsAbout')}
          </Empty>
        }
      >
        {bots => (
          <Rows label={t('bots')} heads={heads}>
            {bots.map(bot => (
              <Row key={bot.id}>
                <Table.Td>
                  <Group gap="sm" wrap="nowrap">
                    <Monogram name={bot.name || bot.id} id={bot.id} size={28} isSquare />
                    <Stack gap={0}>
                      <RowLink to={`/bots/${bot.id}`}>{bot.name || bot.id}</RowLink>
                      <Code visibleFrom="sm" bg="transparent" p={0} c="dimmed" fz="xs" style={{ whiteSpace: 'nowrap' }}>
                        {bot.id}
                      </Code>
                    </Stack>
                  </Group>
                </Table.Td>
                <Table.Td>
                  {bot.endpoint && (
                    <Status kind={endpointStatus(bot.endpoint).kind}>{endpointStatus(bot.endpoint).label}</Status>
                  )}
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

const NewBot = ({ isOpen, close }: { isOpen: boolean; close: () => void }) => (
  <FormModal opened={isOpen} onClose={close} title={t('newBot')}>
    <NewBotForm />
  </FormModal>
);

function NewBotForm() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  useUnsaved(name !== '' || url !== '');
  const create = useAction(() => client.createBot({ name, ...(url ? { url } : {}) }), {
    done: t('created'),
    changes: [['bots', workspaceId]],
    onDone: ({ bot }) => void navigate({ to: `/bots/${bot.id}` as string }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('name')}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          required
          data-autofocus
        />
        <TextInput
          label={t('endpointUrl')}
          description={t('newBotUrl')}
          placeholder="https://"
          type="url"
          value={url}
          onChange={event => setUrl(event.currentTarget.value)}
        />
        <FormButtons submit={t('create')} isBusy={create.isPending} />
      </Stack>
    </form>
  );
}
