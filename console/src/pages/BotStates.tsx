import { Anchor, Code, Stack, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useBotClient, useParley } from '../api/clients.ts';
import { pageOf, useList } from '../api/useList.ts';
import { IconDatabase } from '../icons/tabler.ts';
import { activity } from '../messages/en/activity.ts';
import { translator } from '../messages/translate.ts';
import { textOf } from '../navigation/addressQuery.ts';
import { useAddress, useAddressChoice, useAddressText } from '../navigation/useAddress.ts';
import { useBotId } from '../navigation/useRoute.ts';
import { FilterSelect, FilterText } from '../parts/Fields.tsx';
import { Detail } from '../parts/FormDialog.tsx';
import { Page, Toolbar } from '../parts/Page.tsx';
import { Fact, Facts, Json, Row, RowButton, Rows, When } from '../parts/Small.tsx';
import { Empty, Loaded, LoadedList } from '../parts/States.tsx';
import {
  openIdOf,
  pageOfOwner,
  RECORD_TYPES,
  type RecordType,
  referenceOf,
  type StateReference,
} from './stateReference.ts';

const t = translator('activity', activity);

const OWNERS = ['', ...RECORD_TYPES] as const;

export function BotStates() {
  const botId = useBotId();
  const { query, change } = useAddress();
  const [owner] = useAddressChoice('owner', OWNERS);
  const id = useAddressText('id');
  const open = referenceOf(textOf(query, 'open'), botId, owner);
  return (
    <Page title={t('states')} about={t('statesAbout')}>
      <Toolbar>
        <FilterSelect
          label={t('owner')}
          options={OWNERS.map(value => ({ value, label: value === '' ? t('botAndIntegrations') : t(value) }))}
          value={owner}
          onChange={value => change({ owner: value, id: '', open: '' })}
        />
        {owner !== '' && (
          <FilterText
            label={t('ownerId')}
            placeholder={t(`${owner}Id`)}
            value={id.text}
            onChange={id.setText}
            width={300}
          />
        )}
      </Toolbar>
      {owner !== '' && id.wanted === '' ? (
        <Empty Icon={IconDatabase} title={t('noOwner')}>
          {t('noOwnerAbout')}
        </Empty>
      ) : (
        <States
          key={`${botId} ${owner} ${id.wanted}`}
          botId={botId}
          owner={owner}
          ownerId={id.wanted}
          onOpen={openId => change({ open: openId }, { isStep: true })}
        />
      )}
      <Detail of={open} title={open?.name} onClose={() => change({ open: '' })}>
        {open => <OneState botId={botId} reference={open} />}
      </Detail>
    </Page>
  );
}

interface StatesProps {
  botId: string;
  owner: RecordType | '';
  ownerId: string;
  onOpen: (openId: string) => void;
}

function States({ botId, owner, ownerId, onOpen }: StatesProps) {
  const parley = useParley(botId);
  const list = useList(['states', botId, owner, ownerId], async nextToken => {
    const answer = await parley.listStates({ nextToken, ...(owner === '' ? {} : { type: owner, ownerId }) });
    return pageOf(answer.states, answer);
  });
  const heads = [t('name'), t('owner'), t('changed'), t('expires')];
  return (
    <LoadedList
      list={list}
      heads={heads}
      empty={
        <Empty Icon={IconDatabase} title={t('noStates')}>
          {t(owner === '' ? 'noStatesAbout' : 'noStatesHere')}
        </Empty>
      }
    >
      {states => (
        <Rows label={t('states')} heads={heads}>
          {states.map(state => (
            <Row key={openIdOf(state)}>
              <Table.Td>
                <RowButton onClick={() => onOpen(openIdOf(state))}>{state.name}</RowButton>
              </Table.Td>
              <Table.Td>
                {owner === '' ? (
                  state.type === 'bot' ? (
                    t('bot')
                  ) : (
                    state.ownerId
                  )
                ) : (
                  <Owner botId={botId} type={owner} id={state.ownerId} />
                )}
              </Table.Td>
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
  );
}

/** Above the button that covers the row. */
const Owner = ({ botId, type, id }: { botId: string; type: RecordType; id: string }) => (
  <Anchor component={Link} size="sm" style={{ position: 'relative' }} {...(pageOfOwner(botId, type, id) as object)}>
    {t(type)} <Code bg="transparent">{id}</Code>
  </Anchor>
);

function OneState({ botId, reference }: { botId: string; reference: StateReference }) {
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
