/** Names of the states of a conversation, user or workflow, with links to their values. */
import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useParley } from '../api/clients.ts';
import { activity } from '../messages/en/activity.ts';
import { translator } from '../messages/translate.ts';
import { When } from '../parts/Small.tsx';
import { Failure } from '../parts/States.tsx';
import { openIdOf, type RecordType } from './stateReference.ts';

const t = translator('activity', activity);

interface OwnerProps {
  botId: string;
  type: RecordType;
  ownerId: string;
}

/** Number of states shown. The page of states lists all of them. */
const SHOWN = 20;

export function OwnerStates({ botId, type, ownerId }: OwnerProps) {
  const parley = useParley(botId);
  const { data, error, refetch } = useQuery({
    queryKey: ['states', botId, type, ownerId, 'first'],
    queryFn: async () => (await parley.listStates({ type, ownerId, pageSize: SHOWN })).states,
  });
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton height={14} width="70%" />;
  if (data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('noStatesHere')}
      </Text>
    );
  return (
    <Stack gap={6}>
      {data.map(state => (
        <Group key={state.name} gap={8} wrap="nowrap" justify="space-between">
          <Anchor
            component={Link}
            size="sm"
            to={`/bots/${botId}/states` as string}
            search={{ owner: type, id: ownerId, open: openIdOf(state) } as never}
            style={{ overflowWrap: 'anywhere' }}
          >
            <bdi>{state.name}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed">
            <When at={state.updatedAt} />
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

export const AllStates = ({ botId, type, ownerId }: OwnerProps) => (
  <Anchor
    component={Link}
    size="xs"
    to={`/bots/${botId}/states` as string}
    search={{ owner: type, id: ownerId } as never}
  >
    {t('allStates')}
  </Anchor>
);

/** The states within a side panel. */
export const StatesInPanel = (props: OwnerProps) => (
  <>
    <Group justify="space-between">
      <Text size="sm" fw={600}>
        {t('states')}
      </Text>
      <AllStates {...props} />
    </Group>
    <OwnerStates {...props} />
  </>
);
