import type { Client } from '@botpress/client';
import { Stack, Table, Text } from '@mantine/core';
import { IconCircleX, IconRoute } from '@tabler/icons-react';
import { useState } from 'react';
import { useBotClient } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { Copyable } from '../parts/Copyable.tsx';
import { FilterSelect } from '../parts/Fields.tsx';
import { Page, Toolbar } from '../parts/Page.tsx';
import {
  ACTIONS,
  Confirm,
  Detail,
  Fact,
  Facts,
  Json,
  Row,
  RowActions,
  RowButton,
  Rows,
  Status,
  Tags,
  When,
} from '../parts/Small.tsx';
import { Empty, LoadedList } from '../parts/States.tsx';
import { useBotId } from '../shell/useRoute.ts';
import { WORKFLOW_STATUS } from './workflowStatus.ts';

type Workflow = Awaited<ReturnType<Client['listWorkflows']>>['workflows'][number];

const FILTERS = [
  { value: '', label: 'All statuses' },
  ...Object.entries(WORKFLOW_STATUS).map(([value, { label }]) => ({ value, label })),
];
const ENDED = new Set<Workflow['status']>(['completed', 'failed', 'timedout', 'cancelled']);

export function Workflows() {
  const botId = useBotId();
  const client = useBotClient(botId);
  const [status, setStatus] = useState('');
  const [open, setOpen] = useState<Workflow>();
  const list = useList(
    ['workflows', botId, status],
    async nextToken => {
      const answer = await client.listWorkflows({
        ...(nextToken ? { nextToken } : {}),
        ...(status ? { statuses: [status as Workflow['status']] } : {}),
      });
      return pageOf(answer.workflows, answer);
    },
    { everyMs: 5_000 },
  );
  const cancel = useAction((id: string) => client.updateWorkflow({ id, status: 'cancelled' }), {
    done: 'The workflow was canceled.',
    changes: [['workflows', botId]],
  });
  return (
    <Page title="Workflows" about="Long-running tasks that the bot started, newest first.">
      <Toolbar>
        <FilterSelect label="Status" options={FILTERS} value={status} onChange={setStatus} />
      </Toolbar>
      <LoadedList
        list={list}
        empty={
          <Empty Icon={IconRoute} title={status ? 'No match' : 'No workflows yet'}>
            {status ? 'No workflow has this status.' : 'Workflows appear when the code of the bot starts them.'}
          </Empty>
        }
      >
        {workflows => (
          <Rows label="Workflows" heads={['Name', 'Status', 'Started', 'Ends', 'Tags', ACTIONS]}>
            {workflows.map(workflow => (
              <Row key={workflow.id}>
                <Table.Td>
                  <RowButton onClick={() => setOpen(workflow)}>{workflow.name}</RowButton>
                </Table.Td>
                <Table.Td>
                  <Status kind={WORKFLOW_STATUS[workflow.status].kind}>{WORKFLOW_STATUS[workflow.status].label}</Status>
                  {workflow.failureReason && <Text size="sm">{workflow.failureReason}</Text>}
                </Table.Td>
                <Table.Td>
                  <When at={workflow.createdAt} />
                </Table.Td>
                <Table.Td>
                  <When at={workflow.completedAt ?? workflow.timeoutAt} />
                </Table.Td>
                <Table.Td>
                  <Tags tags={workflow.tags} />
                </Table.Td>
                <RowActions>
                  {!ENDED.has(workflow.status) && (
                    <Confirm
                      label="Cancel workflow"
                      title={`Cancel ${workflow.name}?`}
                      Icon={IconCircleX}
                      isBusy={cancel.isPending}
                      onConfirm={() => cancel.mutate(workflow.id)}
                    >
                      The bot receives an event. A canceled workflow cannot be resumed.
                    </Confirm>
                  )}
                </RowActions>
              </Row>
            ))}
          </Rows>
        )}
      </LoadedList>
      <Detail of={open} title={open?.name} onClose={() => setOpen(undefined)}>
        {open => (
          <Stack>
            <Facts>
              <Fact name="Id">
                <Copyable value={open.id} label="Copy the workflow's id" />
              </Fact>
              <Fact name="Status">
                <Status kind={WORKFLOW_STATUS[open.status].kind}>{WORKFLOW_STATUS[open.status].label}</Status>
              </Fact>
            </Facts>
            <Text size="sm" fw={500}>
              Input
            </Text>
            <Json value={open.input} label="Input" />
            <Text size="sm" fw={500}>
              Output
            </Text>
            <Json value={open.output} label="Output" />
          </Stack>
        )}
      </Detail>
    </Page>
  );
}
