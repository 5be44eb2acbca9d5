/** The first page of an agent: the inboxes of all bots. */
import { Group, Table } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { useAdminClient, useWorkspaceId } from '../../api/clients.ts';
import { pageOf, useList } from '../../api/useList.ts';
import { IconInbox } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { Monogram } from '../../parts/Monogram.tsx';
import { Page } from '../../parts/Page.tsx';
import { Row, RowLink, Rows } from '../../parts/Small.tsx';
import { Empty, LoadedList } from '../../parts/States.tsx';
import { countOf, shownCount, type View } from './inboxViews.ts';
import { useCounts } from './useInbox.ts';

const t = translator('inbox', inbox);

const SHOWN: View[] = ['waiting', 'mine', 'unread'];

export function Inboxes() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const list = useList(['bots', workspaceId, 'inboxes'], async nextToken => {
    const answer = await client.listBots({
      ...(nextToken ? { nextToken } : {}),
      sortField: 'updatedAt',
      sortDirection: 'desc',
    });
    return pageOf(answer.bots, answer);
  });
  const [only, ...others] = list.items;
  if (only && others.length === 0 && !list.hasMore) return <Navigate to={`/bots/${only.id}/inbox` as string} replace />;
  return (
    <Page title={t('inboxes')} about={t('inboxesAbout')}>
      <LoadedList
        list={list}
        empty={
          <Empty Icon={IconInbox} title={t('noBots')}>
            {t('noBotsAbout')}
          </Empty>
        }
      >
        {bots => (
          <Rows label={t('inboxes')} heads={[t('bot'), ...SHOWN.map(view => t(`view_${view}`))]}>
            {bots.map(({ id, name }) => (
              <InboxRow key={id} id={id} name={name || id} />
            ))}
          </Rows>
        )}
      </LoadedList>
    </Page>
  );
}

function InboxRow({ id, name }: { id: string; name: string }) {
  const { data: counts } = useCounts(id);
  return (
    <Row>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <Monogram name={name} id={id} size={28} isSquare />
          <RowLink to={`/bots/${id}/inbox`}>{name}</RowLink>
        </Group>
      </Table.Td>
      {SHOWN.map(view => {
        const count = countOf(view, counts);
        return (
          <Table.Td key={view} className="number">
            {count === undefined ? '–' : shownCount(count)}
          </Table.Td>
        );
      })}
    </Row>
  );
}
