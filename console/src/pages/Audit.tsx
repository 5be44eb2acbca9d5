import { Code, Group, Table, Text } from '@mantine/core';
import { useAdminClient, useWorkspaceId } from '../api/clients.ts';
import { pageOf, useList } from '../api/useList.ts';
import { IconClipboardList } from '../icons/tabler.ts';
import { workspace } from '../messages/en/workspace.ts';
import { translator } from '../messages/translate.ts';
import { Monogram } from '../parts/Monogram.tsx';
import { Page } from '../parts/Page.tsx';
import { Rows, When } from '../parts/Small.tsx';
import { Empty, LoadedList } from '../parts/States.tsx';

const t = translator('workspace', workspace);

/** For actions that the official client does not know, returns the first word of the value. */
const actionOf = (action: string, value: string | null | undefined) =>
  action === 'UNKNOWN' && value ? value.split(' ')[0]! : action;
const restOf = (action: string, value: string | null | undefined) =>
  action === 'UNKNOWN' ? value?.split(' ').slice(1).join(' ') : value;

/** `ADD_WORKSPACE_MEMBER` as words. */
const inWords = (action: string) => {
  const words = action.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

export function Audit() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const list = useList(['audit', workspaceId], async nextToken => {
    const answer = await client.getAuditRecords({ id: workspaceId, ...(nextToken ? { nextToken } : {}) });
    return pageOf(answer.records, answer);
  });
  return (
    <Page title={t('auditLog')} about={t('auditAbout')}>
      <LoadedList
        list={list}
        empty={
          <Empty Icon={IconClipboardList} title={t('noEntries')}>
            {t('noEntriesAbout')}
          </Empty>
        }
      >
        {records => (
          <Rows label={t('auditLog')} heads={[t('actor'), t('action'), t('resource'), t('value'), t('time')]}>
            {records.map(({ id, recordedAt, userEmail, userId, action, resourceName, resourceId, value }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Group gap="xs" wrap="nowrap">
                    <Monogram name={userEmail ?? t('platform')} id={userId ?? ''} size={22} />
                    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                      {userEmail ?? userId ?? t('platform')}
                    </Text>
                  </Group>
                </Table.Td>
                <Table.Td style={{ fontWeight: 500 }}>{inWords(actionOf(action, value))}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {resourceName || (
                    <Code bg="transparent" p={0}>
                      {resourceId}
                    </Code>
                  )}
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{restOf(action, value)}</Table.Td>
                <Table.Td>
                  <When at={recordedAt} isExact />
                </Table.Td>
              </Table.Tr>
            ))}
          </Rows>
        )}
      </LoadedList>
    </Page>
  );
}
