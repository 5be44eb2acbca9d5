import type { Client } from '@botpress/client';
import { Button, Group, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useBotClient } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { Page } from '../parts/Page.tsx';
import { Confirm, Copyable, Detail, Json, Rows, Status, Tags, When } from '../parts/Small.tsx';
import { LoadedList } from '../parts/States.tsx';
import { useBotId } from '../shell/useRoute.ts';

type Workflow = Awaited<ReturnType<Client['listWorkflows']>>['workflows'][number];

const STATUS = {
  pending: { kind: 'busy', label: 'Waits to begin' },
  in_progress: { kind: 'busy', label: 'In progress' },
  listening: { kind: 'idle', label: 'Waits for something' },
  paused: { kind: 'idle', label: 'Paused' },
  completed: { kind: 'good', label: 'Completed' },
  failed: { kind: 'bad', label: 'Failed' },
  timedout: { kind: 'bad', label: 'Took too long' },
  cancelled: { kind: 'idle', label: 'Cancelled' },
} as const;
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
    done: 'The workflow is cancelled.',
    changes: [['workflows', botId]],
  });
  return (
    <Page title="Workflows" about="Longer tasks that the bot has begun.">
      <NativeSelect
        label="State"
        maw={240}
        value={status}
        onChange={event => setStatus(event.currentTarget.value)}
        data={[{ value: '', label: 'All' }, ...Object.entries(STATUS).map(([value, { label }]) => ({ value, label }))]}
      />
      <LoadedList list={list} empty={status ? 'No workflow is in this state.' : 'The bot has begun none.'}>
        {workflows => (
          <Rows label="Workflows" heads={['Name', 'Begun', 'State', 'Until', 'Tags', 'What to do']}>
            {workflows.map(workflow => (
              <Table.Tr key={workflow.id}>
                <Table.Td>{workflow.name}</Table.Td>
                <Table.Td>
                  <When at={workflow.createdAt} />
                </Table.Td>
                <Table.Td>
                  <Status kind={STATUS[workflow.status].kind}>{STATUS[workflow.status].label}</Status>
                  {workflow.failureReason && <Text size="sm">{workflow.failureReason}</Text>}
                </Table.Td>
                <Table.Td>
                  <When at={workflow.completedAt ?? workflow.timeoutAt} />
                </Table.Td>
                <Table.Td>
                  <Tags tags={workflow.tags} />
                </Table.Td>
                <Table.Td>
                  <Group gap="xs" wrap="nowrap">
                    <Button size="xs" variant="default" onClick={() => setOpen(workflow)}>
                      Show
                    </Button>
                    {!ENDED.has(workflow.status) && (
                      <Confirm
                        label="Cancel it"
                        title={`Cancel ${workflow.name}?`}
                        isBusy={cancel.isPending}
                        onConfirm={() => cancel.mutate(workflow.id)}
                      >
                        The bot is told, and it cannot be taken up again.
                      </Confirm>
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Rows>
        )}
      </LoadedList>
      <Detail of={open} title={open?.name} onClose={() => setOpen(undefined)}>
        {open => (
          <Stack gap="xs">
            <Copyable value={open.id} label="Copy the workflow's id" />
            <Text size="sm">What it was given</Text>
            <Json value={open.input} label="What it was given" />
            <Text size="sm">What came of it</Text>
            <Json value={open.output} label="What came of it" />
          </Stack>
        )}
      </Detail>
    </Page>
  );
}
