import { Code, Table, Text } from '@mantine/core';
import { useParley } from '../api/clients.ts';
import { untilDone } from '../api/parley.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { IconMailCheck, IconRefresh } from '../icons/tabler.ts';
import { activity } from '../messages/en/activity.ts';
import { translator } from '../messages/translate.ts';
import { useBotId } from '../navigation/useRoute.ts';
import { IconAction } from '../parts/Copyable.tsx';
import { Page } from '../parts/Page.tsx';
import { ACTIONS, Confirm, RowActions, Rows, When } from '../parts/Small.tsx';
import { Empty, LoadedList } from '../parts/States.tsx';

const t = translator('activity', activity);

export function DeadLetters() {
  const botId = useBotId();
  const parley = useParley(botId);
  const list = useList(
    ['deadLetters', botId],
    async nextToken => {
      const answer = await parley.listDeadLetters(nextToken);
      return pageOf(answer.parked, answer);
    },
    { everyMs: 5_000 },
  );
  const redrive = useAction(
    (ids: string[] | undefined) =>
      untilDone(async next => {
        const answer = await parley.redriveDeadLetters({ ...(ids ? { ids } : {}), ...(next ? { next } : {}) });
        return { count: answer.redriven, next: answer.next };
      }),
    {
      done: count => t('redriven', { count }),
      changes: [['deadLetters', botId]],
    },
  );
  const all = (
    <Confirm
      label={t('redriveAll')}
      title={t('redriveTitle')}
      size="sm"
      isDanger={false}
      isBusy={redrive.isPending}
      onConfirm={() => redrive.mutate(undefined)}
    >
      {t('redriveAbout')}
    </Confirm>
  );
  return (
    <Page title={t('deadLetters')} about={t('deadLettersAbout')} actions={list.items.length > 0 && all}>
      <LoadedList
        list={list}
        empty={
          <Empty Icon={IconMailCheck} title={t('noDeadLetters')}>
            {t('noDeadLettersAbout')}
          </Empty>
        }
      >
        {letters => (
          <Rows
            label={t('deadLetters')}
            heads={[t('task'), t('subject'), t('error'), t('attempts'), t('since'), ACTIONS]}
          >
            {letters.map(each => (
              <Table.Tr key={each.id}>
                <Table.Td style={{ fontWeight: 500 }}>{each.task}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Code bg="transparent" p={0}>
                    {each.about}
                  </Code>
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{each.error}</Table.Td>
                <Table.Td>
                  <span className="number">{each.failures}</span>
                  {each.redrivenAt && (
                    <Text size="xs" c="dimmed">
                      {t.rich('lastRetry', { time: <When at={each.redrivenAt} /> })}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <When at={each.parkedAt} />
                </Table.Td>
                <RowActions>
                  <IconAction
                    label={t('retry')}
                    Icon={IconRefresh}
                    isBusy={redrive.isPending}
                    onClick={() => redrive.mutate([each.id])}
                  />
                </RowActions>
              </Table.Tr>
            ))}
          </Rows>
        )}
      </LoadedList>
    </Page>
  );
}
