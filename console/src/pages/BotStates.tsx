import { Button, Group, NativeSelect, Stack, Table, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useBotClient, useParley } from '../api/clients.ts';
import { pageOf, useList } from '../api/useList.ts';
import { IconDatabase } from '../icons/tabler.ts';
import { activity } from '../messages/en/activity.ts';
import { translator } from '../messages/translate.ts';
import { useBotId } from '../navigation/useRoute.ts';
import { Detail } from '../parts/FormDialog.tsx';
import { Page } from '../parts/Page.tsx';
import { Fact, Facts, Json, Row, RowButton, Rows, When } from '../parts/Small.tsx';
import { Empty, Loaded, LoadedList } from '../parts/States.tsx';

const t = translator('activity', activity);

const TYPES = ['conversation', 'user', 'workflow', 'bot', 'integration'] as const;
type Type = (typeof TYPES)[number];
const typeOptions = () => TYPES.map(value => ({ value, label: t(value) }));
interface Reference {
  type: Type;
  id: string;
  name: string;
}

export function BotStates() {
  const botId = useBotId();
  const parley = useParley(botId);
  const [open, setOpen] = useState<Reference>();
  const list = useList(['states', botId], async nextToken => {
    const answer = await parley.listStates(nextToken);
    return pageOf(answer.states, answer);
  });
  return (
    <Page title={t('states')} about={t('statesAbout')}>
      <Find botId={botId} onFind={setOpen} />
      <Title order={2} size="h4">
        {t('botAndIntegrations')}
      </Title>
      <LoadedList
        list={list}
        empty={
          <Empty Icon={IconDatabase} title={t('noStates')}>
            {t('noStatesAbout')}
          </Empty>
        }
      >
        {states => (
          <Rows label={t('states')} heads={[t('name'), t('owner'), t('changed'), t('expires')]}>
            {states.map(state => (
              <Row key={`${state.type} ${state.ownerId} ${state.name}`}>
                <Table.Td>
                  <RowButton onClick={() => setOpen({ type: state.type, id: state.ownerId, name: state.name })}>
                    {state.name}
                  </RowButton>
                </Table.Td>
                <Table.Td>{state.type === 'bot' ? t('bot') : state.ownerId}</Table.Td>
                <Table.Td>
                  <When at={state.updatedAt} />
                </Table.Td>
                <Table.Td>
                  <When at={state.expiresAt} />
                </Table.Td>
              </Row>
            ))}
          </Rows>
        )}
      </LoadedList>
      <Detail of={open} title={open?.name} onClose={() => setOpen(undefined)}>
        {open => <OneState botId={botId} reference={open} />}
      </Detail>
    </Page>
  );
}

function Find({ botId, onFind }: { botId: string; onFind: (reference: Reference) => void }) {
  const [reference, setReference] = useState<Reference>({ type: 'conversation', id: '', name: '' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onFind({ ...reference, id: reference.type === 'bot' ? botId : reference.id.trim() });
  };
  const { type, id, name } = reference;
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <NativeSelect
          label={t('owner')}
          data={typeOptions()}
          value={type}
          onChange={event => setReference({ ...reference, type: event.currentTarget.value as Type })}
        />
        {type !== 'bot' && (
          <TextInput
            label={t('ownerId')}
            value={id}
            onChange={event => setReference({ ...reference, id: event.currentTarget.value })}
            required
          />
        )}
        <TextInput
          label={t('stateName')}
          value={name}
          onChange={event => setReference({ ...reference, name: event.currentTarget.value })}
          required
        />
        <Button type="submit" variant="default">
          {t('find')}
        </Button>
      </Group>
    </form>
  );
}

function OneState({ botId, reference }: { botId: string; reference: Reference }) {
  const client = useBotClient(botId);
  const query = useQuery({
    queryKey: ['state', botId, reference],
    queryFn: async () => (await client.getState(reference)).state,
  });
  return (
    <Loaded query={query}>
      {state => (
        <Stack gap="xs">
          <Facts>
            <Fact name={t('changed')}>
              <When at={state.updatedAt} />
            </Fact>
          </Facts>
          <Json value={state.payload} label={t('value')} />
        </Stack>
      )}
    </Loaded>
  );
}
