import { Table } from '@mantine/core';
import { useAdminClient, useWorkspaceId } from '../api/clients.ts';
import { pageOf, useList } from '../api/useList.ts';
import { Page } from '../parts/Page.tsx';
import { Rows, When } from '../parts/Small.tsx';
import { LoadedList } from '../parts/States.tsx';

/** `ADD_WORKSPACE_MEMBER` as a person says it. */
const inWords = (action: string) => action.toLowerCase().replaceAll('_', ' ');

export function Audit() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const list = useList(['audit', workspaceId], async nextToken => {
    const answer = await client.getAuditRecords({ id: workspaceId, ...(nextToken ? { nextToken } : {}) });
    return pageOf(answer.records, answer);
  });
  return (
    <Page title="Audit" about="Who changed what in this workspace, the latest first.">
      <LoadedList list={list} empty="Nothing has been changed yet.">
        {records => (
          <Rows label="Audit" heads={['When', 'Who', 'What', 'Of', 'To']}>
            {records.map(({ id, recordedAt, userEmail, userId, action, resourceName, resourceId, value }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <When at={recordedAt} />
                </Table.Td>
                <Table.Td>{userEmail ?? userId ?? 'The platform'}</Table.Td>
                <Table.Td>{inWords(action === 'UNKNOWN' ? (value ?? action) : action)}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{resourceName || resourceId}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{action === 'UNKNOWN' ? '' : value}</Table.Td>
              </Table.Tr>
            ))}
          </Rows>
        )}
      </LoadedList>
    </Page>
  );
}
