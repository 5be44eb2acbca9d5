import type { Client } from '@botpress/client';
import { Anchor, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useBotClient } from '../api/clients.ts';
import { useLive } from '../api/live/useLive.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { IconCircleX, IconRoute } from '../icons/tabler.ts';
import { activity } from '../messages/en/activity.ts';
import { translator } from '../messages/translate.ts';
import { useAddressChoice } from '../navigation/useAddress.ts';
import { useOpenRow } from '../navigation/useOpenRow.ts';
import { useBotId } from '../navigation/useRoute.ts';
import { Copyable } from '../parts/Copyable.tsx';
import { FilterSelect } from '../parts/Fields.tsx';
import { RowDetail } from '../parts/FormDialog.tsx';
import { Page, Toolbar } from '../parts/Page.tsx';
import {
  ACTIONS,
  Confirm,
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
import { StatesInPanel } from './OwnerStates.tsx';
import { WORKFLOW_STATUSES, workflowStatus } from './workflowStatus.ts';

const t = translator('activity', activity);

type Workflow = Awaited<ReturnType<Client['listWorkflows']>>['workflows'][number];

const STATUSES = ['', ...WORKFLOW_STATUSES] as const;
const filters = () => STATUSES.map(value => ({ value, label: value ? workflowStatus(value).label : t('allStatuses') }));
const ENDED = new Set<Workflow['status']>(['completed', 'failed', 'timedout', 'cancelled']);

export function Workflows() {
  const botId = useBotId();
  const client = useBotClient(botId);
  const [status, setStatus] = useAddressChoice('status', STATUSES);
  const list = useList(
    ['workflows', botId, status],
    async nextToken => {
      const answer = await client.listWorkflows({
        ...(nextToken ? { nextToken } : {}),
        ...(status ? { statuses: [status] } : {}),
      });
      return pageOf(answer.workflows, answer);
    },
    { live: useLive(botId) },
  );
  const row = useOpenRow<Workflow>({
    key: ['workflows', botId],
    rows: list.items,
    idOf: ({ id }) => id,
    read: async id => (await client.getWorkflow({ id })).workflow,
  });
  const cancel = useAction((id: string) => client.updateWorkflow({ id, status: 'cancelled' }), {
    done: t('workflowCanceled'),
    changes: [['workflows', botId]],
  });
  const heads = [t('name'), t('status'), t('started'), t('ends'), t('tags'), ACTIONS];
  return (
    <Page title={t('workflows')} about={t('workflowsAbout')}>
      <Toolbar>
        <FilterSelect label={t('status')} options={filters()} value={status} onChange={setStatus} />
      </Toolbar>
      <LoadedList
        list={list}
        heads={heads}
        empty={
          <Empty Icon={IconRoute} title={t(status ? 'noMatch' : 'noWorkflows')}>
            {t(status ? 'noWorkflowMatches' : 'noWorkflowsAbout')}
          </Empty>
        }
      >
        {workflows => (
          <Rows label={t('workflows')} heads={heads}>
            {workflows.map(workflow => (
              <Row key={workflow.id}>
                <Table.Td>
                  <RowButton onClick={() => row.open(workflow)}>{workflow.name}</RowButton>
                </Table.Td>
                <Table.Td>
                  <Status kind={workflowStatus(workflow.status).kind}>{workflowStatus(workflow.status).label}</Status>
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
                      label={t('cancelWorkflow')}
                      title={t('cancelTitle', { name: workflow.name })}
                      Icon={IconCircleX}
                      isBusy={cancel.isPending}
                      onConfirm={() => cancel.mutate(workflow.id)}
                    >
                      {t('cancelAbout')}
                    </Confirm>
                  )}
                </RowActions>
              </Row>
            ))}
          </Rows>
        )}
      </LoadedList>
      <RowDetail row={row} title={({ name }) => name}>
        {open => (
          <Stack>
            <Facts>
              <Fact name={t('id')}>
                <Copyable value={open.id} label={t('copyWorkflow')} />
              </Fact>
              <Fact name={t('status')}>
                <Status kind={workflowStatus(open.status).kind}>{workflowStatus(open.status).label}</Status>
              </Fact>
              {open.failureReason && <Fact name={t('reason')}>{open.failureReason}</Fact>}
              <Fact name={t('started')}>
                <When at={open.createdAt} />
              </Fact>
              <Fact name={t(open.completedAt ? 'ended' : 'timeout')}>
                <When at={open.completedAt ?? open.timeoutAt} />
              </Fact>
              {open.conversationId && (
                <Fact name={t('conversation')}>
                  <Anchor
                    component={Link}
                    size="sm"
                    to={`/bots/${botId}/conversations/${open.conversationId}` as string}
                  >
                    {open.conversationId}
                  </Anchor>
                </Fact>
              )}
              {open.userId && (
                <Fact name={t('user')}>
                  <Anchor
                    component={Link}
                    size="sm"
                    to={`/bots/${botId}/users` as string}
                    search={{ open: open.userId } as never}
                  >
                    {open.userId}
                  </Anchor>
                </Fact>
              )}
            </Facts>
            <StatesInPanel botId={botId} type="workflow" ownerId={open.id} />
            <Text size="sm" fw={600}>
              {t('input')}
            </Text>
            <Json value={open.input} label={t('input')} />
            <Text size="sm" fw={600}>
              {t('output')}
            </Text>
            <Json value={open.output} label={t('output')} />
          </Stack>
        )}
      </RowDetail>
    </Page>
  );
}
