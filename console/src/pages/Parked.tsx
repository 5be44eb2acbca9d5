import { Button, Group, Table } from '@mantine/core';
import { useParley } from '../api/clients.ts';
import { untilDone } from '../api/parley.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { Page } from '../parts/Page.tsx';
import { Confirm, Rows, When } from '../parts/Small.tsx';
import { LoadedList } from '../parts/States.tsx';
import { useBotId } from '../shell/useRoute.ts';

export function Parked() {
  const botId = useBotId();
  const parley = useParley(botId);
  const list = useList(
    ['parked', botId],
    async nextToken => {
      const answer = await parley.listParked(nextToken);
      return pageOf(answer.parked, answer);
    },
    { everyMs: 5_000 },
  );
  const redrive = useAction(
    (ids: string[] | undefined) =>
      untilDone(async next => {
        const answer = await parley.redriveParked({ ...(ids ? { ids } : {}), ...(next ? { next } : {}) });
        return { count: answer.redriven, next: answer.next };
      }),
    { done: count => (count === 1 ? 'It is tried again.' : `${count} are tried again.`), changes: [['parked', botId]] },
  );
  const all = (
    <Confirm
      label="Try all again"
      title="Try all of them again?"
      size="sm"
      isBusy={redrive.isPending}
      onConfirm={() => redrive.mutate(undefined)}
    >
      What fails again is parked again.
    </Confirm>
  );
  return (
    <Page
      title="Parked changes"
      about="What the platform could not process after several attempts, the oldest first. Nothing of it is lost."
      actions={list.items.length > 0 && all}
    >
      <LoadedList list={list} empty="Nothing is parked: everything was processed.">
        {parked => (
          <Rows label="Parked changes" heads={['Since', 'What failed', 'Of', 'Error', 'Attempts', 'What to do']}>
            {parked.map(each => (
              <Table.Tr key={each.id}>
                <Table.Td>
                  <When at={each.parkedAt} />
                </Table.Td>
                <Table.Td>{each.task}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{each.about}</Table.Td>
                <Table.Td>{each.error}</Table.Td>
                <Table.Td>{each.failures}</Table.Td>
                <Table.Td>
                  <Group gap="xs">
                    <Button
                      size="compact-xs"
                      variant="default"
                      loading={redrive.isPending}
                      onClick={() => redrive.mutate([each.id])}
                    >
                      Try again
                    </Button>
                    {each.redrivenAt && (
                      <span>
                        last tried <When at={each.redrivenAt} />
                      </span>
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Rows>
        )}
      </LoadedList>
    </Page>
  );
}
