import * as z from 'zod/mini';
import { isConversationId, isUserId, isWorkflowId } from '#shared/core/ids.ts';
import { loadValue, storedValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { type Item, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  conversationPk,
  workflowKey,
  workflowListing,
  workflowOfKey,
  workflowOfPrefix,
} from '#shared/storage/dynamodb/keys/chat.ts';
import { timedSk } from '#shared/storage/dynamodb/keys/lists.ts';
import { botList, type Listed, partitionList, type Range } from '#shared/storage/dynamodb/lists/lists.ts';
import { type Tagged, Tags } from '#shared/storage/dynamodb/tags/tags.ts';
import { removeTimer, setTimer } from '#shared/storage/dynamodb/timers/timers.ts';

export const WORKFLOW_STATUSES = [
  'pending',
  'failed',
  'in_progress',
  'listening',
  'completed',
  'paused',
  'timedout',
  'cancelled',
] as const;
export type WorkflowStatus = (typeof WORKFLOW_STATUSES)[number];

const FINISHED: readonly WorkflowStatus[] = ['completed', 'failed', 'timedout', 'cancelled'];

const Workflow = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(WORKFLOW_STATUSES),
  parentWorkflowId: z.optional(z.string()),
  conversationId: z.optional(z.string()),
  userId: z.optional(z.string()),
  tags: Tags,
  failureReason: z.optional(z.string()),
  timeoutAtMs: z.number(),
  completedAtMs: z.optional(z.number()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  version: z.number(),
  cell: z.optional(z.string()),
  ...storedValue,
});
export type Workflow = z.infer<typeof Workflow>;
export const parseWorkflow = (item: Item | undefined): Workflow | undefined => item && Workflow.parse(item);

export interface WorkflowValues {
  input: Record<string, unknown>;
  output: Record<string, unknown>;
}

export const loadWorkflowValues = async (workflow: Workflow) => (await loadValue(workflow)) as WorkflowValues;

export const taggedWorkflow = ({ id, createdAtMs }: Pick<Workflow, 'id' | 'createdAtMs'>): Tagged => ({
  kind: 'workflow',
  id,
  sortKey: timedSk(createdAtMs, id),
  shardBy: id,
});

export const isFinished = ({ status }: Pick<Workflow, 'status'>) => FINISHED.includes(status);

export const findWorkflow = async (botId: string, id: string): Promise<Workflow | undefined> =>
  parseWorkflow(await readItem(workflowKey(botId, id)));

export const findWorkflows = async (botId: string, ids: readonly string[]): Promise<(Workflow | undefined)[]> =>
  (await readItems(ids.map(id => workflowKey(botId, id)))).map(parseWorkflow);

const itemOf = (botId: string, workflow: Workflow) => ({
  ...workflowKey(botId, workflow.id),
  ...workflow,
  ...workflowListing(botId, workflow),
});

const ownersOf = ({ parentWorkflowId, conversationId, userId }: Workflow) =>
  [parentWorkflowId, conversationId, userId].filter(id => id !== undefined);

export const putNewWorkflow = (botId: string, workflow: Workflow): Write[] => [
  {
    put: { Item: itemOf(botId, workflow), ConditionExpression: 'attribute_not_exists(pk)' },
    onRefused: () => new WriteConflict(),
  },
  ...ownersOf(workflow).map(ownerId => putOwnerEntry(botId, ownerId, workflow)),
  setTimer(workflowKey(botId, workflow.id), workflow.timeoutAtMs),
];

export const changeWorkflow = (botId: string, before: Workflow, after: Workflow): Write[] => {
  const newOwners = ownersOf(after).filter(id => !ownersOf(before).includes(id));
  return [
    {
      put: {
        Item: itemOf(botId, { ...after, version: before.version + 1 }),
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': before.version },
      },
      onRefused: () => new WriteConflict(),
    },
    ...newOwners.map(ownerId => putOwnerEntry(botId, ownerId, after)),
    ...timerWrites(botId, before, after),
  ];
};

const putOwnerEntry = (botId: string, ownerId: string, { id, createdAtMs }: Workflow): Write => ({
  put: { Item: { ...workflowOfKey(botId, ownerId, createdAtMs, id), id } },
  onRefused: unconditional,
});

function timerWrites(botId: string, before: Workflow, after: Workflow): Write[] {
  const key = workflowKey(botId, before.id);
  if (isFinished(after)) return isFinished(before) ? [] : [removeTimer(key)];
  return after.timeoutAtMs === before.timeoutAtMs ? [] : [setTimer(key, after.timeoutAtMs)];
}

export const removeWorkflow = (botId: string, workflow: Workflow): Write[] => [
  {
    remove: {
      Key: workflowKey(botId, workflow.id),
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':version': workflow.version },
    },
    onRefused: () => new WriteConflict(),
  },
  ...ownersOf(workflow).map(
    (ownerId): Write => ({
      remove: { Key: workflowOfKey(botId, ownerId, workflow.createdAtMs, workflow.id) },
      onRefused: unconditional,
    }),
  ),
  removeTimer(workflowKey(botId, workflow.id)),
];

export async function* listWorkflowsOf(botId: string, ownerId: string, range: Range) {
  if (!isConversationId(ownerId) && !isUserId(ownerId) && !isWorkflowId(ownerId)) return;
  for await (const { sortKey, item } of partitionList(conversationPk(botId, ownerId), workflowOfPrefix, range)) {
    yield { sortKey, id: String(item.id) };
  }
}

export async function* listWorkflows(botId: string, statuses: readonly WorkflowStatus[] | undefined, range: Range) {
  const list: AsyncGenerator<Listed> = statuses
    ? botList(
        botId,
        'workflows',
        'gsi2',
        range,
        statuses.map(each => `${each}#`),
      )
    : botList(botId, 'workflows', 'gsi1', range);
  for await (const { sortKey, item } of list) {
    const record = Workflow.parse(item);
    yield { sortKey, record: statuses === undefined || statuses.includes(record.status) ? record : undefined };
  }
}
